"""The month by mail: chosen by a member, drawn as a PDF, and sent once."""

from datetime import UTC, datetime
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection, connect
from frontdesk.reports.mail_queue_queries import ReportQueue
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_rows
from tests.factories.users import make_user
from tests.support.dashboard import dashboard_of
from tests.support.servers.mail_server import MailServer
from tests.support.shop import Shop
from tests.support.waiting import eventually

CHOICE = "/reports/monthly"


async def next_mail(shop: Shop, user_id: UUID) -> datetime | None:
    rows = await shop.sql("SELECT next_mail_at FROM report_settings WHERE tenant_id = $1 AND user_id = $2", user_id)
    found: datetime | None = rows[0]["next_mail_at"] if rows else None
    return found


async def is_queued(shop: Shop, user_id: UUID) -> bool:
    """The next one is a month away."""
    at = await next_mail(shop, user_id)
    return at is not None and at > datetime.now(UTC)


async def test_a_month_is_mailed_once_to_those_who_chose_it(own_shop: Shop, server: MailServer) -> None:
    manager, other = await make_user(own_shop, Role.MANAGER), await make_user(own_shop, Role.OWNER)
    async with await dashboard_of(own_shop, manager) as desk:
        assert await next_mail(own_shop, manager) is None, "off until it is chosen"
        assert (await desk.post(CHOICE, {"mailed": "yes"})).status_code == 303
    assert await is_queued(own_shop, manager), "the first one is about the month of the choice"
    await change_rows(own_shop, "report_settings", next_mail_at=ago(hours=1))
    to = f"{manager.hex}@people.example"
    await eventually(lambda: bool(server.to(to)))
    (mail,) = server.to(to)
    (pdf,) = mail.iter_attachments()
    (row,) = await own_shop.sql("SELECT user_id, month FROM report_mails WHERE tenant_id = $1")
    assert row["user_id"] == manager
    month = row["month"]
    assert pdf.get_filename() == f"reports-{month:%Y-%m}.pdf"
    assert pdf.get_content().startswith(b"%PDF")
    assert mail["List-Unsubscribe"].endswith("/reports#monthly>")

    # The worker was killed before the next date was noted.
    await change_rows(own_shop, "report_settings", next_mail_at=ago(hours=1))

    async def is_noted() -> bool:
        return await is_queued(own_shop, manager)

    await eventually(is_noted)
    assert len(await own_shop.sql("SELECT id FROM report_mails WHERE tenant_id = $1")) == 1
    assert len(server.to(to)) == 1
    assert not server.to(f"{other.hex}@people.example")


async def test_a_member_whose_month_cannot_be_queued_keeps_nobody_waiting(own_shop: Shop, conn: Connection) -> None:
    stuck, other = await make_user(own_shop, Role.MANAGER), await make_user(own_shop, Role.OWNER)
    for user_id, hours in ((stuck, 2), (other, 1)):
        async with await dashboard_of(own_shop, user_id) as desk:
            assert (await desk.post(CHOICE, {"mailed": "yes"})).status_code == 303
        await change_rows(own_shop, "report_settings", {"user_id": user_id}, next_mail_at=ago(hours=hours))
    raw = await connect(own_shop.dsn)
    try:
        await raw.execute("SET lock_timeout = '50ms'")
        async with conn.transaction():
            locked = "SELECT FROM report_settings WHERE tenant_id = $1 AND user_id = $2 FOR UPDATE"
            await conn.execute(locked, own_shop.tenant_id, stuck)
            await ReportQueue().claim(Connection(raw), uuid7(), 1)
    finally:
        raw.terminate()
    assert not await is_queued(own_shop, stuck)
    assert await is_queued(own_shop, other)


async def test_the_mail_is_stopped_and_not_sent_to_who_lost_the_role(own_shop: Shop, server: MailServer) -> None:
    manager, former = await make_user(own_shop, Role.MANAGER), await make_user(own_shop, Role.MANAGER)
    for user_id in (manager, former):
        async with await dashboard_of(own_shop, user_id) as desk:
            assert (await desk.post(CHOICE, {"mailed": "yes"})).status_code == 303
    async with await dashboard_of(own_shop, manager) as desk:
        assert (await desk.post(CHOICE, {"mailed": "no"})).status_code == 303
    assert await next_mail(own_shop, manager) is None
    await change_rows(own_shop, "memberships", {"user_id": former}, role="receptionist")
    await change_rows(own_shop, "report_settings", {"user_id": former}, next_mail_at=ago(hours=1))

    async def is_dropped() -> bool:
        rows = await own_shop.sql("SELECT state FROM report_mails WHERE tenant_id = $1")
        return [row["state"] for row in rows] == ["dropped"]

    await eventually(is_dropped)
    assert not server.received
