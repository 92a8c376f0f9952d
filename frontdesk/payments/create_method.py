"""The act of adding a way to pay."""

import re
from uuid import UUID

import asyncpg

from frontdesk.payments.queries import insert_payment_method
from frontdesk.payments.types import MethodType, NewMethod
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key

_GAPS = re.compile(r"[\W_]+")


async def create_method(conn: Connection, tenant: TenantContext, name: str, kind: MethodType, *, active: bool) -> str:
    """The name that was given serves every language of the business until somebody translates it."""
    slug = _GAPS.sub("-", search_key(name)).strip("-")[:80] or kind
    new = NewMethod(dict.fromkeys(tenant.languages, name), kind, slug, active)
    try:
        return await _insert(conn, tenant.tenant_id, new)
    except asyncpg.UniqueViolationError:
        # Two of the same name at the same moment: the second now sees the first and takes another slug.
        return await _insert(conn, tenant.tenant_id, new)


async def _insert(conn: Connection, tenant_id: UUID, new: NewMethod) -> str:
    async with conn.transaction():
        return await insert_payment_method(conn, tenant_id, uuid7(), new)
