"""The page on which customers book by themselves: where, what, with whom, when, who."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.booking_page.choice import Choice, ChoiceQuery, Chosen, find_chosen, read_choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.details import new_token, start_value, token_text
from frontdesk.ui.booking_page.form_token import FormToken
from frontdesk.ui.booking_page.shared_page import shared_page
from frontdesk.ui.booking_page.turns import COMPUTING, consume_visit
from frontdesk.ui.booking_page.view import StepsData, StepsView, make_steps, read_steps
from frontdesk.ui.components.menu_queries import Menu, find_menu
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages(PublicContext)
PATH = "/book/{slug}"


class FormPage(NamedTuple):
    """What the page shows. `steps` is None while services and their options are being chosen."""

    menu: Menu
    choice: Choice
    chosen: list[Chosen]
    steps: StepsView | None


PlaceHold = Callable[[Connection, FormPage], Awaitable[datetime | None]]


@pages.get(PATH, PUBLIC)
async def show_booking_page(context: PublicContext, slug: str, query: ChoiceQuery) -> Response:
    await context.open_business(slug)
    choice = read_choice(query)
    if choice.services:
        consume_visit(context.tenant_id, context.request.address)
    return await render_page(context, choice, new_token())


async def render_page(
    context: PublicContext,
    choice: Choice,
    token: FormToken,
    *,
    place: PlaceHold | None = None,
    is_taken: bool = False,
    has_new_price: bool = False,
    asks_for_code: bool = False,
) -> Response:
    """No connection is held while the page is computed, and other requests go on between its two parts.

    What is read is decoded within the turn: of a large business that alone takes tens of milliseconds.
    """
    held_until = None
    async with COMPUTING.turn(context.tenant_id):
        async with context.connection() as conn:
            data = await _read_data(context, conn, choice, token.form_id)
        page = _make_page(context, data)
    if place is not None:
        held_until = await context.call(place, page)
    async with COMPUTING.turn(context.tenant_id):
        return show_page(
            context,
            page,
            token,
            held_until=held_until,
            is_taken=is_taken,
            has_new_price=has_new_price,
            asks_for_code=asks_for_code,
        )


def show_page(
    context: PublicContext,
    page: FormPage,
    token: FormToken,
    *,
    held_until: datetime | None = None,
    is_taken: bool = False,
    has_new_price: bool = False,
    asks_for_code: bool = False,
) -> Response:
    # Without the time: it is held for this form, and addresses are shared.
    context.show_choice(page.choice._replace(time=None).query)
    if page.steps is None:
        return context.render(
            "public_menu.html",
            menu=page.menu,
            branch=page.menu.branch,
            choice=page.choice,
            chosen=page.chosen,
            shared=shared_page(context, page.menu),
        )
    return context.render(
        "public_booking.html",
        menu=page.menu,
        branch=page.menu.branch,
        choice=page.choice,
        chosen=page.chosen,
        steps=page.steps,
        token=token_text(context, token),
        held_until=held_until,
        is_taken=is_taken or page.steps.is_taken,
        has_new_price=has_new_price,
        asks_for_code=asks_for_code,
        start_value=start_value,
    )


class _PageData(NamedTuple):
    menu: Menu
    choice: Choice
    chosen: list[Chosen]
    steps: StepsData | None


async def _read_data(context: PublicContext, conn: Connection, choice: Choice, form_id: UUID) -> _PageData:
    menu = await fetch(conn, context.tenant_id, find_menu(choice.branch_id))
    choice, chosen = find_chosen(choice, menu)
    steps = None
    if chosen and menu.branch and not choice.is_adding and not any(service.needs_option for service in chosen):
        steps = await read_steps(context, conn, menu.branch.id, choice, form_id)
    return _PageData(menu, choice, chosen, steps)


def _make_page(context: PublicContext, data: _PageData) -> FormPage:
    menu, choice, chosen, steps = data
    if steps is None:
        return FormPage(menu, choice, chosen, None)
    return FormPage(menu, choice, chosen, make_steps(context, menu, choice, chosen, steps))


async def read_page(context: PublicContext, conn: Connection, choice: Choice, form_id: UUID) -> FormPage:
    return _make_page(context, await _read_data(context, conn, choice, form_id))


@pages.get(PATH + "/privacy", PUBLIC)
async def show_privacy(context: PublicContext, slug: str) -> Response:
    await context.open_business(slug, must_be_open=False)
    return context.render("public_privacy.html")


@pages.get(PATH + "/brand.css", PUBLIC)
async def show_brand(context: PublicContext, slug: str) -> Response:
    """The one colour of the business; public.css derives the others from it."""
    business = await context.open_business(slug, must_be_open=False)
    rule = f":root {{ --brand: {business.accent}; }}\n" if business.accent else "\n"
    headers = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff"}
    return Response(rule.encode(), 200, headers, "text/css; charset=utf-8")
