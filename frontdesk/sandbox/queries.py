"""Statements about sandboxes."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, found, json_bytes, page_of
from frontdesk.problems import Problem
from frontdesk.sandbox.problems import SandboxProblem
from frontdesk.webhooks.queries import CLIENT


class SandboxState(msgspec.Struct, frozen=True):
    tenant_id: UUID
    is_sandbox: bool
    seconds_ahead: int | None  # None: its clock was never moved
    faults_left: int


def sandbox_state() -> Query[SandboxState]:
    return Query(
        """
        SELECT n.id AS business_id, n.is_sandbox, n.clock_ahead AS ahead,
               (SELECT count(*) FROM sandbox_faults WHERE tenant_id = $1 AND remaining > 0) AS faults_left
        FROM tenants n WHERE n.id = $1
        """,
        (),
        found("business", _state),
    )


def _state(row: Record) -> SandboxState:
    return SandboxState(row["business_id"], row["is_sandbox"], row["ahead"], row["faults_left"])


def get_clock() -> Query[bytes]:
    return Query(f"SELECT {json_bytes('sandbox_clock_document($1, $1)')} AS document", (), of_sandbox)


def of_sandbox(row: Record | None) -> bytes:
    """The document of a query that has none in other businesses."""
    if row is None or row["document"] is None:
        raise Problem(SandboxProblem.NOT_A_SANDBOX)
    found_document: bytes = row["document"]
    return found_document


def list_faults() -> Query[bytes]:
    """Oldest first."""
    return Query(
        f"""
        SELECT (SELECT {page_of("sandbox_fault_json(f)", "f.id")} FROM sandbox_faults f
                WHERE f.tenant_id = $1) AS document
        FROM tenants n WHERE n.id = $1 AND n.is_sandbox
        """,
        (),
        of_sandbox,
    )


class SnapshotState(msgspec.Struct, frozen=True):
    sandbox: SandboxState
    snapshots: int
    orders: int
    exists: bool  # the snapshot


def snapshot_state(snapshot_id: UUID) -> Query[SnapshotState]:
    return Query(
        """
        SELECT n.id AS business_id, n.is_sandbox, n.clock_ahead AS ahead, 0 AS faults_left,
               (SELECT count(*) FROM sandbox_snapshots WHERE tenant_id = $1) AS snapshots,
               (SELECT count(*) FROM orders WHERE tenant_id = $1) AS orders,
               EXISTS (SELECT s.id FROM sandbox_snapshots s WHERE s.tenant_id = $1 AND s.id = $2) AS is_there
        FROM tenants n WHERE n.id = $1
        """,
        (snapshot_id,),
        found("business", _snapshot_state),
    )


def _snapshot_state(row: Record) -> SnapshotState:
    return SnapshotState(_state(row), row["snapshots"], row["orders"], row["is_there"])


def list_snapshots() -> Query[bytes]:
    """Oldest first."""
    return Query(
        f"""
        SELECT (SELECT {page_of("sandbox_snapshot_json(s)", "s.id")} FROM sandbox_snapshots s
                WHERE s.tenant_id = $1) AS document
        FROM tenants n WHERE n.id = $1 AND n.is_sandbox
        """,
        (),
        of_sandbox,
    )


def get_conformance_report(client_id: UUID | None = None) -> Query[bytes]:
    """The newest of one client."""
    return Query(
        f"""
        SELECT n.is_sandbox, (SELECT {json_bytes(f"conformance_report_document($1, {CLIENT})")}) AS document
        FROM tenants n WHERE n.id = $1
        """,
        (client_id,),
        _of_client,
    )


def _of_client(row: Record | None) -> bytes:
    if row is None or not row["is_sandbox"]:
        raise Problem(SandboxProblem.NOT_A_SANDBOX)
    return document("conformance report")(row)


async def settle_sandbox(conn: Connection, tenant_id: UUID) -> bool:
    """Empties a sandbox, and takes its clock back. False for other businesses."""
    if not await conn.fetchval("SELECT is_sandbox FROM tenants WHERE id = $1 FOR NO KEY UPDATE", tenant_id):
        return False
    await conn.execute("SELECT settle_sandbox($1)", tenant_id)
    await conn.execute("SELECT empty_sandbox($1)", tenant_id)
    return True
