"""Statements for tax classes."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.attention.rules import TAX_NOT_ANSWERED
from frontdesk.postgres.changes import list_order
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Lock, Query, found, page, page_of
from frontdesk.values.pagination import ChangesSince, Page, PageRequest


class DatedRate(msgspec.Struct, frozen=True):
    """A rate in percent, from a local date on."""

    starts_on: date
    rate: Decimal


class TaxClass(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]  # by language
    is_default: bool
    version: int
    rates: list[DatedRate]  # the earliest first
    is_used: bool  # by an item or a package

    def rate_on(self, day: date) -> Decimal:
        return next((rate.rate for rate in reversed(self.rates) if rate.starts_on <= day), Decimal(0))


class TaxClassToSave(NamedTuple):
    tax_class: TaxClass | None  # None for a new one
    other_names: list[dict[str, str]]  # by language


_CLASS = """
    SELECT c.id, c.name, c.is_default, c.version, coalesce((
               SELECT json_agg(json_build_object('starts_on', r.starts_on, 'rate', r.rate) ORDER BY r.starts_on)
               FROM tax_rates r WHERE r.tenant_id = $1 AND r.class_id = c.id), '[]')::text AS rates,
           EXISTS (SELECT FROM items i WHERE i.tenant_id = $1 AND i.tax_class_id = c.id)
           OR EXISTS (SELECT FROM packages p WHERE p.tenant_id = $1 AND p.tax_class_id = c.id) AS is_used
    FROM tax_classes c WHERE c.tenant_id = $1
"""


async def list_tax_classes(conn: Connection, tenant_id: UUID) -> list[TaxClass]:
    """The default class first."""
    rows = await conn.fetch(f"{_CLASS} ORDER BY c.is_default DESC, c.created_at, c.id", tenant_id)
    return [_read(row) for row in rows]


def published_tax_classes(page_request: PageRequest, since: ChangesSince | None = None) -> Query[Page]:
    """The default class first."""
    order = list_order(since, "is_default DESC, created_at, id", first=4)
    source = f"FROM tax_classes WHERE tenant_id = $1{order.where}"
    return Query(
        f"""
        SELECT {page_of("tax_class_document($1, c.id)", order.of("c"))} AS documents,
               (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY {order.forward} OFFSET $2 LIMIT $3) c
        """,
        (page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )


async def is_tax_unanswered(conn: Connection, tenant_id: UUID) -> bool:
    return bool(await conn.fetchval(f"SELECT {TAX_NOT_ANSWERED} FROM tenants n WHERE n.id = $1", tenant_id))


def get_tax_class(class_id: UUID) -> Query[TaxClass]:

    return Query(f"{_CLASS} AND c.id = $2", (class_id,), found("tax class", _read))


def _read(row: Record) -> TaxClass:
    return TaxClass(
        row["id"],
        msgspec.json.decode(row["name"], type=dict[str, str]),
        row["is_default"],
        row["version"],
        msgspec.json.decode(row["rates"], type=list[DatedRate]),
        row["is_used"],
    )


def tax_class_to_save(class_id: UUID) -> Query[TaxClassToSave]:
    def read(row: Record | None) -> TaxClassToSave:
        if row is None:
            return TaxClassToSave(None, [])
        other_names = msgspec.json.decode(row["other_names"], type=list[dict[str, str]])
        return TaxClassToSave(None if row["id"] is None else _read(row), other_names)

    sql = f"""
        SELECT class.*, others.names AS other_names
        FROM (
            SELECT coalesce(jsonb_agg(name), '[]')::text AS names FROM tax_classes WHERE tenant_id = $1 AND id <> $2
        ) others
        LEFT JOIN ({_CLASS} AND c.id = $2) class ON true
    """
    return Query(sql, (class_id,), read)


def lock_tax_classes() -> Lock:
    return Lock("SELECT FROM tax_classes WHERE tenant_id = $1 ORDER BY id FOR UPDATE", ())
