"""What a connection keeps between its statements."""

from frontdesk.postgres.connect import connect


async def test_a_long_statement_is_planned_once_in_a_connection(dsn: str) -> None:
    """The statement of the till is longer than what asyncpg keeps by default."""
    names = ", ".join(f"$1::integer + {number} AS column_{number}" for number in range(1500))
    statement = f"SELECT {names}"
    assert len(statement) > 15 * 1024
    raw = await connect(dsn)
    try:
        for argument in range(3):
            await raw.fetchrow(statement, argument)
        kept = await raw.fetch("SELECT generic_plans FROM pg_prepared_statements WHERE statement = $1", statement)
    finally:
        await raw.close()
    assert [row["generic_plans"] for row in kept] == [3]
