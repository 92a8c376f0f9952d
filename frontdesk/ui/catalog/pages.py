"""The catalogue: the list by category, and what can be done to an item from it."""

from typing import Literal, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role
from frontdesk.catalog.item_acts import MoveItem, SetItemStatus, SetPackageStatus
from frontdesk.catalog.list_queries import list_catalogue
from frontdesk.catalog.page_types import Catalogue, CatalogueFilter, CategoryRow, Kind, ListedRow
from frontdesk.http.field_types import FilterText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.catalog.labels import KINDS
from frontdesk.ui.catalog.rows import row_writer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import ANY_ROLE, MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest
from frontdesk.values.text import search_key

pages = Pages()
PATH = "/catalogue"
PER_PAGE = 100


class CatalogueQuery(msgspec.Struct):
    kind: Kind | None = None
    status: Literal["on", "off"] | None = None
    search: FilterText = ""
    category: UUID | None = None
    page: PageNumber = 1

    def filter(self, context: PageContext) -> CatalogueFilter:
        """Providers see services."""
        kinds = visible_kinds(context)
        if self.kind is not None:
            kinds = tuple(kind for kind in kinds if kind == self.kind)
        active = None if self.status is None else self.status == "on"
        return CatalogueFilter(kinds, active, search_key(self.search), self.search.strip(), self.category)

    def link(self, **changes: str | int | None) -> str:
        """A link to this list with changed filters, on the first page unless `page` is given."""
        parameters = {name: getattr(self, name) for name in self.__struct_fields__ if name != "page"} | changes
        query = {name: str(value) for name, value in parameters.items() if value not in (None, "", 1)}
        return f"{PATH}?{urlencode(query)}" if query else PATH


class StatusForm(msgspec.Struct):
    on_sale: Literal["yes", "no"]
    back: str = PATH

    @property
    def is_on_sale(self) -> bool:
        return self.on_sale == "yes"


class ReorderForm(msgspec.Struct):
    """`to` is "up", "down" or the id of the one that it comes before; empty for the end."""

    to: str = ""


class Group(NamedTuple):
    """Rows of one category, or of none under a title."""

    category: CategoryRow | None
    title: str
    rows: list[ListedRow]
    is_packages: bool = False


def visible_kinds(context: PageContext) -> tuple[Kind, ...]:
    return ("service",) if context.role is Role.PROVIDER else ("service", "product", "package")


@pages.get(PATH, ANY_ROLE)
async def show_catalogue(context: PageContext, query: CatalogueQuery) -> Response:
    page_request = PageRequest(query.page, PER_PAGE)
    found = await context.read_late(list_catalogue(query.filter(context), page_request))
    is_filtered = bool(query.kind or query.status or query.search or query.category)
    return context.render(
        "catalogue.html",
        found=found,
        groups=_groups(found, with_empty=not is_filtered),
        kinds={kind: KINDS[kind] for kind in visible_kinds(context)},
        query=query,
        first=page_request.offset + 1,
        is_filtered=is_filtered,
        written=row_writer(context, found.staff, may_move=context.is_manager and not is_filtered),
    )


def _groups(found: Catalogue, *, with_empty: bool) -> list[Group]:
    """The rows by category, in the order of the list; items without one and packages have groups of their own."""
    by_category: dict[str | None, list[ListedRow]] = {}
    for row in found.rows:
        by_category.setdefault(row.category_id, []).append(row)
    groups = [Group(category, "", by_category.get(category.id, [])) for category in found.categories]
    others = by_category.get(None, [])
    groups = [
        group for group in groups if group.rows or (with_empty and group.category and not group.category.item_count)
    ]
    for title, is_package in ((N_("Without category"), False), (N_("Packages"), True)):
        rows = [row for row in others if (row.kind == "package") == is_package]
        if rows:
            groups.append(Group(None, title, rows, is_package))
    return groups


@pages.post(f"{PATH}/{{item_id}}/status", MANAGERS)
async def set_status(context: PageContext, item_id: UUID, form: StatusForm) -> Response:
    """Takes effect at once and can be undone."""
    await context.run(SetItemStatus(item_id, form.is_on_sale))
    return _back(context, form)


@pages.post(f"{PATH}/packages/{{package_id}}/status", MANAGERS)
async def set_package_status(context: PageContext, package_id: UUID, form: StatusForm) -> Response:
    await context.run(SetPackageStatus(package_id, form.is_on_sale))
    return _back(context, form)


def _back(context: PageContext, form: StatusForm) -> Response:
    back = form.back if local_path(form.back).startswith(PATH) else PATH
    return context.redirect(back, flash=N_("On sale.") if form.is_on_sale else N_("Taken off sale."))


@pages.post(f"{PATH}/{{item_id}}/move", MANAGERS)
async def move(context: PageContext, item_id: UUID, form: ReorderForm) -> Response:
    await context.run(MoveItem(item_id, valid_place(form.to)))
    return context.redirect(f"{PATH}#i-{item_id}", flash=N_("Moved."))


def valid_place(to: str) -> str | None:
    if to in ("up", "down"):
        return to
    try:
        return str(UUID(to))
    except ValueError:
        return None
