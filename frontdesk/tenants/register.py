"""Creates a tenant with its first branch."""

import re
from collections.abc import Sequence
from uuid import UUID

from frontdesk.errors import invalid
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.tenants.queries import insert_branch, insert_tenant
from frontdesk.tenants.types import NewTenant
from frontdesk.values.ids import uuid7
from frontdesk.values.money import currency_decimals
from frontdesk.values.text import search_key
from frontdesk.values.time import UnknownZoneError, get_zone

MAX_NAME_LENGTH = 200
MAX_DECIMALS = 3
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")


async def register_tenant(conn: Connection, new: NewTenant) -> UUID:
    errors = _errors(new)
    if errors:
        raise invalid(errors)
    tenant_id = uuid7()
    async with conn.transaction():
        await store_zone(conn, new.timezone)
        await insert_tenant(conn, tenant_id, new, currency_decimals(new.currency))
        await insert_branch(conn, tenant_id, uuid7(), new.branch, _slug(new.branch))
    return tenant_id


def _errors(new: NewTenant) -> dict[str, list[str]]:
    found = {
        "name": _name_error(new.name),
        "branch": _name_error(new.branch),
        "timezone": _timezone_error(new.timezone),
        "currency": _currency_error(new.currency),
        "languages": _languages_error(new.languages),
    }
    return {field: [error] for field, error in found.items() if error}


def _name_error(name: str) -> str | None:
    if not name.strip() or not name.isprintable():
        return "must not be empty or contain unprintable characters"
    return f"must have at most {MAX_NAME_LENGTH} characters" if len(name) > MAX_NAME_LENGTH else None


def _timezone_error(timezone: str) -> str | None:
    try:
        get_zone(timezone)
    except UnknownZoneError:
        return f"{timezone!r} is no time zone: give a name such as Asia/Riyadh"
    return None


def _currency_error(currency: str) -> str | None:
    try:
        usable = currency_decimals(currency) <= MAX_DECIMALS
    except ValueError:
        usable = False
    return None if usable else f"{currency!r} is no currency that can be charged: give a code such as SAR"


def _languages_error(languages: Sequence[str]) -> str | None:
    wrong = [name for name in languages if not _LANGUAGE.fullmatch(name)]
    if wrong or not languages or len(set(languages)) < len(languages):
        return "must be different codes such as ar and en"
    return None


def _slug(name: str) -> str:
    """Keeps the letters of all scripts, as URLs do today."""
    return re.sub(r"[^\w]+", "-", search_key(name)).strip("-") or "store"
