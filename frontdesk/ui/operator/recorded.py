"""Records what an operator does: who, what, about which business or account, from where, in which request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from frontdesk.activity.operator_acts import NOTHING, About, Operator, record_operator_act
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.context import PageContext

_log = structlog.get_logger("frontdesk.operator")


@asynccontextmanager
async def recorded(context: PageContext, action: str, about: About = NOTHING) -> AsyncIterator[Connection]:
    """A transaction that also records the act: neither happens without the other."""
    async with context.connection() as conn, conn.transaction():
        yield conn
        await record_act(context, conn, action, about)


async def record_act(context: PageContext, conn: Connection, action: str, about: About) -> None:
    operator = Operator(context.user.id, context.user.name, context.actor.address)
    await record_operator_act(conn, operator, action, about)
    ids = {"tenant": about.business, "user": about.user}
    texts = {name: str(value) for name, value in ids.items() if value is not None}
    _log.info("operator_act", act=action, operator=str(operator.id), request_id=context.request.request_id, **texts)
