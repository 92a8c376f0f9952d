"""Puts a connection at the time of the business that it works for.

Sandboxes can move their clock ahead. A session for one of them names its offset in `frontdesk.clock`, and pg_catalog
last in its search_path, so that `now()`, `clock_timestamp()` and `statement_timestamp()` are the functions of ours of
these names. All other sessions are as PostgreSQL opens them: no business pays for the clocks of sandboxes.
"""

import asyncpg
from asyncpg import Record

# What is prepared on the connection is planned again after this, because its names mean other functions.
_MOVE = """
    SELECT set_config('search_path', s.reset_val || CASE WHEN $1 = '' THEN '' ELSE ', pg_catalog' END, false),
           set_config('frontdesk.clock', $1, false)
    FROM pg_catalog.pg_settings s WHERE s.name = 'search_path'
"""


async def move_session_clock(raw: "asyncpg.Connection[Record]", seconds: int | None) -> None:
    await raw.execute(_MOVE, "" if seconds is None else str(seconds))
