"""The rows of the list of the catalogue, as it shows them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from frontdesk.catalog.page_types import CatalogueRow, Kind, Names
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext


class ShownRow(NamedTuple):
    """All that a row shows: a row that was shown before is not rendered again."""

    id: str
    kind: Kind
    status: bool
    name: str
    other_names: tuple[tuple[str, str], ...]  # in the languages that the row is not shown in
    move_label: str
    sale_label: str
    picture_url: str | None
    duration: str
    stock: int | None
    is_low: bool
    performers: str
    contents: int
    usual_price: str | None  # during an offer
    price: str
    is_lowest: bool  # of several prices
    is_broken: bool
    is_unsold: bool


def row_writer(context: PageContext, staff: int) -> Callable[[list[CatalogueRow]], Iterator[ShownRow]]:
    """`staff` is how many could perform a service."""
    move, on_sale = context.translate(N_("Move %(name)s")), context.translate(N_("On sale: %(name)s"))
    minutes, from_ = context.translate(N_("%(minutes)s min")), context.translate(N_("from %(time)s"))
    of_staff = context.translate(N_("%(num)s of %(of)s"))
    localized, amount, tenant_id = context.format.localized, context.format.amount, context.tenant_id

    def shown(row: CatalogueRow) -> ShownRow:
        name = localized(row.name)
        lowest, highest = row.prices
        shortest, longest = row.durations
        duration = minutes % {"minutes": shortest}
        has_usual = row.offer_price is not None and not row.option_prices
        return ShownRow(
            row.id,
            row.kind,
            row.status,
            name,
            _other_names(row.name, name),
            move % {"name": name},
            on_sale % {"name": name},
            f"/pictures/{tenant_id}/{row.picture_id}?size=small" if row.picture_id else None,
            from_ % {"time": duration} if shortest != longest else duration,
            row.stock,
            row.is_low,
            of_staff % {"num": row.performers, "of": staff},
            row.contents,
            amount(row.price) if has_usual else None,
            amount(lowest),
            lowest != highest,
            row.is_broken,
            row.is_unsold,
        )

    return lambda rows: map(shown, rows)


def _other_names(names: Names, shown: str) -> tuple[tuple[str, str], ...]:
    return tuple((language, name) for language, name in names.items() if name != shown)
