"""Collects all problems of a request. Runs only after decoding has failed, against the same types."""

import datetime as dt
import re
from typing import Any
from uuid import UUID

import msgspec
from msgspec import inspect as types

from frontdesk.http.errors import MAX_FIELD_ERRORS
from frontdesk.http.field_types import decode_field
from frontdesk.http.problems import ValueProblem, WrongValue
from frontdesk.problems import Problem
from frontdesk.values.text import one_line

_Path = tuple[str | int, ...]
_OTHER_NAMES = {"team_id": "branch_id", "branch_id": "team_id"}  # of the same thing, in other operations
MAX_LINE = 255  # characters; texts with a larger limit, such as notes, have several lines


def validate(value: object, kind: types.Type) -> list[Problem]:
    """At most one of each field."""
    found: list[Problem] = []
    _walk(value, kind, (), found)
    return found


def find_overlong(value: object, kind: types.Type) -> list[Problem]:
    """Strings that were too long before they were trimmed."""
    found: list[Problem] = []
    _walk_lengths(value, kind, (), found)
    return found


def _walk_lengths(value: object, kind: types.Type, path: _Path, found: list[Problem]) -> None:
    match kind:
        case types.Metadata():
            _walk_lengths(value, kind.type, path, found)
        case types.UnionType():
            for arm in kind.types:
                _walk_lengths(value, arm, path, found)
        case types.StructType() if isinstance(value, dict):
            for field in kind.fields:
                _walk_lengths(value.get(field.encode_name), field.type, (*path, field.encode_name), found)
        case types.ListType() if isinstance(value, list):
            for index, entry in enumerate(value[: kind.max_length]):
                _walk_lengths(entry, kind.item_type, (*path, index), found)
        case types.DictType() if isinstance(value, dict):
            for name, entry in value.items():
                _walk_lengths(entry, kind.value_type, (*path, name), found)
        case types.StrType(max_length=int(most)) if isinstance(value, str) and len(value) > most:
            if len(found) < MAX_FIELD_ERRORS:
                found.append(Problem(ValueProblem.TOO_LONG, *path, most=most))


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


def _walk(value: object, kind: types.Type, path: _Path, found: list[Problem], otherwise: Problem | None = None) -> None:
    """`otherwise`: what is wrong with a text that does not match the pattern of its type."""
    match kind:
        case types.Metadata():
            _walk(value, kind.type, path, found, (kind.extra or {}).get("otherwise", otherwise))
        case types.UnionType():
            _walk_union(value, kind, path, found, otherwise)
        case types.StructType():
            _walk_struct(value, kind, path, found)
        case types.ListType():
            _walk_list(value, kind, path, found)
        case types.DictType():
            _walk_dict(value, kind, path, found)
        case _:
            problem = _scalar_problem(value, kind, otherwise)
            if problem is not None:
                found.append(problem.within(*path))


def _walk_union(
    value: object, kind: types.UnionType, path: _Path, found: list[Problem], otherwise: Problem | None
) -> None:
    if value is None and any(isinstance(arm, types.NoneType) for arm in kind.types):
        return
    arms = [arm for arm in kind.types if not isinstance(arm, types.NoneType)]
    _walk(value, arms[0], path, found, otherwise)


def _walk_struct(value: object, kind: types.StructType, path: _Path, found: list[Problem]) -> None:
    if not isinstance(value, dict):
        found.append(Problem(ValueProblem.NOT_OBJECT, *path))
        return
    for field in kind.fields:
        name = field.encode_name
        if name in value:
            _walk(value[name], field.type, (*path, name), found)
        elif field.required:
            found.append(_missing(value, name).within(*path, name))


def _missing(sent: dict[str, Any], name: str) -> Problem:
    other = _OTHER_NAMES.get(name)
    if other is None or other not in sent:
        return Problem(ValueProblem.REQUIRED)
    return Problem(ValueProblem.REQUIRED_BY_OTHER_NAME, sent=other)


def _walk_list(value: object, kind: types.ListType, path: _Path, found: list[Problem]) -> None:
    if not isinstance(value, list):
        found.append(Problem(ValueProblem.NOT_LIST, *path))
        return
    least, most = kind.min_length, kind.max_length
    if least == 1 and not value:
        found.append(Problem(ValueProblem.NO_ENTRY, *path))
    elif least is not None and len(value) < least:
        found.append(Problem(ValueProblem.TOO_FEW_ENTRIES, *path, least=least))
    if most is not None and len(value) > most:
        found.append(Problem(ValueProblem.TOO_MANY_ENTRIES, *path, most=most))
        return
    for index, entry in enumerate(value):
        if len(found) >= MAX_FIELD_ERRORS:
            return
        _walk(entry, kind.item_type, (*path, index), found)


def _walk_dict(value: object, kind: types.DictType, path: _Path, found: list[Problem]) -> None:
    if not isinstance(value, dict):
        found.append(Problem(ValueProblem.NOT_OBJECT, *path))
        return
    if kind.max_length is not None and len(value) > kind.max_length:
        found.append(Problem(ValueProblem.TOO_MANY_ENTRIES, *path, most=kind.max_length))
        return
    for name, entry in value.items():
        problem = _scalar_problem(name, kind.key_type, None)
        if problem is not None:
            found.append(problem.within(*path, name[:MAX_LINE]))
        else:
            _walk(entry, kind.value_type, (*path, name), found)


def _scalar_problem(value: object, kind: types.Type, otherwise: Problem | None) -> Problem | None:  # noqa: PLR0911 - one row a kind
    match kind:
        case types.StrType():
            return _text_problem(value, kind, otherwise)
        case types.IntType():
            return _integer_problem(value, kind)
        case types.BoolType():
            return None if isinstance(value, bool) else Problem(ValueProblem.NOT_BOOLEAN)
        case types.UUIDType():
            return _unless_converted(value, UUID, ValueProblem.NOT_UUID)
        case types.DateType():
            return _unless_converted(value, dt.date, ValueProblem.NOT_DATE)
        case types.LiteralType() | types.EnumType():
            return _choice_problem(value, kind)
        case types.BytesType():  # a file of a form; who reads it says what is wrong with it
            return _unless_converted(value, bytes, ValueProblem.INVALID)
        case types.CustomType():
            return _custom_problem(value, kind)
        case _:
            return Problem(ValueProblem.INVALID)


def _choice_problem(value: object, kind: types.LiteralType | types.EnumType) -> Problem | None:
    choices = [member.value for member in kind.cls] if isinstance(kind, types.EnumType) else list(kind.values)
    if value in choices:
        return None
    if len(choices) == 1:
        return Problem(ValueProblem.NOT_THE_ONLY, choice=str(choices[0]))
    return Problem(ValueProblem.NOT_ONE_OF, choices=choices)


def _text_problem(value: object, kind: types.StrType, otherwise: Problem | None) -> Problem | None:
    if not isinstance(value, str):
        return Problem(ValueProblem.NOT_TEXT)
    least, most = kind.min_length, kind.max_length
    if least is not None and len(value) < least:
        return Problem(ValueProblem.EMPTY) if least == 1 else Problem(ValueProblem.TOO_SHORT, least=least)
    if most is not None and len(value) > most:
        return Problem(ValueProblem.TOO_LONG, most=most)
    if kind.pattern is not None and not re.search(kind.pattern, value):
        return otherwise or Problem(ValueProblem.NO_MATCH, pattern=kind.pattern)
    return None


def _integer_problem(value: object, kind: types.IntType) -> Problem | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return Problem(ValueProblem.NOT_INTEGER)
    if kind.ge is not None and value < kind.ge:
        return Problem(ValueProblem.BELOW, least=kind.ge)
    if kind.le is not None and value > kind.le:
        return Problem(ValueProblem.ABOVE, most=kind.le)
    return None


def _unless_converted(value: object, type_: type[Any], otherwise: ValueProblem) -> Problem | None:
    try:
        msgspec.convert(value, type_)
    except msgspec.ValidationError:
        return Problem(otherwise)
    return None


def _custom_problem(value: object, kind: types.CustomType) -> Problem | None:
    try:
        decode_field(kind.cls, value)
    except WrongValue as wrong:
        return wrong.problem
    return None
