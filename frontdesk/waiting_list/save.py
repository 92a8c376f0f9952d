"""Adding to the waiting list, changing an entry, and removing it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version, not_found, raise_all
from frontdesk.waiting_list.problems import WaitingProblem
from frontdesk.waiting_list.queries import SeenChoices, waiting_choices
from frontdesk.waiting_list.types import WaitingRequest

MAX_DAYS = 366
_MAX_AHEAD = timedelta(days=2 * 366)


def look_at_waiting(
    request: WaitingRequest, *, entry_id: UUID | None = None, customer_id: UUID | None = None
) -> Look[SeenChoices]:
    return Look(waiting_choices(entry_id, customer_id, request), Lock(_LOCK, (entry_id,)))


_LOCK = "SELECT FROM waiting_list WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE"


def plan_waiting(seen: SeenChoices, request: WaitingRequest, customer_id: UUID | None, entry_id: UUID) -> FunctionCall:
    problems = list(_request_problems(seen, request))
    if seen.customer_blocked is None:
        problems.append(Problem(WaitingProblem.UNKNOWN_CUSTOMER, "customer"))
    elif seen.customer_blocked:
        problems.append(Problem(WaitingProblem.CUSTOMER_BLOCKED, "customer"))
    raise_all(problems)
    argument = {"id": entry_id, "customer_id": customer_id, **msgspec.structs.asdict(request)}
    return FunctionCall("save_waiting_entry", argument)


def plan_waiting_change(seen: SeenChoices, request: WaitingRequest, entry_id: UUID, version: int) -> FunctionCall:
    if seen.version is None:
        raise not_found("entry of the waiting list")
    check_version(version, seen.version, entry_id)
    raise_all(list(_request_problems(seen, request)))
    argument = {"id": entry_id, "version": version, **msgspec.structs.asdict(request)}
    return FunctionCall("save_waiting_entry", argument)


def plan_waiting_removal(entry_id: UUID) -> FunctionCall:
    return FunctionCall("remove_waiting_entry", {"id": entry_id})


def _request_problems(seen: SeenChoices, request: WaitingRequest) -> Iterator[Problem]:
    if not seen.is_service:
        yield Problem(WaitingProblem.UNKNOWN_SERVICE, "service")
    elif not seen.performs:
        yield Problem(WaitingProblem.STAFF_DOES_NOT_PERFORM, "provider")
    if request.first_day > datetime.now(UTC).date() + _MAX_AHEAD:
        yield Problem(WaitingProblem.TOO_FAR_AHEAD, "first_day")
    elif seen.waits_already:
        yield Problem(WaitingProblem.WAITS_ALREADY, "first_day")
    if request.last_day < request.first_day:
        yield Problem(WaitingProblem.ENDS_BEFORE_FIRST, "last_day")
    elif (request.last_day - request.first_day).days > MAX_DAYS:
        yield Problem(WaitingProblem.TOO_MANY_DAYS, "last_day")
