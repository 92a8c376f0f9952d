"""Changing some of what a staff member is, does and offers, all of it or nothing."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version, raise_all
from frontdesk.staff.edit_queries import OwnTerms, StaffToChange, lock_staff, staff_to_change
from frontdesk.staff.problems import StaffProblem
from frontdesk.values.money import fits_currency
from frontdesk.values.text import search_key

Terms = Mapping[UUID, OwnTerms]  # by service
_FIELDS = ("name", "names", "title", "phone", "phone_country", "email", "branch_id", "active")


class ChangeStaffMember(Act[StaffToChange], frozen=True):
    """Other fields stay as they are.

    `performs` are the services from now on; those that were performed before keep the person's own price and duration.
    `services` are the services with these. Their picture and their account are not changed.
    """

    staff_id: UUID
    changes: Mapping[str, Any]
    performs: Sequence[UUID] | None = None
    services: Terms | None = None
    version: int | None = None

    def load(self) -> Query[StaffToChange]:
        branch_id = self.changes.get("branch_id")
        return staff_to_change(self.staff_id, branch_id).locking(lock_staff(self.staff_id, branch_id))

    def decide(self, context: Context[StaffToChange]) -> FunctionCall:
        before = context.loaded
        check_version(self.version, before.version, self.staff_id)
        document = ResponseDocument("staff_document", self.staff_id)
        after = msgspec.structs.replace(before, **self.changes)
        services = self._services(before)
        self._check(before, after, services, context.tenant.currency_decimals)
        if after == before and services == before.services:
            return FunctionCall(None, None, document)
        argument = {name: getattr(after, name) for name in _FIELDS}
        argument |= {"id": self.staff_id, "version": before.version, "name_search": search_key(after.name)}
        argument["services"] = None if services == before.services else _rows(services)
        return FunctionCall("change_staff_member", argument, document)

    def _services(self, before: StaffToChange) -> Terms:
        if self.services is not None:
            return self.services
        if self.performs is None:
            return before.services
        return {item_id: before.services.get(item_id, OwnTerms()) for item_id in self.performs}

    def _check(self, before: StaffToChange, after: StaffToChange, services: Terms, decimals: int) -> None:
        if not before.branch_known:
            raise Problem(StaffProblem.UNKNOWN_BRANCH, "branch_id")
        raise_all(list(self._unknown(before, services)))
        if before.upcoming_bookings and after.branch_id != before.branch_id:
            raise Problem(StaffProblem.UPCOMING_IN_OTHER_BRANCH, "branch_id")
        if before.upcoming_bookings and before.active and not after.active:
            raise Problem(StaffProblem.HAS_UPCOMING_BOOKINGS)
        terms = enumerate((self.services or {}).values())
        wrong = [row for row, own in terms if own.price is not None and not _is_price(own.price, decimals)]
        raise_all([Problem(StaffProblem.NOT_AN_AMOUNT, "services", row, "price") for row in wrong])

    def _unknown(self, before: StaffToChange, services: Terms) -> Iterator[Problem]:
        if services == before.services:
            return
        for row, item_id in enumerate(services):
            if item_id not in before.known:
                at = ("performs", row) if self.services is None else ("services", row, "service_id")
                yield Problem(StaffProblem.OTHER_SERVICES, *at)


def _is_price(price: Decimal, decimals: int) -> bool:
    return price >= 0 and fits_currency(price, decimals)


def _rows(services: Terms) -> list[dict[str, Any]]:
    return [{"item_id": item_id, **msgspec.structs.asdict(own)} for item_id, own in services.items()]
