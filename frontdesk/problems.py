"""What is wrong with a request, as a value: a kind, the field, and the values that belong to it.

A noun raises or returns it, and knows no sentence, HTTP status or wire name. Each surface has a table that says it.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from types import UnionType
from typing import Any, Self, TypeVar
from uuid import UUID

import msgspec

T = TypeVar("T")
Parameters = Mapping[str, type | UnionType]


def kind(**parameters: type | UnionType) -> Parameters:
    """Declares a kind of problem, with the names and types of its values."""
    return parameters


class ProblemKind(Enum):
    """Each noun has one of these enums, or several. A member is declared by `kind()`."""

    parameters: Parameters

    def __new__(cls, parameters: Parameters) -> Self:
        member = object.__new__(cls)
        member._value_ = len(cls.__members__)  # equal parameters are not the same kind
        member.parameters = parameters
        return member


class Refusal(Exception):
    """What is said to the caller, and not a failure of the service."""


class Problem(Refusal):
    """`at` is the path of the field by our own names, with indexes of lists. Empty: it belongs to no field."""

    def __init__(self, kind: ProblemKind, *at: str | int, **values: Any) -> None:  # noqa: ANN401 - by `kind.parameters`
        super().__init__(f"{type(kind).__name__}.{kind.name} {'.'.join(map(str, at))} {values or ''}".rstrip())
        if values.keys() != kind.parameters.keys():
            raise TypeError(f"{kind} has the values {', '.join(kind.parameters) or 'none'}")
        for name, type_ in kind.parameters.items():
            if not isinstance(values[name], type_):
                raise TypeError(f"{name} of {kind} is not of type {type_}")
        self.kind = kind
        self.at = at
        self.values: Mapping[str, Any] = values
        self.all: Sequence[Problem] = (self,)

    def within(self, *at: str | int) -> "Problem":
        """The same problem, of a field that the caller knows."""
        return Problem(self.kind, *at, *self.at, **self.values)


class Problems(Problem):
    """Several at once, so that the caller gets all errors of the fields. By itself it is the first of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first = problems[0]
        super().__init__(first.kind, *first.at, **first.values)
        self.all = tuple(problems)


def raise_all(problems: Sequence[Problem]) -> None:
    if problems:
        raise Problems(problems)


def stored_form(problem: Problem) -> dict[str, Any]:
    """The kind and its values, which are texts and numbers. The field is not stored."""
    return {"kind": problem.kind.name, **problem.values}


def encode_problem(problem: Problem) -> str:
    return msgspec.json.encode(stored_form(problem)).decode()


def decode_problem(kinds: type[ProblemKind], stored: str) -> Problem:
    return problem_of(kinds, msgspec.json.decode(stored))


def problem_of(kinds: type[ProblemKind], stored: Mapping[str, Any]) -> Problem:
    """Of its stored form."""
    return Problem(kinds[stored["kind"]], **{name: value for name, value in stored.items() if name != "kind"})


class SharedProblem(ProblemKind):
    """What every noun can say."""

    NOT_FOUND = kind(record=str)
    # The record has changed since the form was opened.
    OUTDATED = kind(subject_id=UUID, tenant_id=UUID | None, version=int | None)
    SKIPPED_TIME = kind()  # a local time that a change of the clocks skips
    DUPLICATE = kind()
    NO_PLACE = kind()  # before a record that is not in the same list
    TOO_MANY_DECIMALS = kind(most=int)


def not_found(record: str) -> Problem:
    return Problem(SharedProblem.NOT_FOUND, record=record)


def or_not_found(found: T | None, record: str) -> T:
    if found is None:
        raise not_found(record)
    return found


def check_version(sent: int | None, current: int, subject_id: UUID, tenant_id: UUID | None = None) -> None:
    """A form contains the version that it was filled from; APIs send none.

    Without a tenant it is that of the person who sent it.
    """
    if sent is not None and sent != current:
        raise Problem(SharedProblem.OUTDATED, subject_id=subject_id, tenant_id=tenant_id, version=current)
