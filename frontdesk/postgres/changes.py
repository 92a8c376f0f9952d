"""Lists of what has changed since a moment."""

from datetime import datetime
from typing import NamedTuple

from frontdesk.postgres.pool import Connection
from frontdesk.values.pagination import BEFORE_ALL, ChangesSince


class ListOrder(NamedTuple):
    """The order of a list, forward and backward, and what its rows are narrowed to."""

    forward: str
    backward: str
    where: str = ""
    values: tuple[object, ...] = ()

    def of(self, row: str) -> str:
        """The forward order by the columns of a row."""
        return ", ".join(f"{row}.{column.strip()}" for column in self.forward.split(","))


def list_order(since: ChangesSince | None, forward: str, backward: str = "", *, first: int) -> ListOrder:
    """The given order, or that of the changes. Parameters of its condition are numbered from `$first`."""
    if since is None:
        return ListOrder(forward, backward)
    condition = f" AND (updated_at, id) > (${first}::timestamptz, ${first + 1}::uuid)"
    return ListOrder("updated_at, id", "updated_at DESC, id DESC", condition, (since.moment, since.after or BEFORE_ALL))


async def begin_of_open_transactions(conn: Connection) -> datetime:
    """No change that is committed from now on has an `updated_at` before this.

    A record gets its time between the begin and the commit of a transaction. The second covers the moment between the
    begin and when others can see it.
    """
    began: datetime = await conn.fetchval(
        """
        SELECT least(min(xact_start), pg_catalog.clock_timestamp()) - interval '1 second'
            + make_interval(secs => coalesce(session_clock(), 0))
        FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        """
    )
    return began
