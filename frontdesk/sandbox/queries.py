"""Statements about sandboxes."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.query import Query, found, json_bytes, page_of
from frontdesk.problems import Problem
from frontdesk.sandbox.problems import SandboxProblem


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
