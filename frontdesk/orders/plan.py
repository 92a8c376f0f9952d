"""The plan of an order: its lines checked and priced, with who performs each and how it is paid."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import Assignment, ServiceToSchedule
from frontdesk.orders.lines import CatalogSnapshot, price_lines, verify_client_totals
from frontdesk.orders.pricing import Priced
from frontdesk.orders.types import LineType, OrderRequest
from frontdesk.payments.resolve import choose_method
from frontdesk.tenants.types import TenantContext


class OrderPlan(NamedTuple):
    books: CatalogSnapshot
    wishes: list[ServiceToSchedule]  # to be placed, one for each service; none where nothing is booked
    staff: list[UUID | None]  # who performs each line; what is not booked may still name who did it or sold it
    minutes: list[int | None]
    priced: Priced
    methods: list[UUID]  # of the payments


def build_plan(
    tenant: TenantContext,
    asked: OrderRequest,
    books: CatalogSnapshot,
    wishes: list[ServiceToSchedule],
    placements: Sequence[Assignment],
) -> OrderPlan:
    placed = iter([(one.staff_id, int((one.end - one.start).total_seconds()) // 60) for one in placements])
    staff: list[UUID | None] = []
    minutes: list[int | None] = []
    for line in asked.lines:
        performer, length = next(placed, (None, None)) if line.type is LineType.SERVICE else (None, None)
        staff.append(performer or line.staff_id)
        minutes.append(length)
    # A till has told its customer the sum before anybody was chosen: that sum stays.
    by = staff if asked.client_totals is None else [line.staff_id for line in asked.lines]
    priced = price_lines(asked, by, books, tenant.currency_decimals)
    verify_client_totals(asked, priced, tenant.currency_decimals)
    return OrderPlan(books, wishes, staff, minutes, priced, choose_methods(asked, books))


def choose_methods(asked: OrderRequest, books: CatalogSnapshot) -> list[UUID]:
    return [choose_method(books.facts.methods, p.method_id, p.method_type) for p in asked.payments]
