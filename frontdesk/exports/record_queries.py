"""Statements for exports of records: the queue, the records, and the parts of the file."""

from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.custom_data.types import Kind
from frontdesk.exports.documents import ExportedResource
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, always, document, found, json_bytes, optional
from frontdesk.postgres.queue_scope import QueueScope
from frontdesk.postgres.queued_tenants import list_queued_tenants

LEASE_SECONDS = 60


class StoredExports(NamedTuple):
    open: int
    stored: int
    room_in_seconds: int  # until the first of those that are stored expires


class StoredExport(NamedTuple):
    """Of the client that asks."""

    resources: list[ExportedResource]
    status: str
    parts: int


class ClaimedExport(NamedTuple):
    tenant_id: UUID
    id: UUID
    resources: list[ExportedResource]
    origin: str
    client_id: UUID
    lease: UUID


class ExportedRecords(NamedTuple):
    lines: str
    number: int
    last: UUID


class LeaseLost(Exception):
    """The export was deleted, or another process took it over."""


def count_exports() -> Query[StoredExports]:
    return Query(
        """
        SELECT count(*) FILTER (WHERE status IN ('queued', 'running')) AS open,
               count(*) FILTER (WHERE expires_at > now()) AS stored,
               ceil(extract(epoch FROM min(expires_at) FILTER (WHERE expires_at > now()) - now())) AS room_in
        FROM record_exports WHERE tenant_id = $1
        """,
        (),
        always(lambda row: StoredExports(row["open"], row["stored"], int(row["room_in"] or 1))),
    )


# One that is under way does not expire: its day begins when it has ended.
_OF_CALLER = """tenant_id = $1 AND id = $2 AND client_id = context.caller_id
            AND (status IN ('queued', 'running') OR expires_at > now())"""


def get_export(export_id: UUID) -> Query[bytes]:
    return Query(
        f"SELECT {json_bytes('export_document($1, id)')} AS document FROM record_exports WHERE {_OF_CALLER}",
        (export_id,),
        document("export"),
    )


def export_to_send(export_id: UUID) -> Query[StoredExport]:
    return Query(
        f"SELECT resources, status, parts FROM record_exports WHERE {_OF_CALLER}",
        (export_id,),
        found("export", lambda row: StoredExport(_resources(row), row["status"], row["parts"])),
    )


def _resources(row: Record) -> list[ExportedResource]:
    return [ExportedResource(name) for name in row["resources"]]


async def read_part(conn: Connection, tenant_id: UUID, export_id: UUID, number: int) -> bytes | None:
    content: bytes | None = await conn.fetchval(
        "SELECT content FROM record_export_parts WHERE tenant_id = $1 AND export_id = $2 AND number = $3",
        tenant_id,
        export_id,
        number,
    )
    return content


def _own(kind: Kind, form: str) -> str:
    """With what the application of the client has stored with the record."""
    return f"with_custom_data($1, $5, '{kind}', k.id, ({form})::text)"


_BUSINESS = "(SELECT id AS tenant_id, id FROM tenants WHERE id = $1) own"
# The table of each resource, and the form of the record with the id k.id: that of its events. The database knows only
# the path of a picture; $4 is the origin and $5 the client that reads.
_FORMS = {
    ExportedResource.SETTINGS: (_BUSINESS, "settings_document($1)"),
    ExportedResource.BOOKING_PAGE: (_BUSINESS, "booking_page_document($1, k.id)"),
    ExportedResource.MESSAGE_SETTINGS: (_BUSINESS, "message_settings_document($1, k.id)"),
    ExportedResource.BRANCHES: ("branches", "branch_document($1, k.id)"),
    ExportedResource.DRAWER_SETTINGS: (_BUSINESS, "drawer_settings_document($1, k.id)"),
    ExportedResource.TAX_CLASSES: ("tax_classes", "tax_class_document($1, k.id)"),
    ExportedResource.CATEGORIES: ("categories", "category_document($1, k.id)"),
    ExportedResource.ITEMS: ("items", _own("item", "item_document($1, k.id)")),
    ExportedResource.PACKAGES: ("packages", "package_document($1, k.id)"),
    ExportedResource.STAFF: (
        "staff",
        _own(
            "staff",
            """(SELECT s.form || CASE WHEN s.form ->> 'image' LIKE '/%'
            THEN jsonb_build_object('image', $4::text || (s.form ->> 'image')) ELSE '{}' END
            FROM (SELECT staff_document($1, k.id)::jsonb AS form) s)""",
        ),
    ),
    ExportedResource.WORKING_HOURS: (
        "(SELECT * FROM working_hours WHERE tenant_id = $1 AND is_default) own",
        """(SELECT working_hours_json($1, w.branch_id, w.staff_id) FROM working_hours w
            WHERE w.tenant_id = $1 AND w.id = k.id)""",
    ),
    ExportedResource.HOUR_EXCEPTIONS: ("hour_exceptions", "hour_exception_document($1, k.id)"),
    ExportedResource.CLOSED_DAYS: (
        "(SELECT DISTINCT tenant_id, branch_id AS id FROM closed_days WHERE tenant_id = $1) own",
        "closed_days_document($1, k.id)",
    ),
    # What calendars elsewhere say is no time off.
    ExportedResource.TIME_OFF: (
        "(SELECT * FROM time_off WHERE tenant_id = $1 AND status <> 'outside') own",
        "time_off_document($1, k.id)",
    ),
    ExportedResource.PAYMENT_METHODS: ("payment_methods", "payment_method_document($1, k.id)"),
    ExportedResource.CUSTOMERS: ("customers", _own("customer", "customer_document($1, k.id)")),
    ExportedResource.WAITING_LIST: ("waiting_list", "waiting_entry_document($1, k.id)"),
    ExportedResource.ORDERS: ("orders", _own("order", "current_order_document($1, k.id)")),
    ExportedResource.TRANSACTIONS: ("transactions", "transaction_document($1, k.id)"),
}


def _statement(resource: ExportedResource, table: str, form: str) -> str:
    return f"""
        SELECT string_agg(
                   '{{"resource":"{resource}","record":' || ({form})::text || '}}', E'\\n' ORDER BY k.id) AS lines,
               count(*) AS number, (array_agg(k.id ORDER BY k.id DESC))[1] AS last
        FROM (SELECT id FROM {table} WHERE tenant_id = $1 AND id > $2 AND $4::text IS NOT NULL
                AND $5::uuid IS NOT NULL ORDER BY id LIMIT $3) k
        HAVING count(*) > 0"""


_STATEMENTS = {resource: _statement(resource, *form) for resource, form in _FORMS.items()}


def read_records(
    resource: ExportedResource, after: UUID, limit: int, export: ClaimedExport
) -> Query[ExportedRecords | None]:
    """By id; None at the end."""
    return Query(_STATEMENTS[resource], (after, limit, export.origin, export.client_id), optional(_records))


def _records(row: Record) -> ExportedRecords:
    return ExportedRecords(row["lines"], row["number"], row["last"])


async def last_sequence(conn: Connection, tenant_id: UUID) -> int:
    sequence: int = await conn.fetchval(
        "SELECT coalesce((SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'events'), 0)", tenant_id
    )
    return sequence


# One that waits or that no process writes any more, in a business of which none is being written.
_WAITS = "status IN ('queued', 'running') AND (leased_until IS NULL OR leased_until < now())"


async def claim_export(conn: Connection, lease: UUID, *, by_tenant: bool = False) -> ClaimedExport | None:
    """The oldest one of the business that has waited longest, if no process writes it.

    `by_tenant`: tenants are on different nodes, so those that wait are asked one after the other, in any order.
    """
    if not by_tenant:
        return await _claim(conn, lease, QueueScope(None, "$2"))
    for tenant_id in await list_queued_tenants(conn, "record_exports", _WAITS):
        claimed = await _claim(conn, lease, QueueScope(tenant_id, "$2"))
        if claimed is not None:
            return claimed
    return None


async def _claim(conn: Connection, lease: UUID, scope: QueueScope) -> ClaimedExport | None:
    row = await conn.fetchrow(
        f"""
        UPDATE record_exports e SET status = 'running', lease = $1,
            leased_until = now() + interval '{LEASE_SECONDS} seconds'
        FROM (
            SELECT w.tenant_id, w.id FROM record_exports w
            WHERE {scope.condition("w")} {_WAITS}
                AND NOT EXISTS (SELECT true FROM record_exports o WHERE o.tenant_id = {scope.tenant_of("w")}
                    AND o.status = 'running' AND o.leased_until > now())
            ORDER BY w.created_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) w
        WHERE e.tenant_id = {scope.tenant_of("w")} AND e.id = w.id
        RETURNING e.tenant_id, e.id, e.resources, e.url_origin, e.client_id
        """,
        lease,
        *scope.args,
    )
    if row is None:
        return None
    return ClaimedExport(row["tenant_id"], row["id"], _resources(row), row["url_origin"], row["client_id"], lease)


async def begin_export(conn: Connection, export: ClaimedExport, sequence: int) -> None:
    """Without what a process before has written."""
    await _change(conn, export, "sequence = $4, records = 0, parts = 0", sequence)
    await conn.execute(
        "DELETE FROM record_export_parts WHERE tenant_id = $1 AND export_id = $2", export.tenant_id, export.id
    )


async def add_part(conn: Connection, export: ClaimedExport, number: int, content: bytes, records: int) -> None:
    renewed = f"leased_until = now() + interval '{LEASE_SECONDS} seconds', records = $4, parts = $5"
    await _change(conn, export, renewed, records, number)
    await conn.execute(
        "INSERT INTO record_export_parts (tenant_id, export_id, number, content) VALUES ($1, $2, $3, $4)",
        export.tenant_id,
        export.id,
        number,
        content,
    )


# Leases are at the time of the machine; what the client is told, and until when it can read, at that of the business.
_TIME_OF_BUSINESS = """pg_catalog.now() + make_interval(secs => coalesce((
        SELECT t.clock_ahead FROM tenants t WHERE t.id = record_exports.tenant_id), 0))"""


async def end_export(conn: Connection, export: ClaimedExport, *, failed: bool) -> None:
    ended = f"""lease = NULL, leased_until = NULL, status = $4, finished_at = {_TIME_OF_BUSINESS},
        expires_at = {_TIME_OF_BUSINESS} + interval '1 day'"""
    await _change(conn, export, ended, "failed" if failed else "done")


async def release_export(conn: Connection, export: ClaimedExport) -> None:
    """When the server stops, so that another process does not wait for the end of the lease."""
    await _change(conn, export, "lease = NULL, leased_until = NULL")


async def _change(conn: Connection, export: ClaimedExport, columns: str, *values: object) -> None:
    changed = await conn.execute_one(
        f"UPDATE record_exports SET {columns} WHERE tenant_id = $1 AND id = $2 AND lease = $3",
        export.tenant_id,
        export.id,
        export.lease,
        *values,
    )
    if not changed:
        raise LeaseLost


async def delete_old_exports(conn: Connection, limit: int) -> int:
    """Of all tenants, after a day."""
    return await delete_batch(conn, "record_exports", f"expires_at < {_TIME_OF_BUSINESS}", limit)
