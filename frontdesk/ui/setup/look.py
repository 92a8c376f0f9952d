"""The last step of the start: the colour and the address of the booking page. Then it can be shared."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.http.field_types import FilterText, ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.tenants.queries import taken_slugs
from frontdesk.tenants.register import SLUG, latin_words
from frontdesk.tenants.settings import UpdateSettings, update_settings
from frontdesk.tenants.settings_queries import BusinessSettings, settings_to_change
from frontdesk.tenants.setup_queries import hide_setup
from frontdesk.ui.components.look.colours import COLOURS, OWN_COLOUR, chosen_colour
from frontdesk.ui.components.look.qr import qr_markup
from frontdesk.ui.setup.start import PATH, TradeQuery, read_state, render_step, trade_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.whatsapp import share_link

pages = Pages()
_MAX_IDEAS = 3
_GREETING = N_("You can now book at %(name)s yourself: %(address)s")


class LookForm(msgspec.Struct):
    version: int
    slug: ShortText
    kind: str = ""
    colour: FilterText = OWN_COLOUR
    accent: Annotated[str, Meta(max_length=20)] | None = None


@pages.get(f"{PATH}/look", MANAGERS)
async def show_look(context: PageContext, query: TradeQuery | None = None) -> Response:
    state = await read_state(context)
    loaded = await context.fetch(settings_to_change())
    return await render_step(
        context,
        "look",
        trade_of(context, query),
        state,
        version=loaded.version,
        settings=loaded.settings,
        colours=COLOURS,
        ideas=await context.call(_free_ideas, loaded.settings),
        site=f"{context.request.origin}/book/",
    )


async def _free_ideas(conn: Connection, settings: BusinessSettings) -> list[str]:
    """Other addresses that nobody has: the names, their first word, their words in reverse, with the country."""
    ideas: list[str] = []
    for name in (*settings.names.values(), settings.name):
        words = latin_words(name).split("-")
        ideas += [
            "-".join(words),
            words[0],
            "-".join(reversed(words)),
            f"{words[0]}-{(settings.country or '').lower()}",
        ]
    proper = [idea for idea in dict.fromkeys(ideas) if SLUG.fullmatch(idea) and idea != settings.slug]
    taken = await taken_slugs(conn, proper)
    return [idea for idea in proper if idea not in taken][:_MAX_IDEAS]


@pages.post(f"{PATH}/look", MANAGERS, on_error=show_look)
async def submit_look(context: PageContext, form: LookForm) -> Response:
    await context.call(_save, context, form)
    state = await read_state(context)
    if state.is_done and not context.current_tenant.is_set_up:
        await context.call(hide_setup, context.tenant_id, context.actor, is_done=True)
    return context.redirect(f"{PATH}/done")


async def _save(conn: Connection, context: PageContext, form: LookForm) -> None:
    current = (await fetch(conn, context.tenant_id, settings_to_change())).settings
    new = msgspec.structs.replace(current, slug=form.slug.lower(), accent=chosen_colour(form.colour, form.accent))
    act = UpdateSettings(new, form.version, context.has_access(OWNERS), may_move_times=False)
    await update_settings(conn, context.tenant, act, context.actor)


@pages.get(f"{PATH}/done", MANAGERS)
async def show_done(context: PageContext) -> Response:
    state = await read_state(context)
    page = await context.fetch(tenant_booking_page())
    name, address = page.names.get(context.language, page.name), page.address(context.request.origin)
    greeting = context.translate(_GREETING) % {"name": name, "address": address}
    return context.render(
        "start_done.html",
        state=state,
        page=page,
        name=name,
        address=address,
        greeting=greeting,
        share=share_link(greeting),
        qr=qr_markup(context, address),
    )
