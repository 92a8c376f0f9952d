"""Adding to the waiting list, changing an entry, and removing it."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import Problem, check_version, not_found, raise_all
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local
from frontdesk.waiting_list.entry_queries import is_waiting
from frontdesk.waiting_list.problems import WaitingProblem
from frontdesk.waiting_list.queries import WaitingChoices, waiting_choices
from frontdesk.waiting_list.types import WaitingRequest

MAX_DAYS = 366
_MAX_AHEAD = timedelta(days=2 * 366)
_DOCUMENT = "waiting_entry_document"
_LOCK = "SELECT FROM waiting_list WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE"


class AddWaitingEntry(Act[WaitingChoices], frozen=True):
    request: WaitingRequest
    customer_id: UUID | None

    def load(self) -> Query[WaitingChoices]:
        return waiting_choices(None, self.customer_id, self.request).locking(Lock(_LOCK, (None,)))

    def decide(self, context: Context[WaitingChoices]) -> FunctionCall:
        problems = list(request_problems(context.tenant, context.loaded, self.request))
        if context.loaded.customer_blocked is None:
            problems.append(Problem(WaitingProblem.UNKNOWN_CUSTOMER, "customer"))
        elif context.loaded.customer_blocked:
            problems.append(Problem(WaitingProblem.CUSTOMER_BLOCKED, "customer"))
        raise_all(problems)
        entry_id = uuid7()
        argument = {"id": entry_id, "customer_id": self.customer_id, **msgspec.structs.asdict(self.request)}
        return FunctionCall("save_waiting_entry", argument, ResponseDocument(_DOCUMENT, entry_id))


class ChangeWaitingEntry(Act[WaitingChoices], frozen=True):
    request: WaitingRequest
    entry_id: UUID
    version: int | None  # the one that was read

    def load(self) -> Query[WaitingChoices]:
        return waiting_choices(self.entry_id, None, self.request).locking(Lock(_LOCK, (self.entry_id,)))

    def decide(self, context: Context[WaitingChoices]) -> FunctionCall:
        if context.loaded.version is None:
            raise not_found("entry of the waiting list")
        check_version(self.version, context.loaded.version, self.entry_id)
        raise_all(list(request_problems(context.tenant, context.loaded, self.request)))
        version = context.loaded.version
        argument = {"id": self.entry_id, "version": version, **msgspec.structs.asdict(self.request)}
        return FunctionCall("save_waiting_entry", argument, ResponseDocument(_DOCUMENT, self.entry_id))


class RemoveWaitingEntry(Act[bool], frozen=True):
    entry_id: UUID
    must_wait: bool = False  # False: an entry that is gone already is no error

    def load(self) -> Query[bool]:
        return is_waiting(self.entry_id)

    def decide(self, context: Context[bool]) -> FunctionCall:
        if self.must_wait and not context.loaded:
            raise not_found("entry of the waiting list")
        return FunctionCall("remove_waiting_entry", {"id": self.entry_id})


def request_problems(tenant: TenantContext, choices: WaitingChoices, request: WaitingRequest) -> Iterator[Problem]:
    today = to_local(current_time(), get_zone(tenant.timezone)).date()
    if not choices.is_service:
        yield Problem(WaitingProblem.UNKNOWN_SERVICE, "service")
    elif not choices.performs:
        yield Problem(WaitingProblem.STAFF_DOES_NOT_PERFORM, "provider")
    if request.first_day < today and (choices.version is None or request.first_day == request.last_day):
        yield Problem(WaitingProblem.PAST, "first_day")
    elif request.first_day > current_time().date() + _MAX_AHEAD:
        yield Problem(WaitingProblem.TOO_FAR_AHEAD, "first_day")
    elif choices.waits_already:
        yield Problem(WaitingProblem.WAITS_ALREADY, "first_day")
    if request.last_day < request.first_day:
        yield Problem(WaitingProblem.ENDS_BEFORE_FIRST, "last_day")
    elif request.first_day < request.last_day < today and choices.version is not None:
        yield Problem(WaitingProblem.PAST, "last_day")
    elif (request.last_day - request.first_day).days > MAX_DAYS:
        yield Problem(WaitingProblem.TOO_MANY_DAYS, "last_day")
