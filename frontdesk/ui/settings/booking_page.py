"""The settings of the public page: whether it is shown, what it says, and which sites may show it."""

from typing import Annotated

import msgspec
from markupsafe import escape
from msgspec import Meta

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.booking_page.settings import SaveBookingPage, read_origins
from frontdesk.booking_page.types import BookingPage, PageSettings
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.invoices.page import qr_svg
from frontdesk.postgres.query import fetch
from frontdesk.ui.components.look.qr import qr_markup
from frontdesk.ui.components.menu_queries import find_menu
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.pictures import PICTURE_FORM_BODY, uploaded_picture
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.colours import text_on
from frontdesk.values.text import by_language

pages = Pages()
PATH = "/settings/booking-page"
_ACCENT = "#6b2d5c"
_Words = Annotated[str, Meta(max_length=500)]


class PageForm(msgspec.Struct):
    version: int
    shown: bool = False
    about_en: _Words = ""
    about_ar: _Words = ""
    picture: bytes = b""
    remove_picture: bool = False
    asks_for_code: bool = False
    customers_move: bool = False
    customers_cancel: bool = False
    payment_en: _Words = ""
    payment_ar: _Words = ""
    origins: Annotated[str, Meta(max_length=2000)] = ""


@pages.get(PATH, MANAGERS)
async def show_page_settings(context: PageContext) -> Response:
    async with context.connection() as conn:
        page = await fetch(conn, context.tenant_id, tenant_booking_page())
        menu = await fetch(conn, context.tenant_id, find_menu(None, context.language))
    address = page.address(context.request.origin)
    return context.render(
        "booking_page.html",
        page=page,
        settings=page.settings,
        address=address,
        is_empty=not menu.branches,
        qr=qr_markup(context, address),
        frame=_frame(address, page),
        button=_button(address, page, context.translate(N_("Book now"))),
    )


@pages.get(f"{PATH}/qr.svg", MANAGERS)
async def download_qr(context: PageContext) -> Response:
    page = await context.fetch(tenant_booking_page())
    address = page.address(context.request.origin)
    drawn = qr_svg(address, page.name).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    headers = {"content-disposition": f'attachment; filename="{page.slug}.svg"', "cache-control": "no-store"}
    return Response(drawn.encode(), 200, headers, "image/svg+xml")


@pages.post(PATH, MANAGERS, on_error=show_page_settings, max_body=PICTURE_FORM_BODY)
async def submit_page_settings(context: PageContext, form: PageForm) -> Response:
    origins = read_origins(form.origins)
    current = (await context.fetch(tenant_booking_page())).settings
    new = PageSettings(
        shown=form.shown,
        about=by_language(form.about_en, form.about_ar),
        cover_id=await uploaded_picture(context, form, current.cover_id),
        asks_for_code=form.asks_for_code,
        customers_move=form.customers_move,
        customers_cancel=form.customers_cancel,
        payment_instructions=by_language(form.payment_en, form.payment_ar),
        embedding_origins=origins,
    )
    await context.run(SaveBookingPage(new, form.version))
    return context.redirect(PATH, flash=N_("Saved."))


def _frame(address: str, page: BookingPage) -> str:
    """One line for the site of the business."""
    look = 'loading="lazy" width="100%" height="760" frameborder="0"'
    return f'<iframe src="{address}" title="{escape(page.name)}" {look}></iframe>'


def _button(address: str, page: BookingPage, text: str) -> str:
    """With its style inline, because the site has a stylesheet of its own."""
    colour = page.accent or _ACCENT
    style = (
        f"display:inline-block;padding:12px 24px;border-radius:8px;background:{colour};"
        f"color:{text_on(colour)};font:600 16px sans-serif;text-decoration:none"
    )
    return f'<a href="{address}" style="{style}">{escape(text)}</a>'
