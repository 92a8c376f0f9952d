"""Payment methods: which there are, their names, their order, and which are in use."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.payments.cashier_queries import list_cashiers
from frontdesk.payments.settings import (
    METHOD_TYPES,
    CreateTranslatedMethod,
    DeletePaymentMethod,
    OrderPaymentMethods,
    RenamePaymentMethod,
    SetPaymentMethodActive,
)
from frontdesk.payments.settings_queries import MethodRow, get_method, list_methods
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.text import by_language

pages = Pages()
PATH = "/settings/payment-methods"
TYPES = {
    "cash": N_("Cash"),
    "card": N_("Card"),
    "bank_transfer": N_("Bank transfer"),
    "voucher": N_("Voucher"),
    "other": N_("Other"),
    "third-party": N_("Application"),
}
Name = Annotated[str, Meta(max_length=80)]


class NamesForm(msgspec.Struct):
    name_en: Name = ""
    name_ar: Name = ""


class NewMethodForm(NamesForm):
    id: UUID = msgspec.field(default_factory=uuid7)
    type: str = "other"


class RenameForm(NamesForm):
    version: int = 0


class ActiveForm(msgspec.Struct):
    active: Literal["on", "off"]


class MovePaymentMethodForm(msgspec.Struct):
    move: Literal["up", "down"]


@pages.get(PATH, MANAGERS)
async def show_methods(context: PageContext) -> Response:
    async with context.connection() as conn:
        methods = await list_methods(conn, context.tenant_id)
        cashiers = await list_cashiers(conn, context.tenant_id)
    return context.render("payment_methods.html", methods=methods, types=TYPES, cashiers=cashiers)


@pages.get(f"{PATH}/new", MANAGERS)
async def show_new_method(context: PageContext) -> Response:
    types = [(type_, context.translate(TYPES[type_])) for type_ in METHOD_TYPES]
    return context.render("payment_method_new.html", types=types, form_id=uuid7())


@pages.post(f"{PATH}/new", MANAGERS, on_error=show_new_method)
async def submit_new_method(context: PageContext, form: NewMethodForm) -> Response:
    names = _names(form) or _names_of_type(context, form.type)
    path = await submit(context, CreateTranslatedMethod(form.type, names), once=form.id, then=PATH)
    return context.redirect(path, flash=N_("Payment method created."))


async def _get(context: PageContext, method_id: UUID) -> MethodRow:
    return await context.fetch(get_method(method_id))


@pages.get(f"{PATH}/{{method_id}}", MANAGERS)
async def show_method(context: PageContext, method_id: UUID) -> Response:
    return context.render("payment_method.html", method=await _get(context, method_id), types=TYPES)


@pages.post(f"{PATH}/{{method_id}}", MANAGERS, on_error=show_method)
async def submit_rename(context: PageContext, method_id: UUID, form: RenameForm) -> Response:
    await context.run(RenamePaymentMethod(method_id, _names(form), form.version))
    return context.redirect(PATH, flash=N_("Payment method saved."))


@pages.post(f"{PATH}/{{method_id}}/active", MANAGERS, on_error=show_methods)
async def submit_active(context: PageContext, method_id: UUID, form: ActiveForm) -> Response:
    active = form.active == "on"
    await context.run(SetPaymentMethodActive(method_id, active))
    return context.redirect(PATH, flash=N_("Payment method is on.") if active else N_("Payment method is off."))


@pages.post(f"{PATH}/{{method_id}}/move", MANAGERS, on_error=show_methods)
async def submit_move(context: PageContext, method_id: UUID, form: MovePaymentMethodForm) -> Response:
    await context.run(OrderPaymentMethods(method_id, form.move))
    return context.redirect(PATH)


@pages.get(f"{PATH}/{{method_id}}/delete", MANAGERS)
async def confirm_method_deletion(context: PageContext, method_id: UUID) -> Response:
    return context.render("payment_method_delete.html", method=await _get(context, method_id))


@pages.post(f"{PATH}/{{method_id}}/delete", MANAGERS, on_error=confirm_method_deletion)
async def delete_method(context: PageContext, method_id: UUID) -> Response:
    await context.run(DeletePaymentMethod(method_id))
    return context.redirect(PATH, flash=N_("Payment method deleted."))


def _names_of_type(context: PageContext, type_: str) -> dict[str, str]:
    """In the languages of the business; "Other" says nothing about a payment method."""
    if type_ not in TYPES or type_ == "other":
        return {}
    return {language: translate(language, TYPES[type_]) for language in context.tenant.languages}


def _names(form: NamesForm) -> dict[str, str]:
    return by_language(form.name_en, form.name_ar)
