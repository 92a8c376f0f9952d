"""Adding to the waiting list, changing an entry, and removing it."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.errors import check_version, invalid, not_found
from frontdesk.postgres.write import Call, Lock, Look
from frontdesk.waiting_list.queries import SeenChoices, waiting_choices
from frontdesk.waiting_list.types import WaitingRequest

MAX_DAYS = 366
_MAX_AHEAD = timedelta(days=2 * 366)


def look_at_waiting(
    request: WaitingRequest, *, entry_id: UUID | None = None, customer_id: UUID | None = None
) -> Look[SeenChoices]:
    return Look(waiting_choices(entry_id, customer_id, request), Lock(_LOCK, (entry_id,)))


_LOCK = "SELECT FROM waiting_list WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE"


def plan_waiting(seen: SeenChoices, request: WaitingRequest, customer_id: UUID | None, entry_id: UUID) -> Call:
    errors = _request_errors(seen, request)
    if seen.customer_blocked is None:
        errors["customer"] = ["Choose a customer."]
    elif seen.customer_blocked:
        errors["customer"] = ["This customer is blocked."]
    if errors:
        raise invalid(errors)
    argument = {"id": entry_id, "customer_id": customer_id, **msgspec.structs.asdict(request)}
    return Call("save_waiting_entry", argument)


def plan_waiting_change(seen: SeenChoices, request: WaitingRequest, entry_id: UUID, version: int) -> Call:
    if seen.version is None:
        raise not_found("entry of the waiting list")
    check_version(version, seen.version, entry_id)
    errors = _request_errors(seen, request)
    if errors:
        raise invalid(errors)
    argument = {"id": entry_id, "version": version, **msgspec.structs.asdict(request)}
    return Call("save_waiting_entry", argument)


def plan_waiting_removal(entry_id: UUID) -> Call:
    return Call("remove_waiting_entry", {"id": entry_id})


def _request_errors(seen: SeenChoices, request: WaitingRequest) -> dict[str, list[str]]:
    errors = {}
    if not seen.is_service:
        errors["service"] = ["Choose a service."]
    elif not seen.performs:
        errors["provider"] = ["Choose a provider who performs this service."]
    if request.first_day > datetime.now(UTC).date() + _MAX_AHEAD:
        errors["first_day"] = ["Choose a day within two years."]
    elif seen.waits_already:
        errors["first_day"] = ["This customer already waits for this service on these days."]
    if request.last_day < request.first_day:
        errors["last_day"] = ["Enter a day that is not before the first."]
    elif (request.last_day - request.first_day).days > MAX_DAYS:
        errors["last_day"] = ["Enter a day within a year of the first."]
    return errors
