"""Changing the settings of a business."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.postgres.write import UNIQUE, Look, write
from frontdesk.problems import Problem, check_version, raise_all
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.register import name_problems, region_problems, slug_problems
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
    raise_all(list(_problems(new)))
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
) -> FunctionCall:
    check_version(version, seen.version, tenant_id)
    known = {seen.settings.slug, *seen.earlier_slugs}
    if new.slug not in known and len(known) > MAX_EARLIER_SLUGS:
        raise Problem(BusinessProblem.TOO_MANY_SLUGS, "slug")
    decimals = currency_decimals(new.currency)
    if new.currency != seen.settings.currency:
        _check_currency(seen, decimals, allowed=may_change_currency)
    if seen.has_coming and not may_move_times and _differ(seen.settings.timezone, new.timezone):
        raise Problem(BusinessProblem.TIMES_WOULD_MOVE, "timezone")
    argument = {"version": version, "currency_decimals": decimals, **msgspec.structs.asdict(new)}
    return FunctionCall("update_settings", argument, errors={UNIQUE: _slug_taken})


def _check_currency(seen: SeenSettings, decimals: int, *, allowed: bool) -> None:
    if not allowed:
        raise Problem(BusinessProblem.CURRENCY_BY_OWNER, "currency")
    if seen.has_sales:
        raise Problem(BusinessProblem.CURRENCY_HAS_SALES, "currency")
    if seen.decimals > decimals:
        raise Problem(BusinessProblem.CURRENCY_HAS_FEWER_DECIMALS, "currency")


def _differ(one: str, other: str) -> bool:
    """Whether the clocks of two time zones differ at some time in the next two years."""
    days = (datetime.now(UTC) + timedelta(days=day) for day in range(0, 730, 7))
    return any(to_local(day, get_zone(one)) != to_local(day, get_zone(other)) for day in days)


def _slug_taken() -> Problem:
    return Problem(BusinessProblem.SLUG_TAKEN, "slug")


def _problems(new: BusinessSettings) -> Iterator[Problem]:
    yield from name_problems(new.name, "name")
    yield from slug_problems(new.slug)
    yield from region_problems(new)
    if new.notice_hours >= new.horizon_days * 24:  # otherwise no time could be booked
        yield Problem(BusinessProblem.NOTICE_TOO_LONG, "notice_hours")
    if new.accent is not None and not _ACCENT.fullmatch(new.accent):
        yield Problem(BusinessProblem.NOT_A_COLOUR, "accent")
