"""Changing the settings of a business."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, cast

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Lock, Query
from frontdesk.postgres.time_zones import zone_rules
from frontdesk.postgres.write import UNIQUE, run
from frontdesk.problems import Problem, SharedProblem, check_version, raise_all
from frontdesk.tenants.cancel_reason_queries import Names, key_of
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.register import name_problems, region_problems, slug_problems
from frontdesk.tenants.settings_queries import BusinessSettings, SettingsToChange, settings_to_change
from frontdesk.values.actor import Actor
from frontdesk.values.clock import current_time
from frontdesk.values.money import currency_decimals
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_ACCENT = re.compile(r"#[0-9a-f]{6}")
_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())
MAX_EARLIER_SLUGS = 5  # each is taken from all other businesses for ever


class UpdateSettings(Act[SettingsToChange], frozen=True):
    """Sales have a currency, so it changes only before the first one."""

    new: BusinessSettings
    version: int
    may_change_currency: bool
    may_move_times: bool  # the person has confirmed that coming bookings are shown at other times in the new time zone

    def load(self) -> Query[SettingsToChange]:
        return settings_to_change(self.new.timezone).locking(_LOCK)

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
        if not loaded.knows_zone:
            argument["zone"] = zone_rules(new.timezone, loaded.newest_zones)
        return FunctionCall("update_settings", argument, errors={UNIQUE: _slug_taken})

    def _check_currency(self, loaded: SettingsToChange, decimals: int) -> None:
        if not self.may_change_currency:
            raise Problem(BusinessProblem.CURRENCY_BY_OWNER, "currency")
        if loaded.has_sales:
            raise Problem(BusinessProblem.CURRENCY_HAS_SALES, "currency")
        if loaded.decimals > decimals:
            raise Problem(BusinessProblem.CURRENCY_HAS_FEWER_DECIMALS, "currency")


class ChangeSettings(Act[SettingsToChange], frozen=True):
    """Other settings stay as they are, and the currency is not for applications to change."""

    changes: Mapping[str, Any]  # of the settings that a form changes
    others: Mapping[str, Any]  # of the others
    may_move_times: bool = False
    version: int | None = None

    def load(self) -> Query[SettingsToChange]:
        return settings_to_change(self.changes.get("timezone")).locking(_LOCK)

    def decide(self, context: Context[SettingsToChange]) -> FunctionCall:
        loaded, tenant_id = context.loaded, context.tenant.tenant_id
        check_version(self.version, loaded.version, tenant_id)
        new = msgspec.structs.replace(loaded.settings, **self.changes)
        others = msgspec.structs.replace(loaded.others, **self.others)
        response = ResponseDocument("published_settings_document", tenant_id)
        if (new, others) == (loaded.settings, loaded.others):
            return FunctionCall(None, None, response)
        raise_all([*_problems(new), *_problems_of_reasons(others.cancel_reasons)])
        act = UpdateSettings(new, loaded.version, may_change_currency=False, may_move_times=self.may_move_times)
        call = act.decide(context)
        argument = {**cast("dict[str, Any]", call.argument), **self.others}
        return call._replace(argument=argument, response=response)


async def update_settings(conn: Connection, tenant: TenantContext, act: UpdateSettings, actor: Actor) -> None:
    raise_all(list(_problems(act.new)))
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


def _problems_of_reasons(reasons: Sequence[Names] | None) -> Iterator[Problem]:
    keys = [key_of(names) for names in reasons or ()]
    for index, key in enumerate(keys):
        if not key:
            yield Problem(BusinessProblem.NAME_REQUIRED, "cancel_reasons", index)
        elif key in keys[:index]:
            yield Problem(SharedProblem.DUPLICATE, "cancel_reasons", index)
