"""The rows of the list of the catalogue, as it shows them."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from frontdesk.catalog.page_types import CatalogueRow, Kind, ListedRow, Names, read_row
from frontdesk.i18n.texts import N_, translate
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.rendering import row_macro
from frontdesk.values.tenant_context import TenantContext


class RowView(NamedTuple):
    """What the rows of a page have in common."""

    tenant: TenantContext
    language: str
    staff: int  # how many could perform a service
    may_edit: bool
    may_move: bool


class ShownRow(NamedTuple):
    """All that a row shows."""

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


def row_writer(
    context: PageContext, staff: int, *, may_move: bool
) -> Callable[[Sequence[ListedRow]], Iterator[Markup]]:
    view = RowView(context.tenant, context.language, staff, context.is_manager, may_move)
    return lambda rows: (_written(view, bytes(row.document)) for row in rows)


@lru_cache(maxsize=4096)
def _written(view: RowView, document: bytes) -> Markup:
    """A row that was shown before is neither read nor rendered again."""
    macro = row_macro(view.language, "catalogue_row.html")
    return macro(_shown(view, read_row(document)), view.may_edit, view.may_move, len(view.tenant.languages) > 1)


def _shown(view: RowView, row: CatalogueRow) -> ShownRow:
    format_, language = Formatter(view.language, view.tenant), view.language
    name = format_.localized(row.name)
    lowest, highest = row.prices
    shortest, longest = row.durations
    duration = translate(language, N_("%(minutes)s min")) % {"minutes": shortest}
    has_usual = row.offer_price is not None and not row.option_prices
    return ShownRow(
        row.id,
        row.kind,
        row.status,
        name,
        _other_names(row.name, name),
        translate(language, N_("Move %(name)s")) % {"name": name},
        translate(language, N_("On sale: %(name)s")) % {"name": name},
        f"/pictures/{view.tenant.tenant_id}/{row.picture_id}?size=small" if row.picture_id else None,
        translate(language, N_("from %(time)s")) % {"time": duration} if shortest != longest else duration,
        row.stock,
        row.is_low,
        translate(language, N_("%(num)s of %(of)s")) % {"num": row.performers, "of": view.staff},
        row.contents,
        format_.amount(row.price) if has_usual else None,
        format_.amount(lowest),
        lowest != highest,
        row.is_broken,
        row.is_unsold,
    )


def _other_names(names: Names, shown: str) -> tuple[tuple[str, str], ...]:
    return tuple((language, name) for language, name in names.items() if name != shown)
