"""Refuses a PostgreSQL that is too old, or that is behind a connection pooler which shares or forgets sessions."""

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.connect import connect

MIN_SERVER = 15
_ATTEMPTS = 5
POOLER_REFUSAL = (
    "the database is behind a connection pooler such as PgBouncer, {why}: let FRONTDESK_DATABASE_URL name PostgreSQL "
    "itself, because Frontdesk has a pool of its own{other}"
)


async def check_server(raw: "asyncpg.Connection[Record]", dsn: str) -> None:
    version = raw.get_server_version()
    if version.major < MIN_SERVER:
        raise StartupError(
            f"PostgreSQL {version.major} is too old: point FRONTDESK_DATABASE_URL at version {MIN_SERVER} or newer"
        )
    await _check_session(raw, dsn)


async def check_unused(raw: "asyncpg.Connection[Record]") -> None:
    """Before a command that nothing else may work beside."""
    if await raw.fetchval(
        """
        SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                       AND pid <> pg_backend_pid() AND application_name = 'frontdesk')
        """
    ):
        raise StartupError("Frontdesk is running on this database: stop it first")


async def _check_session(raw: "asyncpg.Connection[Record]", dsn: str) -> None:
    """PostgreSQL tells each client the id of its process. A pooler makes up another one."""
    if await _process_id(raw) == raw.get_server_pid():
        return
    if await _shares_sessions(raw, dsn):
        why = "which gives one session to several connections (transaction or statement mode)"
        raise StartupError(POOLER_REFUSAL.format(why=why, other=", or set pool_mode = session"))
    if await raw.fetchval("SELECT current_setting('statement_timeout')") == "0":
        why = "which drops the settings of a session, so that no statement has a time limit"
        raise StartupError(
            POOLER_REFUSAL.format(why=why, other=", or set them with ALTER ROLE … SET statement_timeout = '10s'")
        )


async def _shares_sessions(raw: "asyncpg.Connection[Record]", dsn: str) -> bool:
    """Two connections that are open at once were answered by the same process. Others may use the pooler too."""
    second = await connect(dsn)
    try:
        for _ in range(_ATTEMPTS):
            if await _process_id(raw) == await _process_id(second):
                return True
        return False
    finally:
        await second.close()


async def _process_id(raw: "asyncpg.Connection[Record]") -> int:
    found: int = await raw.fetchval("SELECT pg_backend_pid()")
    return found
