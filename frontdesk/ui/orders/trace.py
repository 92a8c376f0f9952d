"""How the total of an order came about: the steps of each line, who performs it and why, and what settled it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.queries.trace_queries import names_of_trace, order_to_trace
from frontdesk.orders.trace import trace_order
from frontdesk.orders.trace_documents import OrderTrace, StepKind, TraceAuthor, TraceLine
from frontdesk.ui.components.order_labels import AUTHORS
from frontdesk.ui.orders.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.webhooks.payloads import ChangedBy

pages = Pages()
_STEPS: Mapping[StepKind, str] = {
    "catalog": N_("Catalogue"),
    "offer": N_("Offer"),
    "option": N_("Option, replaces the price"),
    "option_offer": N_("Offer for the option"),
    "provider": N_("Own price of the provider"),
    "tax_on_top": N_("Tax, comes on top"),
    "given": N_("Another price was given"),
    "not_recorded": N_("Price as it was sold"),
    "quantity": N_("Quantity"),
    "line_discount": N_("Discount of this line"),
    "discount_share": N_("Share of the discount"),
}


class _Change(NamedTuple):
    by: str
    at: datetime


class _Words:
    """What the page says about the ids of a trace."""

    def __init__(self, context: PageContext, names: Mapping[UUID, str]) -> None:
        self._context, self._names = context, names

    def name(self, id_: UUID | None) -> str:
        return self._names.get(id_, "—") if id_ else "—"

    def who(self, changed_by: ChangedBy) -> str:
        known = self._names.get(changed_by.id) if changed_by.id else None
        return known or self._context.translate(AUTHORS[changed_by.type])

    def change(self, author: TraceAuthor | None) -> _Change | None:
        return None if author is None else _Change(self.who(author.changed_by), self.at(author.at))

    def at(self, published: str) -> datetime:
        return datetime.fromisoformat(published)


@pages.get(f"{PATH}/{{order_id}}/trace", CASHIERS)
async def show_trace(context: PageContext, order_id: UUID) -> Response:
    trace = trace_order(await context.fetch(order_to_trace(order_id)), with_payments=True)
    names = await context.fetch(names_of_trace(set(_ids(trace)), context.names_language))
    return context.render(
        "order_trace.html",
        trace=trace,
        words=_Words(context, names),
        step_labels=_STEPS,
        is_recorded=all(line.prices for line in trace.lines),
        names_of_lines={line.line_id: names.get(line.item_id, line.name) for line in trace.lines},
    )


def _ids(trace: OrderTrace) -> Iterator[UUID]:
    authors = [trace.created_by, *(author.changed_by for author in _authors(trace) if author)]
    yield from (author.id for author in authors if author.id)
    yield from (tip.staff_id for tip in trace.tips or () if tip.staff_id)
    for line in trace.lines:
        yield from _ids_of_line(line)


def _authors(trace: OrderTrace) -> Iterator[TraceAuthor | None]:
    yield trace.discount.changed if trace.discount else None
    for line in trace.lines:
        yield from (line.priced, line.discounted, line.provider.changed if line.provider else None)


def _ids_of_line(line: TraceLine) -> Iterator[UUID]:
    yield from (line.item_id, *(part.item_id for part in line.package))
    if line.tax.class_id:
        yield line.tax.class_id
    if line.provider:
        yield from (line.provider.staff_id, *(other.staff_id for other in line.provider.others))
