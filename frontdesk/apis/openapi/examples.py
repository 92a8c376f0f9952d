"""Builds an example of every type from the examples of its fields."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import inspect as types

from frontdesk.apis.openapi.field_docs import FieldDocs

_SHOWN = {
    types.BoolType: True,
    types.DecimalType: 120.0,
    types.FloatType: 1.5,
    types.IntType: 1,
    types.NoneType: None,
    types.StrType: "text",
    types.UUIDType: "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a",
}


class Examples:
    def __init__(self, docs: FieldDocs, custom: Mapping[type, Callable[["Examples"], Any]] | None = None) -> None:
        self._docs = docs
        self._custom = custom or {}

    def of(self, kind: Any) -> Any:  # noqa: ANN401 - a type in, JSON out
        return self._value(types.type_info(kind))

    def _value(self, kind: types.Type) -> Any:  # noqa: ANN401, PLR0911 - one row a kind
        match kind:
            case types.Metadata():
                return self._value(kind.type)
            case types.UnionType():
                arms = [arm for arm in kind.types if not isinstance(arm, types.NoneType)]
                return self._value(arms[0])
            case types.StructType():
                make = self._custom.get(kind.cls)
                return make(self) if make else self.record(kind.cls)
            case types.ListType():
                return [self._value(kind.item_type)]
            case types.DictType():
                return {}
            case types.EnumType():
                return next(iter(kind.cls)).value
            case types.LiteralType():
                return kind.values[0]
            case _:
                return _SHOWN.get(type(kind))

    def record(self, kind: type) -> dict[str, Any]:
        info = types.type_info(kind)
        if not isinstance(info, types.StructType):
            raise TypeError(kind)
        owner, shown = kind.__name__, {}
        for field in info.fields:
            example = self._docs.example(owner, field.encode_name)
            if example is not None:
                shown[field.encode_name] = example
            elif field.required:
                shown[field.encode_name] = None if _is_nullable(field.type) else self._value(field.type)
            elif _holds_struct(field.type):
                shown[field.encode_name] = self._value(field.type)
        return shown


def _is_nullable(kind: types.Type) -> bool:
    return (
        isinstance(kind, types.UnionType)
        and any(isinstance(arm, types.NoneType) for arm in kind.types)
        and not _holds_struct(kind)
    )


def _holds_struct(kind: types.Type) -> bool:
    match kind:
        case types.StructType():
            return True
        case types.UnionType():
            return any(_holds_struct(arm) for arm in kind.types)
        case types.Metadata():
            return _holds_struct(kind.type)
        case types.ListType():
            return _holds_struct(kind.item_type)
        case _:
            return False
