"""Creates a tenant with its first branch and the usual payment methods."""

import re
from collections.abc import Sequence
from uuid import UUID

import asyncpg
import msgspec

from frontdesk.errors import invalid
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.tenants.branches import slug_of
from frontdesk.tenants.countries import is_country, is_currency
from frontdesk.tenants.queries import insert_tenant
from frontdesk.tenants.types import NewTenant
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.money import currency_decimals
from frontdesk.values.text import search_key
from frontdesk.values.time import UnknownZoneError, get_zone

MAX_NAME_LENGTH = 200
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,58}[a-z0-9]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
SLUG_TAKEN = "Another business uses this name. Choose another one."
_METHODS = {"cash": {"ar": "نقدًا", "en": "Cash"}, "card": {"ar": "بطاقة", "en": "Card"}}


async def register_tenant(conn: Connection, new: NewTenant, actor: Actor = SYSTEM) -> UUID:
    errors = registration_errors(new)
    if errors:
        raise invalid(errors)
    tenant_id = uuid7()
    argument = {
        **msgspec.structs.asdict(new),
        "name": new.name.strip(),
        "currency_decimals": currency_decimals(new.currency),
        "branch_id": uuid7(),
        "branch": new.branch.strip(),
        "branch_slug": slug_of(new.branch),
        "methods": [{"id": uuid7(), "type": kind, "name": names} for kind, names in _METHODS.items()],
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
    raise invalid({"slug": [SLUG_TAKEN]})


def registration_errors(new: NewTenant) -> dict[str, list[str]]:
    found = {
        "name": name_error(new.name),
        "branch": name_error(new.branch),
        "slug": slug_error(new.slug) if new.slug is not None else None,
        "country": None if new.country is None or is_country(new.country) else "Choose a country.",
        "timezone": timezone_error(new.timezone),
        "currency": currency_error(new.currency),
        "languages": languages_error(new.languages),
    }
    return {field: [error] for field, error in found.items() if error}


def name_error(name: str) -> str | None:
    if not name.strip() or not name.isprintable():
        return "must not be empty or contain unprintable characters"
    return f"must have at most {MAX_NAME_LENGTH} characters" if len(name) > MAX_NAME_LENGTH else None


def slug_error(slug: str) -> str | None:
    return None if SLUG.fullmatch(slug) else "Use 2 to 60 lower-case letters, digits and hyphens."


def timezone_error(timezone: str) -> str | None:
    try:
        get_zone(timezone)
    except UnknownZoneError:
        return f"{timezone!r} is no time zone: give a name such as Asia/Riyadh"
    return None


def currency_error(currency: str) -> str | None:
    return (
        None if is_currency(currency) else f"{currency!r} is no currency that can be charged: give a code such as SAR"
    )


def languages_error(languages: Sequence[str]) -> str | None:
    wrong = [name for name in languages if not _LANGUAGE.fullmatch(name)]
    if wrong or not languages or len(set(languages)) < len(languages):
        return "must be different codes such as ar and en"
    return None


def public_name(name: str, tenant_id: UUID) -> str:
    """The Latin letters of the name, with the end of the id, which makes it unique."""
    return f"{_latin_words(name) or 'b'}-{tenant_id.hex[-6:]}"


def proposed_slugs(name: str, tenant_id: UUID) -> list[str]:
    """The name alone, which is used if no other tenant has it, and the unique one."""
    words = _latin_words(name)
    return [*([words] if SLUG.fullmatch(words) else []), public_name(name, tenant_id)]


def _latin_words(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", search_key(name)).strip("-")[:40].strip("-")
