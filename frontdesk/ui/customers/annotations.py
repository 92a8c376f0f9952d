"""Notes, tags, consent and the block of a customer."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.customers.annotate import (
    AddCustomerNote,
    ChangeCustomerNote,
    DeleteCustomerNote,
    RecordConsent,
    TagCustomer,
    UntagCustomer,
    WithdrawConsent,
)
from frontdesk.customers.change import BlockCustomer, CustomerAct, UnblockCustomer
from frontdesk.customers.types import ConsentChannel
from frontdesk.http.field_types import LongText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.customers.pages import PATH, read_card, show_customer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import ANY_ROLE, CASHIERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_CARD = f"{PATH}/{{customer_id}}"
_TagName = Annotated[str, Meta(max_length=50)]


class NoteForm(msgspec.Struct):
    id: UUID
    text: LongText | None = None
    is_warning: bool = False


class WarningForm(msgspec.Struct):
    is_warning: bool = False


class TagForm(msgspec.Struct):
    tag: _TagName | None = None


class ConsentForm(msgspec.Struct):
    how: ConsentChannel


class BlockForm(msgspec.Struct):
    reason: LongText | None = None


@pages.post(f"{_CARD}/notes", ANY_ROLE, on_error=show_customer)
async def add_note(context: PageContext, customer_id: UUID, form: NoteForm) -> Response:
    """A provider may add notes to the customers that they see."""
    async with context.connection() as conn:
        await read_card(context, conn, customer_id)
    if not form.text:
        raise page_problem(N_("Write a note."), "text")
    act = AddCustomerNote(customer_id, form.text, form.is_warning)
    path = await submit(context, act, once=form.id, then=f"{PATH}/{customer_id}")
    return context.redirect(path, flash=N_("Note added."))


@pages.post(f"{_CARD}/notes/{{note_id}}/warning", CASHIERS, on_error=show_customer)
async def change_note(context: PageContext, customer_id: UUID, note_id: UUID, form: WarningForm) -> Response:
    await context.run(ChangeCustomerNote(note_id, form.is_warning, customer_id=customer_id))
    return context.redirect(f"{PATH}/{customer_id}", flash=N_("Saved."))


@pages.post(f"{_CARD}/notes/{{note_id}}/delete", CASHIERS, on_error=show_customer)
async def delete_note(context: PageContext, customer_id: UUID, note_id: UUID) -> Response:
    await context.run(DeleteCustomerNote(note_id, customer_id=customer_id))
    return context.redirect(f"{PATH}/{customer_id}", flash=N_("Note deleted."))


@pages.post(f"{_CARD}/tags", CASHIERS, on_error=show_customer)
async def add_tag(context: PageContext, customer_id: UUID, form: TagForm) -> Response:
    if not form.tag:
        raise page_problem(N_("Enter a tag."), "tag")
    return await _run(context, TagCustomer(customer_id, form.tag), N_("Tag added."))


@pages.post(f"{_CARD}/tags/{{tag_id}}/remove", CASHIERS, on_error=show_customer)
async def remove_tag(context: PageContext, customer_id: UUID, tag_id: UUID) -> Response:
    return await _run(context, UntagCustomer(customer_id, tag_id), N_("Tag removed."))


@pages.post(f"{_CARD}/consent", CASHIERS, on_error=show_customer)
async def record_consent(context: PageContext, customer_id: UUID, form: ConsentForm) -> Response:
    return await _run(context, RecordConsent(customer_id, form.how), N_("Consent recorded."))


@pages.post(f"{_CARD}/consent/withdraw", CASHIERS, on_error=show_customer)
async def withdraw_consent(context: PageContext, customer_id: UUID) -> Response:
    return await _run(context, WithdrawConsent(customer_id), N_("Consent withdrawn."))


@pages.get(f"{_CARD}/block", CASHIERS)
async def show_block(context: PageContext, customer_id: UUID) -> Response:
    async with context.connection() as conn:
        card = await read_card(context, conn, customer_id)
    return context.render("customer_block.html", customer=card)


@pages.post(f"{_CARD}/block", CASHIERS, on_error=show_block)
async def block(context: PageContext, customer_id: UUID, form: BlockForm) -> Response:
    if not form.reason:
        raise page_problem(N_("Say why, for your colleagues."), "reason")
    return await _run(context, BlockCustomer(customer_id, form.reason), N_("Customer blocked."))


@pages.post(f"{_CARD}/unblock", CASHIERS, on_error=show_customer)
async def unblock(context: PageContext, customer_id: UUID) -> Response:
    return await _run(context, UnblockCustomer(customer_id), N_("Customer unblocked."))


async def _run(context: PageContext, act: CustomerAct, flash: str) -> Response:
    await context.run(act)
    return context.redirect(f"{PATH}/{act.customer_id}", flash=flash)
