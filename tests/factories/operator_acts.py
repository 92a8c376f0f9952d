"""Acts of operators, as old as a test wants them."""

from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7


async def insert_operator_act(conn: Connection, age: str) -> UUID:
    id_ = uuid7()
    await conn.execute(
        """
        INSERT INTO operator_acts (id, created_at, operator_name, action)
        VALUES ($1, now() - $2::text::interval, 'root', 'sending.held')
        """,
        id_,
        age,
    )
    return id_
