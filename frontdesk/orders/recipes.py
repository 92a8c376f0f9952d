"""How an order is made: its lines checked and priced, with who performs each and how it is paid.

Where nobody has to be chosen for a line and no stock is counted, that follows from the books alone. Such recipes are
kept under the edition of the books that they follow from, for the next order of the same lines.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import Assignment, ServiceToSchedule
from frontdesk.orders.lines import CatalogSnapshot, price_lines, takes_stock, verify_client_totals
from frontdesk.orders.pricing import Priced
from frontdesk.orders.types import LineType, OrderRequest
from frontdesk.payments.resolve import choose_method
from frontdesk.tenants.types import TenantContext
from frontdesk.values.cache import SizedCache


class OrderPlan(NamedTuple):
    books: CatalogSnapshot
    wishes: list[ServiceToSchedule]  # to be placed, one for each service; none where nothing is booked
    staff: list[UUID | None]  # who performs each line; what is not booked may still name who did it or sold it
    minutes: list[int | None]
    priced: Priced
    methods: list[UUID]  # of the payments


_LINE = 4_000  # bytes of a line and of what its item, options and providers take; a generous guess


def _recipe_bytes(_key: Hashable, recipe: OrderPlan) -> int:
    return _LINE * (1 + len(recipe.staff))


_cache: SizedCache[Hashable, OrderPlan] = SizedCache(32 * 1024 * 1024, _recipe_bytes)


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


def cache_plan(tenant: TenantContext, asked: OrderRequest, recipe: OrderPlan) -> None:
    chosen = any(len(wish.candidates) != 1 for wish in recipe.wishes)
    if tenant.edition is not None and not chosen and not takes_stock(asked, recipe.books):
        _cache.set(_key(tenant, asked), recipe)


def cached_plan(tenant: TenantContext, asked: OrderRequest) -> OrderPlan | None:
    return _cache.get(_key(tenant, asked))


def _key(tenant: TenantContext, asked: OrderRequest) -> Hashable:
    """Everything that a recipe follows from."""
    payments = tuple((payment.method_id, payment.method_type) for payment in asked.payments)
    kind = (asked.start is not None, asked.draft, asked.books_services)
    return tenant, asked.branch_id, tuple(asked.lines), payments, asked.discount, asked.client_totals, kind
