"""Creates a tenant with its first branch and the usual payment methods."""

import re
from collections.abc import Iterator
from uuid import UUID

import asyncpg
import msgspec

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_, translate
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.branches import slug_of
from frontdesk.tenants.countries import is_country, is_currency
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.queries import insert_tenant
from frontdesk.tenants.settings_queries import BusinessSettings
from frontdesk.tenants.types import NewTenant
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.latin import latin
from frontdesk.values.money import currency_decimals
from frontdesk.values.time import UnknownZoneError, get_zone

MAX_NAME_LENGTH = 200
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,58}[a-z0-9]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
_METHODS = {"cash": N_("Cash"), "card": N_("Card")}


async def register_tenant(conn: Connection, new: NewTenant, actor: Actor = SYSTEM) -> UUID:
    raise_all(registration_problems(new))
    tenant_id = uuid7()
    argument = {
        **msgspec.structs.asdict(new),
        "name": new.name.strip(),
        "currency_decimals": currency_decimals(new.currency),
        "branch_id": uuid7(),
        "branch": new.branch.strip(),
        "branch_slug": slug_of(new.branch),
        "methods": [
            {"id": uuid7(), "type": kind, "name": {code: translate(code, name) for code in sorted(LANGUAGES)}}
            for kind, name in _METHODS.items()
        ],
        "actor": actor._asdict(),
    }
    for slug in [new.slug] if new.slug else proposed_slugs(new.name, tenant_id):
        try:
            async with conn.transaction():
                await store_zone(conn, new.timezone)
                await insert_tenant(conn, tenant_id, {**argument, "slug": slug})
        except asyncpg.UniqueViolationError:
            continue
        return tenant_id
    raise Problem(BusinessProblem.SLUG_TAKEN, "slug")


def registration_problems(new: NewTenant) -> list[Problem]:
    slug = [] if new.slug is None else slug_problems(new.slug)
    return [*name_problems(new.name, "name"), *name_problems(new.branch, "branch"), *slug, *region_problems(new)]


def region_problems(new: NewTenant | BusinessSettings) -> Iterator[Problem]:
    if new.country is not None and not is_country(new.country):
        yield Problem(BusinessProblem.UNKNOWN_COUNTRY, "country")
    if not _is_zone(new.timezone):
        yield Problem(BusinessProblem.UNKNOWN_TIMEZONE, "timezone", name=new.timezone)
    if not is_currency(new.currency):
        yield Problem(BusinessProblem.UNKNOWN_CURRENCY, "currency", code=new.currency)
    languages = new.languages
    if (
        not languages
        or len(set(languages)) < len(languages)
        or not all(_LANGUAGE.fullmatch(name) for name in languages)
    ):
        yield Problem(BusinessProblem.WRONG_LANGUAGES, "languages")


def name_problems(name: str, field: str) -> Iterator[Problem]:
    if not name.strip() or not name.isprintable():
        yield Problem(BusinessProblem.NAME_REQUIRED, field)
    elif len(name) > MAX_NAME_LENGTH:
        yield Problem(BusinessProblem.NAME_TOO_LONG, field, most=MAX_NAME_LENGTH)


def slug_problems(slug: str) -> list[Problem]:
    return [] if SLUG.fullmatch(slug) else [Problem(BusinessProblem.WRONG_SLUG, "slug")]


def _is_zone(timezone: str) -> bool:
    try:
        get_zone(timezone)
    except UnknownZoneError:
        return False
    return True


def public_name(name: str, tenant_id: UUID) -> str:
    """The name in Latin letters, with the end of the id, which makes it unique."""
    return f"{latin_words(name) or 'b'}-{tenant_id.hex[-6:]}"


def proposed_slugs(name: str, tenant_id: UUID) -> list[str]:
    """The name alone, which is used if no other tenant has it, and the unique one."""
    words = latin_words(name)
    return [*([words] if SLUG.fullmatch(words) else []), public_name(name, tenant_id)]


def latin_words(name: str) -> str:
    return latin(name)[:40].strip("-")
