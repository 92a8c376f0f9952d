"""The page on which customers book by themselves: where, what, with whom, when, who."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.booking_page.calendar_links import map_link
from frontdesk.ui.booking_page.choice import Choice, ChoiceQuery, Chosen, find_chosen, question_of, read_choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.details import new_token, start_value, token_text
from frontdesk.ui.booking_page.form_token import FormToken
from frontdesk.ui.booking_page.full_day import Instead, find_instead
from frontdesk.ui.booking_page.shared_page import shared_page
from frontdesk.ui.booking_page.turns import COMPUTING, consume_visit
from frontdesk.ui.booking_page.view import StepsData, StepsView, make_steps, read_steps
from frontdesk.ui.components.menu_queries import Menu, find_menu
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.whatsapp import whatsapp_link
from frontdesk.waiting_list.join import MAX_SERVICES

pages = Pages(PublicContext)
PATH = "/book/{slug}"


class FormPage(NamedTuple):
    """What the page shows. `steps` is None while services and their options are being chosen."""

    menu: Menu
    choice: Choice
    chosen: list[Chosen]
    steps: StepsView | None
    instead: Instead | None = None  # of a day without a free time


PlaceHold = Callable[[Connection, FormPage], Awaitable[datetime | None]]


@pages.get(PATH, PUBLIC)
async def show_booking_page(context: PublicContext, slug: str, query: ChoiceQuery) -> Response:
    await context.open_business(slug)
    choice = read_choice(query)
    if choice.services:
        consume_visit(context.tenant_id, context.request.address)
    return await render_page(context, choice, new_token())


class Answer(NamedTuple):
    """What a form was answered with."""

    is_taken: bool = False
    has_new_price: bool = False
    asks_for_code: bool = False


_NO_ANSWER = Answer()


async def render_page(
    context: PublicContext,
    choice: Choice,
    token: FormToken,
    answer: Answer = _NO_ANSWER,
    *,
    place: PlaceHold | None = None,
) -> Response:
    """No connection is held while the page is computed, and other requests go on between its two parts.

    What is read is decoded within the turn: of a large business that alone takes tens of milliseconds.
    """
    held_until = None
    async with COMPUTING.turn(context.tenant_id):
        async with context.connection() as conn:
            data = await _read_data(context, conn, choice, token.form_id)
        page = _make_page(context, data, is_taken=answer.is_taken)
        if page.menu.branch and page.steps and page.steps.when:
            instead = await find_instead(context, page.menu.branch.id, page.choice, token.form_id, page.steps.when)
            page = page._replace(instead=instead)
    if place is not None:
        held_until = await context.call(place, page)
    async with COMPUTING.turn(context.tenant_id):
        return show_page(context, page, token, answer, held_until=held_until)


def show_page(
    context: PublicContext,
    page: FormPage,
    token: FormToken,
    answer: Answer = _NO_ANSWER,
    *,
    held_until: datetime | None = None,
) -> Response:
    # Without the time: it is held for this form, and addresses are shared.
    context.show_choice(page.choice._replace(time=None).query)
    values: dict[str, Any] = {
        "menu": page.menu,
        "branch": page.menu.branch,
        "choice": page.choice,
        "chosen": page.chosen,
    }
    if page.steps is None:
        branch = page.menu.branch
        return context.render(
            "public_menu.html",
            **values,
            shared=shared_page(context, page.menu),
            map_link=map_link(branch) if branch else None,
            whatsapp_link=whatsapp_link(branch.phone) if branch else None,
        )
    question = "who" if page.steps.who else "when" if page.steps.when else "you"
    return context.render(
        f"public_{question}.html",
        **values,
        question=question,
        steps=page.steps,
        instead=page.instead,
        token=token_text(context, token),
        held_until=held_until,
        answer=answer,
        start_value=start_value,
        most_waiting=MAX_SERVICES,
    )


class _PageData(NamedTuple):
    menu: Menu
    choice: Choice
    chosen: list[Chosen]
    steps: StepsData | None


async def _read_data(context: PublicContext, conn: Connection, choice: Choice, form_id: UUID) -> _PageData:
    menu = await fetch(conn, context.tenant_id, find_menu(choice.branch_id, context.language))
    choice, chosen = find_chosen(choice, menu)
    steps = None
    if menu.branch and question_of(choice, chosen) != "what":
        steps = await read_steps(context, conn, menu.branch.id, choice, form_id)
    return _PageData(menu, choice, chosen, steps)


def _make_page(context: PublicContext, data: _PageData, *, is_taken: bool) -> FormPage:
    menu, choice, chosen, steps = data
    if steps is None:
        return FormPage(menu, choice, chosen, None)
    return FormPage(menu, choice, chosen, make_steps(context, menu, choice, chosen, steps, is_taken=is_taken))


async def read_page(context: PublicContext, conn: Connection, choice: Choice, form_id: UUID) -> FormPage:
    return _make_page(context, await _read_data(context, conn, choice, form_id), is_taken=False)


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
