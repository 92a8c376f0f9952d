"""How many messages the mail server of the installation gets for one business in a day.

A business that mails strangers without end would bring the sender's address of all businesses into disrepute.
"""

from uuid import UUID

import msgspec

from frontdesk.messages.queue_queries import ClaimedMessage, postpone_due
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.quota_queries import count_used, find_plan
from frontdesk.tenants.quotas import LIMITS, Quota
from frontdesk.tenants.types import Plan

WAIT_SECONDS = 3600.0
OVER_LIMIT = "daily limit"  # the answer of a message that waits


class DailyMessages(msgspec.Struct, frozen=True):
    sent: int
    limit: int

    @property
    def are_used_up(self) -> bool:
        return self.sent >= self.limit


async def count_daily_messages(conn: Connection, tenant_id: UUID, plan: str) -> DailyMessages:
    return DailyMessages(await count_used(conn, tenant_id, Quota.MESSAGES), LIMITS[Plan(plan)][Quota.MESSAGES])


async def has_room(conn: Connection, message: ClaimedMessage) -> bool:
    """False: all due messages of the business wait for an hour. What is too late then is not sent.

    Messages that are sent at the same moment do not see one another, so a few more than the limit may go out.
    """
    if message.tenant_id is None:
        return True
    plan = await find_plan(conn, message.tenant_id)
    if not (await count_daily_messages(conn, message.tenant_id, plan)).are_used_up:
        return True
    await postpone_due(conn, message, seconds=WAIT_SECONDS, answer=OVER_LIMIT)
    return False
