"""Rows that belong to no tenant, as another version of the program would have left them."""

from frontdesk.postgres.pool import Connection


async def insert_later_migration(conn: Connection) -> None:
    await conn.execute(
        "INSERT INTO schema_migrations (number, name, digest, programs_from) "
        "VALUES (9999, '9999_later.sql', '', '99.0.0')"
    )


async def insert_unknown_zone(conn: Connection, name: str) -> None:
    """A time zone that this release of tzdata does not have."""
    await conn.execute("INSERT INTO time_zones (name, release) VALUES ($1, '')", name)
