"""Packages: contents in order, price, and what the customer saves."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.catalog.changes import PackageEntry, PartEntry, PriceEntry
from frontdesk.catalog.edit_queries import package_in_use
from frontdesk.catalog.item_acts import DeletePackage, copied_name
from frontdesk.catalog.page_queries import catalogue_choices, find_edited_package
from frontdesk.catalog.page_types import Choices, EditedPackage, PackagePart
from frontdesk.catalog.save_package import SavePackage, share_price
from frontdesk.http.field_types import EnteredAmount, Integer
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found, or_not_found
from frontdesk.ui.catalog.item_form import (
    MAX_ROWS,
    TAX_IS_ADDED,
    OneTimeForm,
    SoldFields,
    amount_of,
    named,
    only_branch,
)
from frontdesk.ui.catalog.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.pictures import PICTURE_FORM_BODY, uploaded_picture
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_FIELDS = {
    "branch_id": "branch",
    "tax_class_id": "tax_class",
    "contents.#.item_id": "part.#",
    "contents.#.quantity": "quantity.#",
}
_PACKAGES = f"{PATH}/packages"


class PackageForm(SoldFields, kw_only=True):
    """`part` and `quantity` have one entry a row; a row without an item is empty."""

    part: Annotated[list[UUID | None], Meta(max_length=MAX_ROWS)] = msgspec.field(default_factory=list)
    quantity: Annotated[list[Integer | None], Meta(max_length=MAX_ROWS)] = msgspec.field(default_factory=list)
    percent_off: EnteredAmount | None = None
    move_up: UUID | None = None
    drop_part: UUID | None = None

    def parts(self) -> tuple[PartEntry, ...]:
        if len(self.part) != len(self.quantity):
            raise page_problem(N_("The rows of the form do not match. Reload the page."))
        rows = zip(self.part, self.quantity, strict=True)
        found = [PartEntry(id_, quantity or 1) for id_, quantity in rows if id_ and id_ != self.drop_part]
        index = next((n for n, entry in enumerate(found) if entry.item_id == self.move_up), 0)
        if index:
            found[index - 1], found[index] = found[index], found[index - 1]
        return tuple(found)


class PartRow(NamedTuple):
    """One line of the contents, with what it costs alone and its share of the price."""

    item_id: str
    quantity: str
    part: PackagePart | None = None
    alone: Decimal = Decimal(0)
    share: Decimal = Decimal(0)
    offset: str = "0"  # in percent of the whole, for the drawing
    width: str = "0"


def render_package(context: PageContext, package: EditedPackage | None, choices: Choices) -> Response:
    rows = list(_part_rows(context, package))
    alone = sum((row.alone for row in rows), Decimal(0))
    price = Decimal(0) if package is None else package.charged
    return context.render(
        "catalogue_package.html",
        item=package,
        kind=N_("Package"),
        form_id=package.id if package else uuid7(),
        once=uuid7(),
        rows=[*rows, PartRow("", "1")],
        alone=alone,
        saved=alone - price,
        price_width=f"{_percent(min(price, alone), alone):.2f}",
        minutes=sum((row.part.duration or 0) * row.part.quantity for row in rows if row.part),
        services=sum(row.part.quantity for row in rows if row.part and row.part.duration),
        calendar_minutes=sum(
            (row.part.duration + row.part.buffers) * row.part.quantity for row in rows if row.part and row.part.duration
        ),
        choices=choices,
        price_help="" if choices.prices_include_tax else context.translate(TAX_IS_ADDED),
        branches=named(context, choices.branches),
        tax_classes=named(context, choices.tax_classes, N_("The usual one")),
        items=named(context, choices.items, "—"),
    )


def _part_rows(context: PageContext, package: EditedPackage | None) -> Iterator[PartRow]:
    stored = package.contents if package else []
    if context.form.values:
        quantities = context.form.values.get("quantity", [])
        for n, id_ in enumerate(context.form.values.get("part", [])):
            if id_:
                yield PartRow(id_, quantities[n] if n < len(quantities) else "1")
        return
    yield from _shared(stored, package.charged if package else Decimal(0), context.tenant.currency_decimals)


def _shared(parts: Sequence[PackagePart], price: Decimal, decimals: int) -> Iterator[PartRow]:
    alone = [part.price * part.quantity for part in parts]
    whole, before = sum(alone, Decimal(0)), Decimal(0)
    for part, amount, share in zip(parts, alone, share_price(price, alone, decimals), strict=True):
        offset, width = _percent(before, whole), _percent(amount, whole)
        yield PartRow(
            str(part.item_id), str(part.quantity), part, amount, share, f"{offset:.2f}", f"{max(width - 0.35, 0):.2f}"
        )
        before += amount


def _percent(part: Decimal, whole: Decimal) -> float:
    return float(part / whole * 100) if whole else 0.0


async def show_package(context: PageContext, package_id: UUID) -> Response:
    """The page of a package is that of an item, `/catalogue/{id}`; this shows its form again."""
    async with context.connection() as conn:
        package = await fetch(conn, context.tenant_id, find_edited_package(package_id))
        choices = await fetch(conn, context.tenant_id, catalogue_choices(with_items=True))
    if package is None:
        raise not_found("package")
    return render_package(context, package, choices)


async def show_new_package(context: PageContext) -> Response:
    choices = await context.fetch(catalogue_choices(with_items=True))
    return render_package(context, None, choices)


@pages.post(f"{_PACKAGES}/new", MANAGERS, on_error=show_new_package, max_body=PICTURE_FORM_BODY, fields=_FIELDS)
async def create_package(context: PageContext, form: PackageForm) -> Response:
    form.version = None
    return context.redirect(await _save(context, form, None), flash=N_("Package added."))


@pages.post(f"{_PACKAGES}/{{package_id}}", MANAGERS, on_error=show_package, max_body=PICTURE_FORM_BODY, fields=_FIELDS)
async def change_package(context: PageContext, package_id: UUID, form: PackageForm) -> Response:
    form.id, form.version = package_id, form.version or 0
    package = or_not_found(await context.fetch(find_edited_package(package_id)), "package")
    return context.redirect(await _save(context, form, package), flash=N_("Saved."))


async def _save(context: PageContext, form: PackageForm, package: EditedPackage | None) -> str:
    picture_id = await uploaded_picture(context, form, package.picture_id if package else None)
    entry = PackageEntry(
        id=form.id,
        version=form.version,
        branch_id=form.branch or (package.branch_id if package else None) or await only_branch(context),
        name=form.names(),
        description=form.descriptions(),
        price=form.prices(),
        contents=form.parts(),
        tax_class_id=form.tax_class,
        sku=form.sku,
        status=form.active,
        picture_id=picture_id,
        percent_off=amount_of(form.percent_off),
    )
    act, path = SavePackage(entry), f"{PATH}/{entry.id}"
    if package is None:
        return await submit(context, act, once=form.id, then=path)
    await context.run(act)
    return path


@pages.post(f"{_PACKAGES}/{{package_id}}/copy", MANAGERS)
async def copy_package(context: PageContext, package_id: UUID, form: OneTimeForm) -> Response:
    """The copy is off sale, without its code, which is unique, and without the picture."""
    package = or_not_found(await context.fetch(find_edited_package(package_id)), "package")
    entry = PackageEntry(
        id=form.id,
        version=None,
        branch_id=package.branch_id,
        name=copied_name(package.name),
        description=package.description or {},
        price=PriceEntry(package.price, package.offer_price, package.offer_from, package.offer_until),
        contents=tuple(PartEntry(part.item_id, part.quantity) for part in package.contents),
        tax_class_id=package.tax_class_id,
        status=False,
    )
    path = await submit(context, SavePackage(entry), once=form.id, then=f"{PATH}/{form.id}")
    return context.redirect(path, flash=N_("This is the copy. It is off sale until you put it on sale."))


@pages.get(f"{_PACKAGES}/{{package_id}}/delete", MANAGERS)
async def confirm_package_deletion(context: PageContext, package_id: UUID) -> Response:
    use = await context.fetch(package_in_use(package_id))
    if use.version is None:
        raise not_found("package")
    return context.render(
        "catalogue_delete.html",
        name=context.format.localized(use.name),
        use=use,
        packages=[],
        here=f"{PATH}/{package_id}",
        act=f"{_PACKAGES}/{package_id}/delete",
        form_id=uuid7(),
        kind="package",
    )


@pages.post(f"{_PACKAGES}/{{package_id}}/delete", MANAGERS, on_error=confirm_package_deletion)
async def delete_package(context: PageContext, package_id: UUID, form: OneTimeForm) -> Response:
    path = await submit(context, DeletePackage(package_id), once=form.id, then=PATH)
    return context.redirect(path, flash=N_("Deleted."))
