"""One item: the form, copying, deleting, and the stock of a product."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.queries.stored_data import StoredData
from frontdesk.auth.types import Role
from frontdesk.catalog.edit_queries import item_in_use
from frontdesk.catalog.item_acts import CopyItem, DeleteItem
from frontdesk.catalog.move_stock import ManualReason, MoveStock
from frontdesk.catalog.page_queries import catalogue_choices, find_edited_item, find_edited_package, list_movements
from frontdesk.catalog.page_types import Choices, EditedItem, Movements, Names
from frontdesk.catalog.save_item import SaveItem
from frontdesk.catalog.types import ItemType
from frontdesk.http.field_types import Integer, PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found, or_not_found
from frontdesk.ui.catalog.item_form import (
    ITEM_FIELDS,
    TAX_IS_ADDED,
    ItemForm,
    OneTimeForm,
    named,
    only_branch,
    option_rows,
    performer_rows,
)
from frontdesk.ui.catalog.labels import ONE_KIND, REASONS
from frontdesk.ui.catalog.packages import render_package
from frontdesk.ui.catalog.pages import PATH
from frontdesk.ui.catalog.price_labels import charged
from frontdesk.ui.shell.application_panels import find_stored_data
from frontdesk.ui.shell.barcode_svg import draw_barcode
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import ANY_ROLE, MANAGERS
from frontdesk.ui.shell.pictures import PICTURE_FORM_BODY, uploaded_picture
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.barcodes import EAN_DIGITS, check_digit
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import PageRequest

pages = Pages()
_WARNING_DAYS = 14  # before the stock runs out
MOVEMENTS_PER_PAGE = 10
_FIRST = PageRequest(1, MOVEMENTS_PER_PAGE)


class NewQuery(msgspec.Struct):
    type: Literal["service", "product", "package"] = "service"
    category: UUID | None = None


class ItemQuery(msgspec.Struct):
    page: PageNumber = 1  # of the movements


class StockQuery(msgspec.Struct):
    reason: ManualReason = "delivery"


class StockForm(msgspec.Struct):
    id: UUID
    reason: ManualReason
    quantity: Integer | None = None
    option: UUID | None = None
    note: Annotated[str, Meta(max_length=255)] | None = None


@pages.get(f"{PATH}/new", MANAGERS)
async def show_new_item(context: PageContext, query: NewQuery | None = None) -> Response:
    """Also shows the form again; then its type is that of the submitted form."""
    query = query or NewQuery("product" if context.form.value("type") == "product" else "service")
    choices = await context.fetch(catalogue_choices(with_items=query.type == "package"))
    if query.type == "package":
        return render_package(context, None, choices)
    return _render_item(context, None, ItemType(query.type), choices, category_id=query.category)


@pages.get(f"{PATH}/{{item_id}}", ANY_ROLE)
async def show_item(context: PageContext, item_id: UUID, query: ItemQuery | None = None) -> Response:
    page_request = PageRequest((query or ItemQuery()).page, MOVEMENTS_PER_PAGE)
    async with context.connection() as conn:
        item = await fetch(conn, context.tenant_id, find_edited_item(item_id))
        package = await fetch(conn, context.tenant_id, find_edited_package(item_id)) if item is None else None
        if _is_hidden(context, item):
            raise not_found("item")
        choices = await fetch(conn, context.tenant_id, catalogue_choices(with_items=package is not None))
        movements = None
        if item is not None and item.type is ItemType.PRODUCT:
            movements = await fetch(conn, context.tenant_id, list_movements(item_id, page_request))
        stored_data = await find_stored_data(context, conn, "item", item_id) if package is None else ()
    if package is not None:
        return render_package(context, package, choices)
    if item is None:
        raise not_found("item")
    return _render_item(
        context, item, item.type, choices, movements=movements, page=page_request, stored_data=stored_data
    )


def _is_hidden(context: PageContext, item: EditedItem | None) -> bool:
    """Providers see services only."""
    return context.role is Role.PROVIDER and (item is None or item.type is not ItemType.SERVICE)


def _render_item(
    context: PageContext,
    item: EditedItem | None,
    type_: ItemType,
    choices: Choices,
    *,
    category_id: UUID | None = None,
    movements: Movements | None = None,
    page: PageRequest = _FIRST,
    stored_data: Sequence[StoredData] = (),
) -> Response:
    return context.render(
        "catalogue_item.html",
        item=item,
        type=type_.value,
        kind=ONE_KIND[type_],
        form_id=item.id if item else uuid7(),
        once=uuid7(),
        options=option_rows(context, item),
        performers=performer_rows(context, item, choices.staff) if type_ is ItemType.SERVICE else [],
        choices=choices,
        price_help=_price_help(context, item, choices),
        categories=named(context, choices.categories, N_("None")),
        tax_classes=named(context, choices.tax_classes, N_("The usual one")),
        branches=named(context, choices.branches),
        drawing=draw_barcode(item.barcode) if item and item.barcode else "",
        check_digit=_check_digit(item),
        reasons=REASONS,
        category_id=category_id,
        movements=movements,
        stored_data=stored_data,
        running_out=list(_running_out(item, movements)),
        movements_link=lambda page: f"?page={page}#movements",
        page=page.page,
        first=page.offset + 1,
    )


def _price_help(context: PageContext, item: EditedItem | None, choices: Choices) -> str:
    """What is entered here and what customers pay differ where tax is added on top."""
    if choices.prices_include_tax:
        return ""
    if item is None:
        return context.translate(TAX_IS_ADDED)
    price = context.format.price(charged(item, item.price, context.tenant.currency_decimals))
    return context.translate(N_("Without tax, as all prices here. The customer pays %(price)s.")) % {"price": price}


def _running_out(item: EditedItem | None, movements: Movements | None) -> Iterator[tuple[Names, int]]:
    """What is sold out or will be soon, with the days that are left."""
    if item is None or movements is None or not item.status:
        return
    rows: list[tuple[Names, int | None]] = [
        (option.name, movements.days_left(option.quantity, option.id)) for option in item.options if option.is_active
    ]
    for name, days in rows or [(item.name, movements.days_left(item.stock))]:
        if days is not None and days <= _WARNING_DAYS:
            yield name, days


def _check_digit(item: EditedItem | None) -> str | None:
    """The right one, for a barcode that has the length of an EAN-13."""
    code = (item.barcode if item else None) or ""
    is_number = code.isascii() and code.isdigit() and len(code) == EAN_DIGITS
    return str(check_digit(code[:-1])) if is_number else None


@pages.post(f"{PATH}/new", MANAGERS, on_error=show_new_item, max_body=PICTURE_FORM_BODY, fields=ITEM_FIELDS)
async def create_item(context: PageContext, form: ItemForm) -> Response:
    form.version = None
    path = await _save(context, form, None)
    return context.redirect(context.next_in_setup or path, flash=N_("Item added."))


@pages.post(f"{PATH}/{{item_id}}", MANAGERS, on_error=show_item, max_body=PICTURE_FORM_BODY, fields=ITEM_FIELDS)
async def change_item(context: PageContext, item_id: UUID, form: ItemForm) -> Response:
    form.id, form.version = item_id, form.version or 0
    item = or_not_found(await context.fetch(find_edited_item(item_id)), "item")
    return context.redirect(await _save(context, form, item), flash=N_("Saved."))


async def _save(context: PageContext, form: ItemForm, item: EditedItem | None) -> str:
    picture_id = await uploaded_picture(context, form, item.picture_id if item else None)
    branch_id = form.branch or (item.branch_id if item else None) or await only_branch(context)
    act, path = SaveItem(form.entry(branch_id, picture_id)), f"{PATH}/{form.id}"
    if item is None:
        return await submit(context, act, once=form.id, then=path)
    await context.run(act)
    return path


@pages.post(f"{PATH}/{{item_id}}/copy", MANAGERS)
async def copy_item(context: PageContext, item_id: UUID, form: OneTimeForm) -> Response:
    path = await submit(context, CopyItem(item_id, form.id), once=form.id, then=f"{PATH}/{form.id}")
    return context.redirect(path, flash=N_("This is the copy. It is off sale until you put it on sale."))


@pages.get(f"{PATH}/{{item_id}}/delete", MANAGERS)
async def confirm_deletion(context: PageContext, item_id: UUID) -> Response:
    use = await context.fetch(item_in_use(item_id))
    if use.version is None:
        raise not_found("item")
    return context.render(
        "catalogue_delete.html",
        name=context.format.localized(use.name),
        use=use,
        packages=[context.format.localized(name) for name in use.packages],
        here=f"{PATH}/{item_id}",
        act=f"{PATH}/{item_id}/delete",
        form_id=uuid7(),
        kind="item",
    )


@pages.post(f"{PATH}/{{item_id}}/delete", MANAGERS, on_error=confirm_deletion)
async def delete_item(context: PageContext, item_id: UUID, form: OneTimeForm) -> Response:
    path = await submit(context, DeleteItem(item_id), once=form.id, then=PATH)
    return context.redirect(path, flash=N_("Deleted."))


@pages.get(f"{PATH}/{{item_id}}/stock", MANAGERS)
async def show_stock_form(context: PageContext, item_id: UUID, query: StockQuery | None = None) -> Response:
    item = await context.fetch(find_edited_item(item_id))
    if item is None or item.type is not ItemType.PRODUCT:
        raise not_found("product")
    counted = [option for option in item.options if option.quantity is not None]
    if item.stock is None and not counted:
        return context.redirect(f"{PATH}/{item_id}", flash=N_("It is not counted yet. Enter its opening stock."))
    return context.render(
        "catalogue_stock.html",
        item=item,
        counted=counted,
        chosen=(query or StockQuery()).reason,
        form_id=uuid7(),
        here=f"{PATH}/{item_id}",
    )


@pages.post(f"{PATH}/{{item_id}}/stock", MANAGERS, on_error=show_stock_form, fields={"option_id": "option"})
async def change_stock(context: PageContext, item_id: UUID, form: StockForm) -> Response:
    if form.quantity is None and form.reason != "uncounted":
        raise page_problem(N_("Enter a number."), "quantity")
    act = MoveStock(item_id, form.option, form.reason, form.quantity or 0, form.note)
    path = await submit(context, act, once=form.id, then=f"{PATH}/{item_id}#movements")
    return context.redirect(path, flash=N_("Stock changed."))
