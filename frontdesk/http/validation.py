"""Collects all validation errors of a request. Runs only after decoding has failed, against the same types."""

import datetime as dt
import re
from typing import Any
from uuid import UUID

import msgspec
from msgspec import inspect as types

from frontdesk.http.errors import MAX_FIELD_ERRORS
from frontdesk.http.field_types import decode_field
from frontdesk.values.text import one_line

FieldErrors = dict[str, list[str]]
MAX_LINE = 255  # characters; texts with a larger limit, such as notes, have several lines


def validate(value: object, kind: types.Type) -> FieldErrors:
    """Maps field paths to messages, which complete a sentence that begins with the name of the field."""
    errors: FieldErrors = {}
    _walk(value, kind, "", errors, "")
    return errors


def find_overlong(value: object, kind: types.Type) -> FieldErrors:
    """Errors of strings that were too long before they were trimmed."""
    errors: FieldErrors = {}
    _walk_lengths(value, kind, "", errors)
    return errors


def _walk_lengths(value: object, kind: types.Type, path: str, errors: FieldErrors) -> None:
    match kind:
        case types.Metadata():
            _walk_lengths(value, kind.type, path, errors)
        case types.UnionType():
            for arm in kind.types:
                _walk_lengths(value, arm, path, errors)
        case types.StructType() if isinstance(value, dict):
            for field in kind.fields:
                field_path = f"{path}.{field.encode_name}" if path else field.encode_name
                _walk_lengths(value.get(field.encode_name), field.type, field_path, errors)
        case types.ListType() if isinstance(value, list):
            for index, entry in enumerate(value[: kind.max_length]):
                _walk_lengths(entry, kind.item_type, f"{path}.{index}", errors)
        case types.StrType(max_length=int(max_length)) if isinstance(value, str) and len(value) > max_length:
            if len(errors) < MAX_FIELD_ERRORS:
                errors[path] = [f"must have at most {max_length} characters"]


def join_lines(value: object, kind: types.Type) -> object:
    """The value with one line in every text that is short enough to be a name; longer texts have several."""
    match kind:
        case types.Metadata():
            return join_lines(value, kind.type)
        case types.UnionType():
            for arm in kind.types:
                value = join_lines(value, arm)
            return value
        case types.StructType() if isinstance(value, dict):
            known = {field.encode_name: field.type for field in kind.fields}
            return {name: join_lines(entry, known[name]) if name in known else entry for name, entry in value.items()}
        case types.ListType() if isinstance(value, list):
            return [join_lines(entry, kind.item_type) for entry in value]
        case types.StrType(max_length=int(max_length)) if isinstance(value, str) and max_length <= MAX_LINE:
            return one_line(value)
        case _:
            return value


def _walk(value: object, kind: types.Type, path: str, errors: FieldErrors, must: str) -> None:
    match kind:
        case types.Metadata():
            _walk(value, kind.type, path, errors, str((kind.extra or {}).get("must", must)))
        case types.UnionType():
            _walk_union(value, kind, path, errors, must)
        case types.StructType():
            _walk_struct(value, kind, path, errors)
        case types.ListType():
            _walk_list(value, kind, path, errors)
        case _:
            message = _scalar_error(value, kind, must)
            if message:
                errors.setdefault(path, []).append(message)


def _walk_union(value: object, kind: types.UnionType, path: str, errors: FieldErrors, must: str) -> None:
    if value is None and any(isinstance(arm, types.NoneType) for arm in kind.types):
        return
    arms = [arm for arm in kind.types if not isinstance(arm, types.NoneType)]
    _walk(value, arms[0], path, errors, must)


def _walk_struct(value: object, kind: types.StructType, path: str, errors: FieldErrors) -> None:
    if not isinstance(value, dict):
        errors.setdefault(path, []).append("must be an object")
        return
    for field in kind.fields:
        field_path = f"{path}.{field.encode_name}" if path else field.encode_name
        if field.encode_name in value:
            _walk(value[field.encode_name], field.type, field_path, errors, "")
        elif field.required:
            errors.setdefault(field_path, []).append("is required")


def _walk_list(value: object, kind: types.ListType, path: str, errors: FieldErrors) -> None:
    if not isinstance(value, list):
        errors.setdefault(path, []).append("must be a list")
        return
    if kind.min_length is not None and len(value) < kind.min_length:
        errors.setdefault(path, []).append(f"must have at least {_entries(kind.min_length)}")
    if kind.max_length is not None and len(value) > kind.max_length:
        errors.setdefault(path, []).append(f"must have at most {_entries(kind.max_length)}")
        return
    for index, entry in enumerate(value):
        if len(errors) >= MAX_FIELD_ERRORS:
            return
        _walk(entry, kind.item_type, f"{path}.{index}", errors, "")


def _entries(count: int) -> str:
    return f"{count} entry" if count == 1 else f"{count} entries"


def _scalar_error(value: object, kind: types.Type, must: str) -> str | None:  # noqa: PLR0911 - one row a kind
    match kind:
        case types.StrType():
            return _text_error(value, kind, must)
        case types.IntType():
            return _integer_error(value, kind)
        case types.BoolType():
            return None if isinstance(value, bool) else "must be true or false"
        case types.UUIDType():
            return _convert_error(value, UUID, "must be a UUID")
        case types.DateType():
            return _convert_error(value, dt.date, "must be a date in the format YYYY-MM-DD")
        case types.LiteralType() | types.EnumType():
            names = [m.value for m in kind.cls] if isinstance(kind, types.EnumType) else list(kind.values)
            choice = "one of " if len(names) > 1 else ""
            return None if value in names else f"must be {choice}{', '.join(map(str, names))}"
        case types.BytesType():  # a file of a form; who reads it says what is wrong with it
            return _convert_error(value, bytes, "is not valid")
        case types.CustomType():
            return _convert_error(value, kind.cls, None)
        case _:
            return "is not valid"


def _text_error(value: object, kind: types.StrType, must: str) -> str | None:
    if not isinstance(value, str):
        return "must be a string"
    if kind.min_length is not None and len(value) < kind.min_length:
        return "must not be empty" if kind.min_length == 1 else f"must have at least {kind.min_length} characters"
    if kind.max_length is not None and len(value) > kind.max_length:
        return f"must have at most {kind.max_length} characters"
    if kind.pattern is not None and not re.search(kind.pattern, value):
        return f"must {must}" if must else f"must match {kind.pattern}"
    return None


def _integer_error(value: object, kind: types.IntType) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return "must be an integer"
    if kind.ge is not None and value < kind.ge:
        return f"must be at least {kind.ge}"
    if kind.le is not None and value > kind.le:
        return f"must be at most {kind.le}"
    return None


def _convert_error(value: object, kind: type[Any], message: str | None) -> str | None:
    try:
        if message is None:
            decode_field(kind, value)
        else:
            msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        return message or str(error)
    return None
