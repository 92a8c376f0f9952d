"""Reads and writes all tables of a tenant. Names of tables and columns come from the catalog of the database."""

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.problems import not_found

# Who may sign in, programs and their secrets, what was only of use for a while, and numbers that are computed again.
LEFT_OUT_TABLES = frozenset(
    {
        "memberships",
        "invitations",
        "installs",
        "api_clients",
        "access_tokens",
        "authorization_codes",
        "api_keys",
        "request_log",
        "scope_usage",
        "used_operations",
        "customer_reads",
        "custom_data",  # its owners are applications of this installation
        "rate_windows",
        "webhooks",
        "webhook_deliveries",
        "webhook_attempts",
        "idempotency_records",
        "imports",
        "import_rows",
        "import_outcomes",
        "record_exports",
        "record_export_parts",
        "receipt_links",
        "calendar_feeds",
        "calendar_views",
        "external_calendars",
        "messages",
        "notifications",
        "notification_settings",
        "report_settings",
        "report_mails",
        "reminder_progress",
        "booking_links",
        "contact_codes",
        "holds",
        "order_documents",
        "last_writes",
        "booking_list_links",
        "tenant_erasures",
        "sandbox_faults",
        "sandbox_snapshots",
        "sandbox_snapshot_rows",
        "conformance_reports",
        "objects_to_check",
    }
)
_UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
_LEFT_OUT_COLUMNS = "secret|token|hash|password"  # a pattern of names
_LEFT_OUT_OF_PICTURES = ("content", "thumbnail", "object_id")  # files of their own, wherever they are stored here
LEFT_OUT_OF_TENANTS = ("id", "suspended_at", "suspended_reason", "deleted_at")
# Whose acts these were is not known here: an archive could name any user of this installation.
LEFT_OUT_WHEN_RESTORED = {"activity": ("actor_id", "approved_by"), "events": ("actor_id",)}
# The text of a message has links that open the booking, which are as good as the tokens in booking_links.
_ARCHIVED_AS = {
    ("events", "data"): """
        CASE WHEN t.type = 'message.due' THEN jsonb_set(t.data::jsonb, '{message}',
            t.data::jsonb -> 'message' || '{"subject": "", "text": "", "link": null}')::json ELSE t.data END"""
}


class ArchivedTable(NamedTuple):
    name: str
    columns: Sequence[str]  # without tenant_id, generated columns, and columns that refer to a left-out table
    key: Sequence[str]  # the primary key without the tenant


async def list_tables(conn: Connection) -> list[ArchivedTable]:
    """Tables of a tenant, each after those that it refers to."""
    rows = await conn.fetch(
        """
        SELECT c.relname AS name, ARRAY(
                SELECT a.attname::text FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                  AND a.attname <> 'tenant_id' AND a.attname !~ $2 AND NOT EXISTS (
                    SELECT FROM pg_constraint f JOIN pg_class g ON g.oid = f.confrelid
                    WHERE f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)
                      AND (g.relname = ANY ($1) OR g.relname IN ('users', 'applications')))
                ORDER BY a.attnum) AS columns, ARRAY(
                SELECT a.attname::text FROM pg_constraint k, unnest(k.conkey) WITH ORDINALITY u (number, position)
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.number
                WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attname <> 'tenant_id'
                ORDER BY u.position) AS key, ARRAY(
                SELECT DISTINCT g.relname::text FROM pg_constraint f JOIN pg_class g ON g.oid = f.confrelid
                WHERE f.conrelid = c.oid AND f.contype = 'f' AND g.oid <> c.oid) AS needs
        FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'tenant_id' AND t.attnotnull
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = to_regnamespace(current_schema())
          AND c.relname <> ALL ($1)
        ORDER BY c.relname
        """,
        list(LEFT_OUT_TABLES),
        _LEFT_OUT_COLUMNS,
    )
    waiting = {row["name"]: row for row in rows}
    ordered: list[ArchivedTable] = []
    while waiting:
        ready = [name for name, row in waiting.items() if not set(row["needs"]) & waiting.keys()]
        for name in ready:
            row = waiting.pop(name)
            columns = [c for c in row["columns"] if name != "pictures" or c not in _LEFT_OUT_OF_PICTURES]
            ordered.append(ArchivedTable(name, columns, row["key"]))
    return ordered


async def read_tenant(conn: Connection, tenant_id: UUID) -> dict[str, object]:
    row = await conn.fetchval(
        "SELECT (to_jsonb(t) - $2::text[])::text FROM tenants t WHERE id = $1", tenant_id, list(LEFT_OUT_OF_TENANTS)
    )
    if row is None:
        raise not_found("business")
    found: dict[str, object] = msgspec.json.decode(row)
    return found


async def copy_table(
    conn: Connection, tenant_id: UUID, table: ArchivedTable, write: Callable[[bytes], Coroutine[Any, Any, None]]
) -> None:
    """In the order of the key: a record comes after the one that it refers to in its own table, which is older.

    A row is one line: stored JSON may have line breaks between its values, never inside of one.
    """
    values = [(column, _ARCHIVED_AS.get((table.name, column), f"t.{column}")) for column in table.columns]
    pairs = ", ".join(f"'{column}', {value}" for column, value in values)
    order = ", ".join(["tenant_id", *table.key])
    await conn.copy_query(
        f"""
        SELECT translate(json_build_object({pairs})::text, E'\\n\\r\\t', '   ')
        FROM {table.name} t WHERE tenant_id = $1 ORDER BY {order}
        """,
        write,
        tenant_id,
    )


async def list_pictures(conn: Connection, tenant_id: UUID) -> AsyncIterator[tuple[UUID, bytes, bytes]]:
    """Those in the database, one by one, because each may have some hundred kilobytes."""
    rows = await conn.fetch("SELECT id FROM pictures WHERE tenant_id = $1 AND object_id IS NULL ORDER BY id", tenant_id)
    for row in rows:
        picture = await conn.fetchrow(
            "SELECT content, thumbnail FROM pictures WHERE tenant_id = $1 AND id = $2", tenant_id, row["id"]
        )
        if picture is not None:
            yield row["id"], picture["content"], picture["thumbnail"]


async def insert_restored_tenant(conn: Connection, tenant: Mapping[str, object], slug: str) -> None:
    """Columns that the archive does not have get their defaults."""
    known = await conn.fetch(
        """
        SELECT attname::text AS name FROM pg_attribute
        WHERE attrelid = 'tenants'::regclass AND attnum > 0 AND NOT attisdropped AND attname = ANY ($1)
        """,
        list(tenant),
    )
    columns = ", ".join(row["name"] for row in known)
    await conn.execute(
        f"INSERT INTO tenants ({columns}) SELECT {columns} FROM jsonb_populate_record(NULL::tenants, $1::jsonb)",
        msgspec.json.encode(tenant, enc_hook=str).decode(),
    )
    await conn.execute("INSERT INTO tenant_slugs (slug, tenant_id) VALUES ($1, $2)", slug, tenant["id"])


async def insert_rows(
    conn: Connection, tenant_id: UUID, table: ArchivedTable, columns: Sequence[str], lines: Sequence[bytes]
) -> None:
    names = ", ".join(columns)
    await conn.execute(
        f"""
        INSERT INTO {table.name} (tenant_id, {names})
        SELECT $1, {names} FROM json_populate_recordset(NULL::{table.name}, $2::json)
        """,
        tenant_id,
        (b"[" + b",".join(lines) + b"]").decode(),
    )


async def insert_picture(
    conn: Connection, tenant_id: UUID, columns: Sequence[str], line: bytes, content: bytes, thumbnail: bytes
) -> None:
    names = ", ".join(columns)
    await conn.execute(
        f"""
        INSERT INTO pictures (tenant_id, {names}, content, thumbnail)
        SELECT $1, {names}, $3, $4 FROM jsonb_populate_record(NULL::pictures, $2::jsonb)
        """,
        tenant_id,
        line.decode(),
        content,
        thumbnail,
    )


async def delete_external_busy_times(conn: Connection, tenant_id: UUID) -> None:
    """The archive has no addresses of calendars elsewhere, so their busy times would never be updated."""
    await conn.execute("DELETE FROM time_off WHERE tenant_id = $1 AND status = 'outside'", tenant_id)


async def has_open_api(conn: Connection, plan: str) -> bool:
    return bool(await conn.fetchval("SELECT open_api FROM plans WHERE code = $1", plan))


async def has_unreadable_activity(conn: Connection, tenant_id: UUID) -> bool:
    """Whether entries are of the future, or hold values that the pages of the activity cannot read."""
    found = await conn.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM activity a WHERE a.tenant_id = $1 AND (
                a.created_at > now() OR jsonb_typeof(a.before) <> 'object' OR jsonb_typeof(a.after) <> 'object'))
        OR EXISTS (
            SELECT FROM activity a, unnest(ARRAY[a.before, a.after]) v,
                unnest(ARRAY['branch_id', 'category_id', 'tax_class_id', 'method_id']) k
            WHERE a.tenant_id = $1 AND v ? k AND jsonb_typeof(v -> k) <> 'null'
                AND v ->> k !~* $2)
        """,
        tenant_id,
        _UUID,
    )
    return bool(found)


async def has_unreadable_events(conn: Connection, tenant_id: UUID) -> bool:
    """Whether events hold what the APIs and open pages cannot read, or what was for one client and is now for all."""
    found = await conn.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM events e
            LEFT JOIN tenant_counters c ON c.tenant_id = $1 AND c.name = 'events'
            WHERE e.tenant_id = $1 AND (
                e.created_at > now() OR e.sequence NOT BETWEEN 1 AND coalesce(c.value, 0)
                OR (e.visible_to_client_id IS NULL) = (e.type = 'webhook.ping' OR e.type LIKE 'app.%')
                OR json_typeof(e.data) <> 'object'
                OR e.type LIKE 'order.%' AND (e.data #>> '{order,id}' ~* $2) IS NOT TRUE
                OR e.type LIKE 'order.%' AND e.type <> 'order.arrived'
                    AND (json_typeof(e.data #> '{order,customer}') IN ('object', 'null')) IS NOT TRUE
                OR e.type = 'transaction.created' AND (e.data #>> '{transaction,order,id}' ~* $2) IS NOT TRUE))
        """,
        tenant_id,
        _UUID,
    )
    return bool(found)


async def rebuild_copies(conn: Connection, tenant_id: UUID) -> None:
    """What the acts compute from other rows is not read from the archive."""
    await conn.execute("SELECT rebuild_busy_days($1)", tenant_id)
    await conn.execute("SELECT rebuild_reports($1)", tenant_id)
