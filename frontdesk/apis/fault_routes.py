"""What a fault of a sandbox can befall. One that could never happen is refused when it is set."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from frontdesk.http.errors import STATUS, Code, OperationErrors
from frontdesk.problems import Problem
from frontdesk.sandbox.problems import FaultProblem
from frontdesk.tenants.fault_queries import OF_WEBHOOKS, FaultKind
from frontdesk.webhooks.event_types import EventType

_NEVER = "/sandbox/"  # the calls that set and clear faults
_OF_TOKENS = (FaultKind.ERROR, FaultKind.SLOW)  # below /oauth, where no token and no act is


def check_route(kind: FaultKind, route: str | None, operations: Mapping[str, OperationErrors]) -> None:
    if route is None:
        return
    if kind in OF_WEBHOOKS:
        if route not in list(EventType):
            raise Problem(FaultProblem.NOT_AN_EVENT, "route", nearest=_nearest(route, list(EventType)))
        return
    befallen = [name for name in operations if _NEVER not in name]
    if route not in befallen:
        meant = route.replace(" /open-api/v1/", " /").replace(" /api/v1/", " /")
        raise Problem(FaultProblem.NOT_AN_OPERATION, "route", nearest=_nearest(meant, befallen))
    if " /oauth/" in route and kind not in _OF_TOKENS:
        raise Problem(FaultProblem.NOT_OF_TOKENS, "kind", kinds=[one.value for one in _OF_TOKENS])


def code_of_error(
    code: str | None, status: int | None, route: str | None, operations: Mapping[str, OperationErrors]
) -> Code:
    """The one that is named, or the first with this status that the operation can answer."""
    possible = [one for one in Code if one in _codes(route, operations)]
    if code is not None:
        named = next((one for one in Code if one == code), None)
        if named not in possible:
            raise _not_answered("code", route, possible)
        if status not in (None, STATUS[named]):
            raise Problem(FaultProblem.WRONG_STATUS, "status", status=STATUS[named])
        return named
    found = next((one for one in possible if STATUS[one] == (status or 500)), None)
    if found is None:
        raise _not_answered("status", route, possible)
    return found


def _codes(route: str | None, operations: Mapping[str, OperationErrors]) -> Collection[Code]:
    chosen = operations.values() if route is None else [operations[route]]
    return {code for operation in chosen for code in operation.codes}


def _not_answered(field: str, route: str | None, possible: list[Code]) -> Problem:
    if field == "status":
        statuses = sorted({STATUS[code] for code in possible})
        return Problem(FaultProblem.NOT_ANSWERED, field, route=route or "any operation", possible=statuses)
    return Problem(FaultProblem.NOT_ANSWERED, field, route=route or "any operation", possible=list(possible))


def _nearest(route: str, known: Collection[str]) -> str:
    return get_close_matches(route, known, n=1, cutoff=0)[0]
