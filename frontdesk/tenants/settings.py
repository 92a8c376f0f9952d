"""Changing the settings of a business."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.errors import WireError, check_version, invalid
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.postgres.write import UNIQUE, Call, Lock, Look, write
from frontdesk.tenants.countries import is_country
from frontdesk.tenants.register import currency_error, languages_error, name_error, slug_error, timezone_error
from frontdesk.tenants.settings_queries import BusinessSettings, SeenSettings, settings_to_change
from frontdesk.values.actor import Actor
from frontdesk.values.money import currency_decimals
from frontdesk.values.time import get_zone, to_local

_ACCENT = re.compile(r"#[0-9a-f]{6}")
MAX_EARLIER_SLUGS = 5  # each is taken from all other businesses for ever


async def change_settings(
    conn: Connection,
    tenant_id: UUID,
    new: BusinessSettings,
    version: int,
    *,
    may_change_currency: bool,
    may_move_times: bool,
    actor: Actor,
) -> None:
    """Sales have a currency, so it changes only before the first one.

    `may_move_times`: the person has confirmed that coming bookings are shown at other times in the new time zone.
    """
    errors = _errors(new)
    if errors:
        raise invalid(errors)
    async with conn.transaction():
        await store_zone(conn, new.timezone)
        await write(
            conn,
            tenant_id,
            look_at_settings(),
            lambda seen: plan_settings(
                seen,
                new,
                version,
                tenant_id,
                may_change_currency=may_change_currency,
                may_move_times=may_move_times,
            ),
            actor=actor,
        )


def look_at_settings() -> Look[SeenSettings]:
    return Look(settings_to_change(), Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ()))


def plan_settings(
    seen: SeenSettings,
    new: BusinessSettings,
    version: int,
    tenant_id: UUID,
    *,
    may_change_currency: bool,
    may_move_times: bool,
) -> Call:
    check_version(version, seen.version, tenant_id)
    known = {seen.settings.slug, *seen.earlier_slugs}
    if new.slug not in known and len(known) > MAX_EARLIER_SLUGS:
        raise invalid({"slug": ["You have changed this name too often. Choose one of your earlier names."]})
    decimals = currency_decimals(new.currency)
    if new.currency != seen.settings.currency:
        _check_currency(seen, decimals, allowed=may_change_currency)
    if seen.has_coming and not may_move_times and _differ(seen.settings.timezone, new.timezone):
        message = "Coming bookings would be shown at another time of day. Tick the box below to change the time zone."
        raise invalid({"timezone": [message]})
    argument = {"version": version, "currency_decimals": decimals, **msgspec.structs.asdict(new)}
    return Call("update_settings", argument, errors={UNIQUE: _slug_taken})


def _check_currency(seen: SeenSettings, decimals: int, *, allowed: bool) -> None:
    if not allowed:
        raise invalid({"currency": ["Only an owner can change the currency."]})
    if seen.has_sales:
        raise invalid({"currency": ["The currency cannot be changed after the first sale."]})
    if seen.decimals > decimals:
        raise invalid({"currency": ["This currency has fewer decimals than your prices."]})


def _differ(one: str, other: str) -> bool:
    """Whether the clocks of two time zones differ at some time in the next two years."""
    days = (datetime.now(UTC) + timedelta(days=day) for day in range(0, 730, 7))
    return any(to_local(day, get_zone(one)) != to_local(day, get_zone(other)) for day in days)


def _slug_taken() -> WireError:
    return invalid({"slug": ["Another business uses this name. Choose another one."]})


def _errors(new: BusinessSettings) -> Mapping[str, list[str]]:
    found = {
        "name": name_error(new.name),
        "slug": slug_error(new.slug),
        "country": None if new.country is None or is_country(new.country) else "Choose a country.",
        "timezone": timezone_error(new.timezone),
        "currency": currency_error(new.currency),
        "languages": languages_error(new.languages),
        # Otherwise no time could be booked.
        "notice_hours": None
        if new.notice_hours < new.horizon_days * 24
        else "Enter fewer hours than the days ahead have.",
        "accent": None
        if new.accent is None or _ACCENT.fullmatch(new.accent)
        else "Enter a colour of six hexadecimal digits.",
    }
    return {field: [error] for field, error in found.items() if error}
