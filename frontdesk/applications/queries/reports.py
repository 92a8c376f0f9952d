"""What businesses say about an application to the operator."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection


class Report(NamedTuple):
    id: UUID
    business: str
    reporter: str
    words: str
    created_at: datetime


async def insert_report(
    conn: Connection, report_id: UUID, application_id: UUID, business: str, reporter: str, words: str
) -> None:
    """Nothing if the form was sent twice."""
    await conn.execute(
        """
        INSERT INTO application_reports (id, application_id, business, reporter, words, created_at)
        VALUES ($1, $2, $3, $4, $5, pg_catalog.now()) ON CONFLICT (id) DO NOTHING
        """,
        report_id,
        application_id,
        business,
        reporter,
        words,
    )


async def list_open_reports(conn: Connection, application_id: UUID) -> list[Report]:
    rows = await conn.fetch(
        """
        SELECT id, business, reporter, words, created_at FROM application_reports
        WHERE application_id = $1 AND closed_at IS NULL ORDER BY created_at LIMIT 100
        """,
        application_id,
    )
    return [Report(*row) for row in rows]


async def close_report(conn: Connection, application_id: UUID, report_id: UUID) -> bool:
    return await conn.execute_one(
        "UPDATE application_reports SET closed_at = now() WHERE application_id = $1 AND id = $2 AND closed_at IS NULL",
        application_id,
        report_id,
    )


async def list_reported(conn: Connection) -> dict[UUID, int]:
    """How many reports are open about each application."""
    rows = await conn.fetch(
        "SELECT application_id, count(*) FROM application_reports WHERE closed_at IS NULL GROUP BY application_id"
    )
    return {row[0]: row[1] for row in rows}
