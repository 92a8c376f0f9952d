"""What a fault of a sandbox can befall. One that could never happen is refused when it is set."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Protocol

from msgspec.structs import replace

from frontdesk.problems import Problem
from frontdesk.sandbox.faults import AddSandboxFault
from frontdesk.sandbox.problems import FaultProblem
from frontdesk.tenants.fault_queries import OF_WEBHOOKS, FaultKind
from frontdesk.webhooks.event_types import EventType

_NEVER = "/sandbox/"  # the calls that set and clear faults
_OF_TOKENS = (FaultKind.ERROR, FaultKind.SLOW)  # below /oauth, where no token and no act is


class Operation(Protocol):
    """An operation of the APIs, with the codes of the errors that it can answer."""

    @property
    def codes(self) -> tuple[str, ...]: ...


def possible_fault(
    act: AddSandboxFault, operations: Mapping[str, Operation], statuses: Mapping[str, int]
) -> AddSandboxFault:
    """The act, if what it sets can happen; an error gets the code that is meant, and the status of this code."""
    if act.kind is not FaultKind.ERROR and (act.code is not None or act.status is not None):
        raise Problem(FaultProblem.NO_ERROR, "kind")
    _check_route(act.kind, act.route, operations)
    if act.kind is not FaultKind.ERROR:
        return act
    code = _code_of_error(act, operations, statuses)
    return replace(act, code=code, status=statuses[code])


def befallen(operations: Collection[str]) -> list[str]:
    """The operations that can fail on purpose."""
    return [name for name in operations if _NEVER not in name]


def _check_route(kind: FaultKind, route: str | None, operations: Collection[str]) -> None:
    if route is None:
        return
    if kind in OF_WEBHOOKS:
        if route not in list(EventType):
            raise Problem(FaultProblem.NOT_AN_EVENT, "route", nearest=_nearest(route, list(EventType)))
        return
    known = befallen(operations)
    if route not in known:
        meant = route.replace(" /open-api/v1/", " /").replace(" /api/v1/", " /")
        raise Problem(FaultProblem.NOT_AN_OPERATION, "route", nearest=_nearest(meant, known))
    if " /oauth/" in route and kind not in _OF_TOKENS:
        raise Problem(FaultProblem.NOT_OF_TOKENS, "kind", kinds=[one.value for one in _OF_TOKENS])


def _code_of_error(act: AddSandboxFault, operations: Mapping[str, Operation], statuses: Mapping[str, int]) -> str:
    """The one that is named, or the first with this status that the operation can answer."""
    codes = possible_codes(act.route, operations)
    possible = [code for code in statuses if code in codes]
    if act.code is not None:
        if act.code not in possible:
            raise _not_answered("code", act.route, possible)
        if act.status not in (None, statuses[act.code]):
            raise Problem(FaultProblem.WRONG_STATUS, "status", status=statuses[act.code])
        return act.code
    found = next((code for code in possible if statuses[code] == (act.status or 500)), None)
    if found is None:
        raise _not_answered("status", act.route, sorted({statuses[code] for code in possible}))
    return found


def possible_codes(route: str | None, operations: Mapping[str, Operation]) -> set[str]:
    chosen = operations.values() if route is None else [operations[route]]
    return {code for operation in chosen for code in operation.codes}


def _not_answered(field: str, route: str | None, possible: list[str] | list[int]) -> Problem:
    return Problem(FaultProblem.NOT_ANSWERED, field, route=route or "any operation", possible=possible)


def _nearest(route: str, known: Collection[str]) -> str:
    return get_close_matches(route, known, n=1, cutoff=0)[0]
