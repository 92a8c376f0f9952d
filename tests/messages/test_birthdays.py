"""Greetings: on the day, once, to those who agreed to news, and only if the business has switched them on."""

from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.postgres.pool import Connection
from tests.factories.changes import change_row
from tests.factories.customers import give_consent
from tests.factories.messages import set_reminder_progress
from tests.factories.people import make_customer
from tests.messages.conftest import EMAIL
from tests.messages.test_sending import arrived, messages
from tests.support.branch import BranchFixture, day, local
from tests.support.dashboard import DashboardClient
from tests.support.servers.mail_server import MailServer, part
from tests.support.shop import Shop

BIRTHDAY = day(8)  # of nobody in the demo data; the worker greets those of today by itself


async def greet(conn: Connection, shop: Shop, at: datetime) -> int:
    queued: int = await conn.fetchval("SELECT queue_birthdays($1, 'Asia/Riyadh', 'en', $2)", shop.tenant_id, at)
    return queued


async def born_on(shop: Shop, birthday: str, *, agreed: bool = True, email: str | None = "") -> UUID:
    customer_id = await make_customer(
        shop, "Born", birthday, email=f"born{birthday}@example.com" if email == "" else email
    )
    await change_row(shop, "customers", customer_id, birthday=birthday)
    if agreed:
        await give_consent(shop, customer_id)
    return customer_id


async def switch(desk: DashboardClient, on: str, version: int) -> None:
    answer = await desk.post("/settings/notices/switch", {"version": str(version), "kind": "birthday", "on": on})
    assert answer.status_code == 303, answer.text


async def test_a_greeting_is_sent_once_to_those_who_agreed(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer, conn: Connection
) -> None:
    shop, today = hair.shop, f"--{BIRTHDAY:%m-%d}"
    await change_row(shop, "customers", sara, birthday=f"1990-{BIRTHDAY:%m-%d}" if today != "--02-29" else today)
    await give_consent(shop, sara)
    await born_on(shop, today, agreed=False)
    await born_on(shop, today, email=None)
    await change_row(shop, "customers", await born_on(shop, today), blocked=True)
    await born_on(shop, f"--{BIRTHDAY + timedelta(days=2):%m-%d}")
    await set_reminder_progress(shop, local(BIRTHDAY, "00:00"))
    await switch(desk, "yes", 0)
    assert await greet(conn, shop, local(BIRTHDAY, "08:59")) == 0  # nobody is woken up
    assert await greet(conn, shop, local(BIRTHDAY, "09:00")) == 1
    assert await greet(conn, shop, local(BIRTHDAY, "15:00")) == 0
    await arrived(server, 1)
    (mail,) = server.to(EMAIL)
    (business,) = await shop.sql("SELECT name FROM tenants WHERE id = $1")
    assert mail["Subject"] == f"Happy birthday from {business['name']}"
    assert "All of us wish you a wonderful day" in part(mail, "plain")
    # The link in it withdraws the consent, and gives it again.
    address = str(mail["List-Unsubscribe"]).strip("<>")
    for expected, fields in (("You get no more news.", {}), ("News and greetings", {"again": "yes"})):
        answer = await desk.http.post(address, data={"List-Unsubscribe": "One-Click", **fields})
        assert expected in answer.text
    rows = await shop.sql(
        "SELECT how, withdrawn_at FROM customer_consents WHERE tenant_id = $1 AND customer_id = $2 ORDER BY given_at",
        sara,
    )
    assert [(row["how"], row["withdrawn_at"] is None) for row in rows] == [("in_person", False), ("online", True)]


async def test_the_29th_of_february_is_greeted_on_the_28th_in_other_years(own_shop: Shop, conn: Connection) -> None:
    leapling = await born_on(own_shop, "2000-02-29")
    await born_on(own_shop, "--02-28")
    await set_reminder_progress(own_shop, local(BIRTHDAY, "00:00"))
    for at, queued in (
        ("2027-02-28T10:00+03:00", 2),
        ("2027-03-01T10:00+03:00", 0),
        ("2028-02-28T10:00+03:00", 1),
        ("2028-02-29T10:00+03:00", 1),
    ):
        assert await greet(conn, own_shop, datetime.fromisoformat(at)) == queued, at
    rows = await own_shop.sql("SELECT FROM messages WHERE tenant_id = $1 AND customer_id = $2", leapling)
    assert len(rows) == 2


async def test_greetings_are_off_at_first_and_end_with_the_switch_or_the_consent(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, conn: Connection
) -> None:
    shop = hair.shop
    await conn.fetchval("SELECT queue_reminders($1)", shop.tenant_id)
    (progress,) = await shop.sql("SELECT birthdays_on FROM reminder_progress WHERE tenant_id = $1")
    assert progress["birthdays_on"] is None  # nobody was looked for
    assert "Happy birthday" in (await desk.get("/settings/notices?kind=birthday")).text
    await switch(desk, "yes", 0)
    await change_row(shop, "customers", sara, birthday=f"--{BIRTHDAY:%m-%d}")
    await give_consent(shop, sara)
    assert await greet(conn, shop, local(BIRTHDAY, "09:00")) == 1
    await switch(desk, "no", 1)
    assert [(row["state"], row["answer"]) for row in await messages(hair)] == [("dropped", "stopped")]
    words = {"version": "2", "kind": "birthday", "words_en": "Until {day} you get ten percent."}
    refused = await desk.post("/settings/notices/words", words)
    assert refused.status_code == 422  # a greeting is about no booking
    saved = await desk.post("/settings/notices/words", {**words, "words_en": "A gift for {name} of {business}."})
    assert saved.status_code == 303
