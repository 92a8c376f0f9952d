"""The tenants that are measured: sandboxes with additions, and many small tenants.

Every caller has a number in `rate_limit`, as the default has, only a larger one: each request is counted by the same
code as a request with the default limit.
"""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from bench.triggers import triggers_disabled
from frontdesk.accounts.sessions import SignInAttempt, open_session
from frontdesk.auth.credentials import new_key, new_token, parse_client_id
from frontdesk.demo_data.create import Sandbox, create_sandbox
from frontdesk.postgres.pool import Connection
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.values.ids import uuid7

RATE_LIMIT = 1_000_000  # requests per minute
SLOT_MINUTES = 15
AVAILABILITY_PROVIDERS, AVAILABILITY_DAYS, _DAILY_BOOKINGS = 50, 30, 20
_ZONE = "Asia/Riyadh"
_INVOICED_ORDERS = 40
_ORDER_PROVIDERS, _SMALL_PROVIDERS, _SMALL_SERVICES, _SMALL_CUSTOMERS = 4, 4, 8, 20


class TenantAccess(NamedTuple):
    tenant_id: UUID
    token: str  # of the Open API
    api_key: str  # of the POS API
    session: str = ""  # of the dashboard


class BookableTenant(NamedTuple):
    """Its providers work at all hours, and all their slots from `first_day` on are free."""

    access: TenantAccess
    branch_id: UUID
    customer_ids: list[UUID]
    method_id: UUID
    service_id: UUID
    staff_ids: list[UUID]
    first_day: date
    order_ids: list[UUID]  # without an invoice


class AvailabilityTenant(NamedTuple):
    """Many providers with many bookings on each of many days."""

    access: TenantAccess
    service_id: UUID
    staff_id: UUID
    first_day: date


async def make_sandbox(conn: Connection) -> TenantAccess:
    sandbox = await create_sandbox(conn, rate_limit=RATE_LIMIT)
    parsed = parse_client_id(sandbox.client_id)
    if parsed is None:
        raise RuntimeError("the sandbox has no client")
    token = await _add_token(conn, sandbox.tenant_id, parsed[1])
    return TenantAccess(sandbox.tenant_id, token, sandbox.api_key, await _open_session(conn, sandbox))


async def make_bookable_sandbox(conn: Connection) -> BookableTenant:
    access = await make_sandbox(conn)
    service_id, staff_ids = await _add_service(conn, access.tenant_id, SLOT_MINUTES, _ORDER_PROVIDERS)
    return await _bookable(conn, access, service_id, staff_ids)


async def make_small_tenant(
    conn: Connection, number: int, *, services: int = _SMALL_SERVICES, providers: int = _SMALL_PROVIDERS
) -> BookableTenant:
    """A few services, providers and customers, and no history."""
    new = NewTenant(f"Bench {number}", "Main", Plan.PROFESSIONAL, _ZONE, "SAR", ["ar", "en"])
    tenant_id = await register_tenant(conn, new)
    client_id, api_key = uuid7(), new_key(tenant_id)
    await conn.execute(
        """
        WITH client AS (
            INSERT INTO api_clients (tenant_id, id, name, secret_hash, scopes, rate_limit)
            VALUES ($1, $2, 'bench', '', '{*}', $4)
        ), key AS (
            INSERT INTO api_keys (tenant_id, id, name, key_hash, last_four, rate_limit)
            VALUES ($1, gen_random_uuid(), 'bench', $3, $5, $4)
        )
        INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, phone, phone_country)
        SELECT $1, gen_random_uuid(), 'Customer', n::text, 'customer ' || n, '+9665' || lpad(n::text, 8, '0'), 'SA'
        FROM generate_series(1, $6::integer) n
        """,
        tenant_id,
        client_id,
        hash_secret(api_key),
        RATE_LIMIT,
        api_key[-4:],
        _SMALL_CUSTOMERS,
    )
    await conn.execute("SELECT add_row_count($1, 'customers', $2)", tenant_id, _SMALL_CUSTOMERS)
    access = TenantAccess(tenant_id, await _add_token(conn, tenant_id, client_id), api_key)
    service_id, staff_ids = await _add_service(conn, tenant_id, SLOT_MINUTES, providers)
    for _ in range(services - 1):
        await _add_service(conn, tenant_id, SLOT_MINUTES, 1)
    return await _bookable(conn, access, service_id, staff_ids)


async def make_availability_sandbox(conn: Connection, providers: int = AVAILABILITY_PROVIDERS) -> AvailabilityTenant:
    """Providers on the branch's hours; a booking of 30 minutes every 33 from 10:00 on leaves gaps, as real days do."""
    access = await make_sandbox(conn)
    service_id, staff_ids = await _add_service(conn, access.tenant_id, 30, providers)
    first_day = _first_day()
    planned = f"""
        SELECT row_number() OVER () AS n, lpad(to_hex(row_number() OVER ()), 32, '0')::uuid AS id, s.id AS staff_id,
               ($2::date + d - 1 + time '09:27' + k * interval '33 minutes') AT TIME ZONE '{_ZONE}' AS start
        FROM unnest($3::uuid[]) AS s (id), generate_series(1, $4::integer) d, generate_series(1, $5::integer) k"""
    values = (access.tenant_id, first_day, staff_ids, AVAILABILITY_DAYS, _DAILY_BOOKINGS, service_id)
    async with triggers_disabled(conn):
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
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy)
        SELECT $1, id, id, id, staff_id, $6, 'bench-' || n, tstzrange(start, start + interval '30 minutes'),
               tstzrange(start, start + interval '30 minutes')
        FROM ({planned}) p
        """,
        *values,
    )
    await conn.execute("SELECT rebuild_busy_days($1)", access.tenant_id)
    return AvailabilityTenant(access, service_id, staff_ids[0], first_day)


async def add_product(conn: Connection, tenant_id: UUID) -> UUID:
    """A product whose stock outlasts every run."""
    id_ = uuid7()
    await conn.execute(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, stock)
        SELECT $1, $2, id, 'product', '{"ar": "قياس", "en": "Bench"}', 'bench', $2::uuid::text, 50, 1000000000
        FROM branches WHERE tenant_id = $1
        """,
        tenant_id,
        id_,
    )
    await conn.execute("SELECT add_row_count($1, 'items', 1)", tenant_id)
    return id_


async def _bookable(conn: Connection, access: TenantAccess, service_id: UUID, staff_ids: list[UUID]) -> BookableTenant:
    tenant_id = access.tenant_id
    await conn.execute(
        """
        INSERT INTO working_hours (tenant_id, id, staff_id, all_time)
        SELECT $1, gen_random_uuid(), id, true FROM unnest($2::uuid[]) AS s (id)
        """,
        tenant_id,
        staff_ids,
    )
    customers = await conn.fetch(
        "SELECT id FROM customers WHERE tenant_id = $1 AND NOT blocked ORDER BY id LIMIT $2",
        tenant_id,
        _SMALL_CUSTOMERS,
    )
    orders = await conn.fetch(
        """
        SELECT id FROM orders o WHERE tenant_id = $1 AND status = 'completed' AND NOT EXISTS (
            SELECT FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = o.id) ORDER BY id LIMIT $2
        """,
        tenant_id,
        _INVOICED_ORDERS,
    )
    return BookableTenant(
        access,
        await conn.fetchval("SELECT id FROM branches WHERE tenant_id = $1", tenant_id),
        [row["id"] for row in customers],
        await conn.fetchval("SELECT id FROM payment_methods WHERE tenant_id = $1 AND slug = 'cash'", tenant_id),
        service_id,
        staff_ids,
        _first_day(),
        [row["id"] for row in orders],
    )


async def _add_token(conn: Connection, tenant_id: UUID, client_id: UUID) -> str:
    token = new_token(tenant_id)
    await conn.execute(
        """
        INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, expires_at)
        VALUES ($1, $2, $3, 1, now() + interval '1 day')
        """,
        tenant_id,
        hash_secret(token),
        client_id,
    )
    return token


async def _open_session(conn: Connection, sandbox: Sandbox) -> str:
    user_id = await conn.fetchval("SELECT id FROM users WHERE email = $1", sandbox.email)
    attempt = SignInAttempt(sandbox.email, sandbox.password, False, "127.0.0.1", "bench")  # noqa: FBT003
    return await open_session(conn, user_id, attempt, at=sandbox.tenant_id)


async def add_member(conn: Connection, tenant_id: UUID, role: str) -> str:
    """Returns the token of the member's session."""
    user_id = uuid7()
    await conn.execute(
        """
        WITH person AS (
            INSERT INTO users (id, email, name, email_verified_at)
            VALUES ($2, $2::uuid || '@bench.example', 'Member', now()) RETURNING id
        )
        INSERT INTO memberships (tenant_id, user_id, role) SELECT $1, id, $3 FROM person
        """,
        tenant_id,
        user_id,
        role,
    )
    attempt = SignInAttempt("", "", False, "127.0.0.1", "bench")  # noqa: FBT003
    return await open_session(conn, user_id, attempt, at=tenant_id)


async def _add_service(conn: Connection, tenant_id: UUID, minutes: int, providers: int) -> tuple[UUID, list[UUID]]:
    service_id, staff_ids = uuid7(), [uuid7() for _ in range(providers)]
    await conn.execute(
        """
        WITH branch AS (SELECT id FROM branches WHERE tenant_id = $1), service AS (
            INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration)
            SELECT $1, $2, id, 'service', '{"ar": "قياس", "en": "Bench"}', 'bench', $2::uuid::text, 50, $3 FROM branch
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
    await conn.execute("SELECT add_row_count($1, 'items', 1)", tenant_id)
    return service_id, staff_ids


def _first_day() -> date:
    return datetime.now(UTC).date() + timedelta(days=2)
