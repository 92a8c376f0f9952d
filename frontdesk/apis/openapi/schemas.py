"""JSON Schema of request and response types."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_origin

import msgspec
from msgspec import inspect as types

from frontdesk.apis.affected_bookings import ScheduleResponse
from frontdesk.apis.dry_run import WriteResponse
from frontdesk.apis.openapi.field_docs import FieldDocs
from frontdesk.http.field_types import (
    AmountText,
    CalendarDate,
    DateTimeInput,
    Money,
    NonNegativeMoney,
    Percent,
    PositiveMoney,
)
from frontdesk.http.pagination import DataResponse, PageResponse

Schema = dict[str, Any]

_MAX_MONEY = 999_999_999_999.999
_CUSTOM: dict[Any, Schema] = {
    Money: {"type": "number", "format": "double", "minimum": -_MAX_MONEY, "maximum": _MAX_MONEY},
    PositiveMoney: {"type": "number", "format": "double", "exclusiveMinimum": 0, "maximum": _MAX_MONEY},
    NonNegativeMoney: {"type": "number", "format": "double", "minimum": 0, "maximum": _MAX_MONEY},
    Percent: {"type": "number", "format": "double", "minimum": 0, "maximum": 100},
    AmountText: {"type": "string", "pattern": r"^-?[0-9]{1,12}(\.[0-9]{1,3})?$"},
    CalendarDate: {"type": "string", "format": "date"},
    DateTimeInput: {
        "type": "string",
        "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}"
        r"(:[0-9]{2}([.,][0-9]{1,6})?)?(Z|z|[+-][0-9]{2}:?[0-9]{2})?$",
    },
}
_ENVELOPES = {
    DataResponse: "Response",
    PageResponse: "Page",
    WriteResponse: "WriteResponse",
    ScheduleResponse: "ScheduleResponse",
}
# Enums whose name is clear inside their module, but not in a generated client.
_ENUM_NAMES = {
    "Status": "OrderStatus",
    "SettableStatus": "SettableOrderStatus",
    "Source": "OrderSource",
    "LineType": "OrderItemType",
    "DiscountKind": "DiscountType",
    "MethodType": "CreatablePaymentMethodType",
}
_PLAIN: dict[type[types.Type], Schema] = {
    types.AnyType: {},
    types.BoolType: {"type": "boolean"},
    types.DateType: {"type": "string", "format": "date"},
    types.DateTimeType: {"type": "string", "format": "date-time"},
    types.DecimalType: {"type": "number", "format": "double"},
    types.FloatType: {"type": "number", "format": "double"},
    types.NoneType: {"type": "null"},
    types.RawType: {},
    types.UUIDType: {"type": "string", "format": "uuid"},
}
_LIMITS = {
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "pattern": "pattern",
}


class Schemas:
    """Builds schemas and collects the named ones of one description."""

    def __init__(self, docs: FieldDocs, custom: Mapping[type, Callable[["Schemas"], Schema]] | None = None) -> None:
        """`custom` builds the schemas of types whose fields do not determine them."""
        self.components: dict[str, Schema] = {}
        self._custom = custom or {}
        self._docs = docs
        self._owners: dict[str, Any] = {}

    def of(self, kind: Any) -> Schema:  # noqa: ANN401 - any type that msgspec knows
        return self._schema(types.type_info(kind))

    def properties(self, kind: type[msgspec.Struct]) -> list[tuple[str, Schema, bool]]:
        """Name, schema and whether it is required, of each query parameter. Query parameters are never null."""
        info = types.type_info(kind)
        if not isinstance(info, types.StructType):
            raise TypeError(kind)
        return [
            (field.encode_name, self._field(info.cls.__name__, field, nullable=False), field.required)
            for field in info.fields
        ]

    def _schema(self, kind: types.Type) -> Schema:  # noqa: PLR0911 - one row a kind
        match kind:
            case types.Metadata():
                return {**self._schema(kind.type), **(kind.extra_json_schema or {})}
            case types.UnionType():
                return self._union(kind.types)
            case types.StructType():
                return self._struct(kind)
            case types.ListType() | types.VarTupleType() | types.SetType():
                return {"type": "array", "items": self._schema(kind.item_type), **_lengths(kind, "Items")}
            case types.DictType():
                return self._dict(kind)
            case types.EnumType():
                return self._enum(kind)
            case _:
                return _scalar(kind)

    def _union(self, arms: tuple[types.Type, ...]) -> Schema:
        schemas = [self._schema(arm) for arm in arms]
        if len(schemas) == 1:
            return schemas[0]
        null = {"type": "null"}
        if null not in schemas:
            return {"anyOf": schemas}
        rest = [schema for schema in schemas if schema != null]
        # A list of values with null in it is what generators of other languages know no default for.
        if len(rest) == 1 and isinstance(rest[0].get("type"), str) and "enum" not in rest[0]:
            return {**rest[0], "type": [rest[0]["type"], "null"]}
        return {"anyOf": [*rest, null]}

    def _struct(self, kind: types.StructType) -> Schema:
        name = _published_name(kind.cls)
        if name is None:
            return self._object(kind, kind.cls.__name__)
        make = self._custom.get(kind.cls)
        if make is not None:
            return self.named(name, kind.cls, lambda: make(self))
        return self.named(name, kind.cls, lambda: self._object(kind, kind.cls.__name__))

    def _enum(self, kind: types.EnumType) -> Schema:
        name = _ENUM_NAMES.get(kind.cls.__name__, kind.cls.__name__)
        values = [member.value for member in kind.cls]
        return self.named(name, kind.cls, lambda: {"type": "string", "enum": values})

    def named(self, name: str, owner: object, make: Callable[[], Schema]) -> Schema:
        """A reference to the schema with this name, which is built on first use."""
        if name not in self.components:
            self._owners[name] = owner
            self.components[name] = {}
            self.components[name] = make()
        elif self._owners[name] != owner:
            raise ValueError(f"two types are called {name}: {self._owners[name]} and {owner}")
        return {"$ref": f"#/components/schemas/{name}"}

    def object_of(self, kind: type[msgspec.Struct]) -> Schema:
        """The schema inline, without a reference."""
        info = types.type_info(kind)
        if not isinstance(info, types.StructType):
            raise TypeError(kind)
        return self._object(info, kind.__name__)

    def _object(self, kind: types.StructType, name: str) -> Schema:
        schema: Schema = {"type": "object"}
        text = _short_text(kind.cls)
        if text:
            schema["description"] = text
        schema["properties"] = {field.encode_name: self._field(name, field) for field in kind.fields}
        required = [field.encode_name for field in kind.fields if field.required]
        if required:
            schema["required"] = required
        return schema

    def _field(self, owner: str, field: types.Field, *, nullable: bool = True) -> Schema:
        kind = field.type
        if not nullable and isinstance(kind, types.UnionType):
            kind = types.UnionType(tuple(arm for arm in kind.types if not isinstance(arm, types.NoneType)))
        schema = self._schema(kind)
        if field.default not in (msgspec.NODEFAULT, None):
            schema = {**schema, "default": msgspec.to_builtins(field.default)}
        text = self._docs.of(owner, field.encode_name)
        return {**schema, "description": text} if text else schema

    def _dict(self, kind: types.DictType) -> Schema:
        schema: Schema = {"type": "object", "additionalProperties": self._schema(kind.value_type)}
        schema |= _lengths(kind, "Properties")
        names = self._schema(kind.key_type)
        if len(names) > 1:
            schema["propertyNames"] = {name: value for name, value in names.items() if name != "type"}
        return schema


def _scalar(kind: types.Type) -> Schema:
    match kind:
        case types.StrType():
            return {"type": "string", **_lengths(kind, "Length"), **_bounds(kind)}
        case types.IntType():
            return {"type": "integer", **_width(kind), **_bounds(kind)}
        case types.LiteralType():
            return {"type": "string", "enum": list(kind.values)}
        case types.CustomType():
            return dict(_CUSTOM[kind.cls])
        case _:
            return dict(_PLAIN[type(kind)])


def _published_name(cls: Any) -> str | None:  # noqa: ANN401 - a class, or one with its parameters
    """Envelopes are named after their content. An envelope of a list or of nothing has no name."""
    envelope = _ENVELOPES.get(get_origin(cls))
    if envelope is None:
        return str(cls.__name__)
    held = get_args(cls)[0]
    return f"{held.__name__}{envelope}" if isinstance(held, type) and issubclass(held, msgspec.Struct) else None


def _lengths(kind: Any, what: str) -> Schema:  # noqa: ANN401 - every kind that has a length
    found = {f"min{what}": kind.min_length, f"max{what}": kind.max_length}
    return {name: value for name, value in found.items() if value is not None}


def _width(kind: types.IntType) -> Schema:
    """Generators of other languages take 32 bits otherwise, in which a sequence or a time ends one day."""
    return {} if kind.le is not None and kind.le < 2**31 else {"format": "int64"}


def _bounds(kind: Any) -> Schema:  # noqa: ANN401
    found = {name: getattr(kind, attribute, None) for attribute, name in _LIMITS.items()}
    return {name: value for name, value in found.items() if value is not None}


def _short_text(cls: Callable[..., Any]) -> str | None:
    """The docstring of the class itself; that of a parent does not describe it."""
    text = vars(get_origin(cls) or cls).get("__doc__")
    return inspect.cleandoc(text) if text else None
