"""The settings of the business: details, booking rules, tax and invoices, logo and colour."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.http.field_types import DAYS, HOURS, PERCENT, EnteredTaxNumber, FilterText, ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.tenants.settings import UpdateSettings, update_settings
from frontdesk.tenants.settings_queries import BusinessSettings, settings_to_change
from frontdesk.tenants.tax_class_queries import is_tax_unanswered, list_tax_classes
from frontdesk.ui.business.tax_classes import listed_classes
from frontdesk.ui.components.look.colours import COLOURS, OWN_COLOUR, chosen_colour
from frontdesk.ui.components.look.shown_services import first_services
from frontdesk.ui.components.tenant_choices import (
    GRIDS,
    country_choices,
    currency_choices,
    language_choices,
    with_current,
    zone_choices,
)
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.pictures import PICTURE_FORM_BODY, uploaded_picture
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.text import by_language

pages = Pages()
PATH = "/settings/business"
_Hours = Annotated[int, Meta(ge=0, le=8760, extra=HOURS)]


class BusinessForm(msgspec.Struct):
    version: int
    name: ShortText
    slug: ShortText
    country: str
    timezone: str
    languages: ShortText  # codes with commas
    grid_minutes: Annotated[int, Meta(ge=1, le=1440)]
    notice_hours: _Hours
    horizon_days: Annotated[int, Meta(ge=1, le=730, extra=DAYS)]
    cancellation_hours: _Hours
    deposit_percent: Annotated[int, Meta(ge=0, le=100, extra=PERCENT)]
    prices: str
    move_times: Literal["yes"] | None = None  # coming bookings may be shown at other times
    currency: str | None = None  # missing where it cannot be changed
    tax_number: EnteredTaxNumber | None = None
    note_en: Annotated[str, Meta(max_length=500)] = ""
    note_ar: Annotated[str, Meta(max_length=500)] = ""
    colour: FilterText = OWN_COLOUR
    accent: Annotated[str, Meta(max_length=20)] | None = None
    shown_name_en: FilterText = ""
    shown_name_ar: FilterText = ""
    picture: bytes = b""
    remove_picture: bool = False


@pages.get(PATH, MANAGERS)
async def show_business(context: PageContext) -> Response:
    async with context.connection() as conn:
        loaded = await fetch(conn, context.tenant_id, settings_to_change())
        classes = await list_tax_classes(conn, context.tenant_id)
        is_unanswered = await is_tax_unanswered(conn, context.tenant_id)
        page = await fetch(conn, context.tenant_id, tenant_booking_page())
        services = await first_services(context, conn)
    settings, language = loaded.settings, context.language
    return context.render(
        "business.html",
        settings=settings,
        earlier_slugs=loaded.earlier_slugs,
        version=loaded.version,
        may_change_currency=context.has_access(OWNERS) and not loaded.has_sales,
        has_sales=loaded.has_sales,
        colours=COLOURS,
        page=page,
        services=services,
        classes=listed_classes(context, classes),
        is_tax_unanswered=is_unanswered,
        countries=with_current(country_choices(language), settings.country),
        zones=with_current(zone_choices(context.language), settings.timezone),
        currencies=with_current(currency_choices(language), settings.currency),
        languages=with_current(language_choices(context.language), ",".join(settings.languages)),
        grids=with_current([(str(minutes), str(minutes)) for minutes in GRIDS], str(settings.grid_minutes)),
    )


@pages.post(PATH, MANAGERS, on_error=show_business, max_body=PICTURE_FORM_BODY, fields={"names": "shown_name"})
async def submit_business(context: PageContext, form: BusinessForm) -> Response:
    current = (await context.fetch(settings_to_change())).settings
    logo_id = await uploaded_picture(context, form, current.logo_id)
    new = BusinessSettings(
        name=form.name,
        names=by_language(form.shown_name_en, form.shown_name_ar),
        slug=form.slug.lower(),
        country=form.country or None,
        timezone=form.timezone,
        currency=form.currency or current.currency,
        languages=form.languages.split(","),
        grid_minutes=form.grid_minutes,
        notice_hours=form.notice_hours,
        horizon_days=form.horizon_days,
        cancellation_hours=form.cancellation_hours,
        deposit_percent=form.deposit_percent,
        prices_include_tax=form.prices == "included",
        tax_registration_number=form.tax_number.digits if form.tax_number else None,
        invoice_note=by_language(form.note_en, form.note_ar),
        accent=chosen_colour(form.colour, form.accent),
        logo_id=logo_id,
    )
    act = UpdateSettings(new, form.version, context.has_access(OWNERS), form.move_times is not None)
    await context.call(update_settings, context.tenant, act, context.actor)
    return context.redirect(PATH, flash=N_("Saved."))
