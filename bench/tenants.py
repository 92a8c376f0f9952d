"""The businesses that are measured: sandboxes, with what the measurement needs written beside it in bulk."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.auth.credentials import new_token, parse_client_id
from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.secrets import hash_secret
from frontdesk.values.ids import uuid7

_PLENTY = 1_000_000_000
SLOT_MINUTES = 15
PROVIDERS = 4
AVAILABILITY_PROVIDERS, AVAILABILITY_DAYS, AVAILABILITY_BOOKINGS = 50, 30, 20
# A second apart, up to now; ids in the order of time, as the service's own are.
_NUMBERED = """(
            SELECT n, lpad(to_hex(n), 32, '0')::uuid AS id, now() - ($2::bigint - n) * interval '1 second' AS created_at
            FROM generate_series(1, $2::bigint) n) m"""
# What a sandbox has of its own, in an order in which it can be taken away.
_SANDBOX_ROWS = (
    "order_status_history",
    "transactions",
    "refunds",
    "order_line_stock",
    "bookings",
    "order_lines",
    "orders",
    "customer_tags",
    "customers",
)


class TenantAccess(NamedTuple):
    tenant_id: UUID
    token: str


class OrderTenant(NamedTuple):
    """Where orders are placed: providers who always work, and whose slots from `first` on are free."""

    tenant: TenantAccess
    branch_id: UUID
    customer_id: UUID
    method_id: UUID
    service_id: UUID
    staff_ids: list[UUID]
    first: date


class AvailabilityTenant(NamedTuple):
    """Where availability is asked for: many providers with many bookings on each of many days."""

    tenant: TenantAccess
    service_id: UUID
    staff_id: UUID
    first: date


async def make_tenant(conn: Connection) -> TenantAccess:
    sandbox = await create_sandbox(conn, rate_limit=_PLENTY)
    named = parse_client_id(sandbox.client_id)
    if named is None:
        raise RuntimeError("a sandbox without a client")
    token = new_token(sandbox.tenant_id)
    await conn.execute(
        """
        INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, expires_at)
        VALUES ($1, $2, $3, 1, now() + interval '1 day')
        """,
        sandbox.tenant_id,
        hash_secret(token),
        named[1],
    )
    return TenantAccess(sandbox.tenant_id, token)


async def make_order_tenant(conn: Connection) -> OrderTenant:
    access = await make_tenant(conn)
    tenant_id = access.tenant_id
    service_id, staff_ids = await _add_service(conn, tenant_id, SLOT_MINUTES, PROVIDERS)
    await conn.execute(
        """
        INSERT INTO working_hours (tenant_id, id, staff_id, all_time)
        SELECT $1, gen_random_uuid(), id, true FROM unnest($2::uuid[]) AS s (id)
        """,
        tenant_id,
        staff_ids,
    )
    return OrderTenant(
        access,
        await conn.fetchval("SELECT id FROM branches WHERE tenant_id = $1", tenant_id),
        await conn.fetchval("SELECT id FROM customers WHERE tenant_id = $1 AND NOT blocked LIMIT 1", tenant_id),
        await conn.fetchval("SELECT id FROM payment_methods WHERE tenant_id = $1 AND slug = 'cash'", tenant_id),
        service_id,
        staff_ids,
        datetime.now(UTC).date() + timedelta(days=2),
    )


async def make_availability_tenant(conn: Connection) -> AvailabilityTenant:
    """On the store's hours; a booking of 30 minutes every 33 from 10:00 on leaves gaps, as real days do."""
    access = await make_tenant(conn)
    tenant_id, first = access.tenant_id, datetime.now(UTC).date() + timedelta(days=2)
    service_id, staff_ids = await _add_service(conn, tenant_id, 30, AVAILABILITY_PROVIDERS)
    planned = """
        SELECT row_number() OVER () AS n, lpad(to_hex(row_number() OVER ()), 32, '0')::uuid AS id, s.id AS staff_id,
               ($2::date + d - 1 + time '09:27' + k * interval '33 minutes') AT TIME ZONE 'Asia/Riyadh' AS start
        FROM unnest($3::uuid[]) AS s (id), generate_series(1, $4::integer) d, generate_series(1, $5::integer) k"""
    values = (tenant_id, first, staff_ids, AVAILABILITY_DAYS, AVAILABILITY_BOOKINGS, service_id)
    async with _triggers_disabled(conn):
        await conn.execute(
            f"""
            INSERT INTO orders (tenant_id, id, order_number, branch_id, status, source, currency, sub_total,
                                discount_amount, total, starts_at, created_by_type, created_by_id)
            SELECT $1, p.id, c.value + n, b.id, 'confirmed', 'online', 'SAR', 0, 0, 0, start, 'system', $6::uuid
            FROM ({planned}) p, branches b, tenant_counters c
            WHERE b.tenant_id = $1 AND c.tenant_id = $1 AND c.name = 'order_number'
            """,
            *values,
        )
        await conn.execute(
            f"""
            INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, staff_id, name, price, quantity,
                                     discount_amount, total, duration)
            SELECT $1, id, id, 0, 'service', $6, staff_id, 'bench', 0, 1, 0, 0, 30 FROM ({planned}) p
            """,
            *values,
        )
    await conn.execute("ANALYZE orders, order_lines, staff, items")
    await conn.execute(
        f"""
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during)
        SELECT $1, id, id, id, staff_id, $6, 'bench-' || n, tstzrange(start, start + interval '30 minutes')
        FROM ({planned}) p
        """,
        *values,
    )
    return AvailabilityTenant(access, service_id, staff_ids[0], first)


async def make_large_tenant(dsn: str, conn: Connection, rows: int) -> TenantAccess:
    """A business with this many customers and as many orders of one line each.

    Foreign keys and counters stand aside while a million rows go in; what they would have done is done by hand. Two
    connections fill at the same time, since there are two cores.
    """
    access = await make_tenant(conn)
    tenant_id = access.tenant_id
    async with _triggers_disabled(conn):
        for table in _SANDBOX_ROWS:
            await conn.execute(f"DELETE FROM {table} WHERE tenant_id = $1", tenant_id)
        await asyncio.gather(_fill_orders(conn, tenant_id, rows), _fill_other_tables(dsn, tenant_id, rows))
        await conn.execute(
            """
            INSERT INTO tenant_counters (tenant_id, name, value, assigned_at)
            VALUES ($1, 'rows:customers', $2, NULL), ($1, 'order_number', $2, now())
            ON CONFLICT (tenant_id, name) DO UPDATE SET value = excluded.value, assigned_at = excluded.assigned_at
            """,
            tenant_id,
            rows,
        )
    return access


async def _fill_orders(conn: Connection, tenant_id: UUID, rows: int) -> None:
    await conn.execute(
        f"""
        INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency, sub_total,
                            discount_amount, total, paid_amount, created_by_type, created_at, updated_at)
        SELECT $1, m.id, n, b.id, m.id, 'completed', 'pos', 'SAR', 50, 0, 50, 50, 'system', m.created_at, m.created_at
        FROM {_NUMBERED}, branches b WHERE b.tenant_id = $1
        """,
        tenant_id,
        rows,
    )


async def _fill_other_tables(dsn: str, tenant_id: UUID, rows: int) -> None:
    raw = await connect(dsn)
    conn = Connection(raw)
    await conn.execute("SET statement_timeout = 0")
    async with _triggers_disabled(conn):
        await _fill_customers(conn, tenant_id, rows)
        await _fill_lines(conn, tenant_id, rows)
    await raw.close()


async def _fill_customers(conn: Connection, tenant_id: UUID, rows: int) -> None:
    await conn.execute(
        f"""
        INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, email, phone, phone_country, city,
                               created_at, updated_at)
        SELECT $1, id, 'Customer', n::text, 'customer ' || n, 'customer-' || n || '@bench.example',
               '+9665' || lpad(n::text, 8, '0'), 'SA', 'Riyadh', m.created_at, m.created_at
        FROM {_NUMBERED}
        """,
        tenant_id,
        rows,
    )


async def _fill_lines(conn: Connection, tenant_id: UUID, rows: int) -> None:
    await conn.execute(
        f"""
        INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, name, price, quantity,
                                 discount_amount, total)
        SELECT $1, m.id, m.id, 0, 'product', i.id, 'Shampoo', 50, 1, 0, 50
        FROM {_NUMBERED}, (SELECT id FROM items WHERE tenant_id = $1 AND type = 'product' LIMIT 1) i
        """,
        tenant_id,
        rows,
    )


async def _add_service(conn: Connection, tenant_id: UUID, minutes: int, providers: int) -> tuple[UUID, list[UUID]]:
    service_id, staff_ids = uuid7(), [uuid7() for _ in range(providers)]
    await conn.execute(
        """
        WITH branch AS (SELECT id FROM branches WHERE tenant_id = $1), service AS (
            INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration)
            SELECT $1, $2, id, 'service', '{"ar": "قياس", "en": "Bench"}', 'bench', 'bench', 50, $3 FROM branch
        ), team AS (
            INSERT INTO staff (tenant_id, id, branch_id, name, name_search)
            SELECT $1, s.id, branch.id, 'Provider', 'provider' FROM unnest($4::uuid[]) AS s (id), branch
        )
        INSERT INTO staff_services (tenant_id, staff_id, item_id) SELECT $1, s.id, $2 FROM unnest($4::uuid[]) AS s (id)
        """,
        tenant_id,
        service_id,
        minutes,
        staff_ids,
    )
    return service_id, staff_ids


@asynccontextmanager
async def _triggers_disabled(conn: Connection) -> AsyncIterator[None]:
    await conn.execute("SET session_replication_role = replica")
    yield
    await conn.execute("RESET session_replication_role")
