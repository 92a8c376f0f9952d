"""All coming bookings of an e-mail address, and what it waits for, at a link that is sent to it."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.booking_page.list_link_queries import send_list_link
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.scheduling.customer_booking_queries import find_customer_bookings
from frontdesk.security.secrets import hash_secret
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.customer_booking import PERSONAL, WRONG_CODES
from frontdesk.ui.booking_page.form_token import write_waiting_token
from frontdesk.ui.components.part_of_day import PARTS
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.shell.scope_labels import SHOWN_FIELDS
from frontdesk.waiting_list.queries import waiting_of_email

pages = Pages(PublicContext)
PATH = "/book/{slug}/mine"
_LINKS_OF_ADDRESS = 10  # a minute
_ENTRIES_LISTED = 20


class ListQuery(msgspec.Struct):
    sent: Literal["1"] | None = None


class AddressForm(msgspec.Struct):
    email: Annotated[str, Meta(max_length=255)] = ""


@pages.get(PATH, PUBLIC)
async def show_customer_bookings(context: PublicContext, slug: str, query: ListQuery | None = None) -> Response:
    await context.open_business(slug, must_be_open=False)
    return _hidden(
        context.render("customer_bookings_request.html", is_sent=query is not None and query.sent is not None)
    )


@pages.post(PATH, PUBLIC, on_error=show_customer_bookings)
async def send_link(context: PublicContext, slug: str, form: AddressForm) -> Response:
    """The answer is the same whether the address has bookings or not."""
    await context.open_business(slug, must_be_open=False)
    email, box = form.email.strip(), context.request.resources.secret_box
    name, at, domain = email.partition("@")
    if not name or not at or "." not in domain or any(character.isspace() for character in email):
        raise page_problem(N_("Enter your e-mail address."), "email")
    sender = subject("bookings link address", address_prefix(context.request.address))
    async with context.connection() as conn:
        await consume_attempt_or_raise(conn, sender, _LINKS_OF_ADDRESS)
        path = f"/book/{context.business.slug}/mine"
        await send_list_link(conn, box, context.tenant_id, path, email, context.language)
    return context.redirect(context.link("/mine", sent=1))


@pages.get(PATH + "/{token}", PUBLIC)
async def show_listed(context: PublicContext, slug: str, token: str) -> Response:
    await context.open_business(slug, must_be_open=False)
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, find_customer_bookings(hash_secret(token), context.language))
        if found is None:
            guesser = subject("booking code", address_prefix(context.request.address))
            await consume_attempt_or_raise(conn, guesser, WRONG_CODES)
            raise not_found("page")
        entries = await fetch(
            conn, context.tenant_id, waiting_of_email(found.email, context.format.today, _ENTRIES_LISTED)
        )
    box = context.request.resources.secret_box
    return _hidden(
        context.render(
            "customer_bookings.html",
            email=found.email,
            bookings=found.bookings,
            waiting=[(entry, write_waiting_token(box, context.tenant_id, entry.id)) for entry in entries],
            parts=PARTS,
            readers=found.readers,
            shown_fields=SHOWN_FIELDS,
        )
    )


def _hidden(response: Response) -> Response:
    """From search engines, and from the next user of the computer."""
    response.headers.update(PERSONAL)
    return response
