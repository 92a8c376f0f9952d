"""Changing the settings of a business."""

import re
from collections.abc import Iterator
from datetime import timedelta

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Lock, Query
from frontdesk.postgres.time_zones import store_zone
from frontdesk.postgres.write import UNIQUE, run
from frontdesk.problems import Problem, check_version, raise_all
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.register import name_problems, region_problems, slug_problems
from frontdesk.tenants.settings_queries import BusinessSettings, SettingsToChange, settings_to_change
from frontdesk.values.actor import Actor
from frontdesk.values.clock import current_time
from frontdesk.values.money import currency_decimals
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_ACCENT = re.compile(r"#[0-9a-f]{6}")
MAX_EARLIER_SLUGS = 5  # each is taken from all other businesses for ever


class UpdateSettings(Act[SettingsToChange], frozen=True):
    """Sales have a currency, so it changes only before the first one."""

    new: BusinessSettings
    version: int
    may_change_currency: bool
    may_move_times: bool  # the person has confirmed that coming bookings are shown at other times in the new time zone

    def load(self) -> Query[SettingsToChange]:
        return settings_to_change().locking(Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ()))

    def decide(self, context: Context[SettingsToChange]) -> FunctionCall:
        new, loaded = self.new, context.loaded
        check_version(self.version, loaded.version, context.tenant.tenant_id)
        known = {loaded.settings.slug, *loaded.earlier_slugs}
        if new.slug not in known and len(known) > MAX_EARLIER_SLUGS:
            raise Problem(BusinessProblem.TOO_MANY_SLUGS, "slug")
        decimals = currency_decimals(new.currency)
        if new.currency != loaded.settings.currency:
            self._check_currency(loaded, decimals)
        if loaded.has_upcoming_orders and not self.may_move_times and _differ(loaded.settings.timezone, new.timezone):
            raise Problem(BusinessProblem.TIMES_WOULD_MOVE, "timezone")
        argument = {"version": self.version, "currency_decimals": decimals, **msgspec.structs.asdict(new)}
        return FunctionCall("update_settings", argument, errors={UNIQUE: _slug_taken})

    def _check_currency(self, loaded: SettingsToChange, decimals: int) -> None:
        if not self.may_change_currency:
            raise Problem(BusinessProblem.CURRENCY_BY_OWNER, "currency")
        if loaded.has_sales:
            raise Problem(BusinessProblem.CURRENCY_HAS_SALES, "currency")
        if loaded.decimals > decimals:
            raise Problem(BusinessProblem.CURRENCY_HAS_FEWER_DECIMALS, "currency")


async def update_settings(conn: Connection, tenant: TenantContext, act: UpdateSettings, actor: Actor) -> None:
    """Stores the time zone too, if the business is the first in it."""
    raise_all(list(_problems(act.new)))
    async with conn.transaction():
        await store_zone(conn, act.new.timezone)
        await run(conn, tenant, act, actor=actor)


def _differ(one: str, other: str) -> bool:
    """Whether the clocks of two time zones differ at some time in the next two years."""
    days = (current_time() + timedelta(days=day) for day in range(0, 730, 7))
    return any(to_local(day, get_zone(one)) != to_local(day, get_zone(other)) for day in days)


def _slug_taken() -> Problem:
    return Problem(BusinessProblem.SLUG_TAKEN, "slug")


def _problems(new: BusinessSettings) -> Iterator[Problem]:
    yield from name_problems(new.name, "name")
    for name in new.names.values():
        yield from name_problems(name, "names")
    yield from slug_problems(new.slug)
    yield from region_problems(new)
    if new.notice_hours >= new.horizon_days * 24:  # otherwise no time could be booked
        yield Problem(BusinessProblem.NOTICE_TOO_LONG, "notice_hours")
    if new.accent is not None and not _ACCENT.fullmatch(new.accent):
        yield Problem(BusinessProblem.NOT_A_COLOUR, "accent")
