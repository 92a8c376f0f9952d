"""Mail in the language of the booking page, receipts, offers, mail to accounts; and what erasing leaves of it."""

from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row
from tests.factories.messages import set_reminder_hours
from tests.factories.used_up import forget_attempts
from tests.factories.users import change_user, make_user
from tests.messages.conftest import EMAIL
from tests.messages.test_sending import DAY, Visible, arrived, messages
from tests.support.applications import new_operator
from tests.support.branch import BranchFixture, line, method_of
from tests.support.dashboard import DashboardClient
from tests.support.servers.mail_server import MailServer, part
from tests.support.waiting import eventually
from tests.ui.booking_page.test_booking_page import SARA, BookableBranch, visitor


async def test_messages_have_the_language_of_the_booking_page(
    hair: BranchFixture, server: MailServer, conn: Connection
) -> None:
    shop = hair.shop
    await shop.sql("UPDATE branches SET status = false WHERE tenant_id = $1 AND id <> $2", hair.branch_id)
    cut = await hair.add_service(name={"en": "Cut", "ar": "قص"}, price="180", duration=60)
    staff = await hair.add_provider(cut)
    await change_row(shop, "staff", staff, name="Hessa", names='{"ar": "حصة"}')
    await change_row(shop, "branches", hair.branch_id, name="Olaya", names='{"ar": "العليا"}')
    bookable = BookableBranch(hair, cut, staff, staff, DAY)
    await conn.fetchval("SELECT queue_reminders($1)", shop.tenant_id)
    await forget_attempts(shop.dsn)
    async with visitor(shop) as browser:
        for language, clock in (("ar", "10:00"), ("en", "12:00")):
            form = await bookable.visit(browser, clock, lang=language)
            booked = await form.send(f"?lang={language}")
            assert booked.status_code == 303, booked.text
            await arrived(server, 1 if language == "ar" else 2)
    await set_reminder_hours(shop, 96)
    await conn.fetchval("SELECT queue_reminders($1)", shop.tenant_id)
    await arrived(server, 4)
    rows = await messages(hair)
    assert sorted((row["kind"], row["language"]) for row in rows) == [
        ("confirmation", "ar"),
        ("confirmation", "en"),
        ("reminder", "ar"),
        ("reminder", "en"),
    ]
    arabic, english = (part(mail, "html") for mail in server.to(SARA["email"])[:2])
    assert 'lang="ar" dir="rtl"' in arabic
    assert ("حصة" in arabic, "العليا" in arabic, "Hessa" in arabic, "Olaya" in arabic) == (True, True, False, False)
    assert ("حصة" in english, "العليا" in english, "Hessa" in english, "Olaya" in english) == (False, False, True, True)
    (known,) = await shop.sql("SELECT language FROM customers WHERE tenant_id = $1 AND email = $2", SARA["email"])
    assert known["language"] == "ar"  # of the first booking, for what concerns no order


async def test_an_offer_leads_to_the_booking_page_with_its_service_and_day(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30, name="Gloss")
    staff = await hair.add_provider(cut)
    entry = {"id": str(uuid7()), "act": "save", "customer": str(sara), "service": str(cut)}
    added = await desk.post("/waiting-list/new", entry | {"first_day": str(DAY), "last_day": str(DAY)})
    assert added.status_code == 303, added.text
    (waits,) = await hair.shop.sql("SELECT id FROM waiting_list WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1")
    begin = f"{DAY}T10:00:00+03:00"
    offer = {"starts_at": begin, "ends_at": f"{DAY}T10:30:00+03:00", "staff": str(staff)}
    for _ in range(2):  # a double click
        assert (await desk.post(f"/waiting-list/{waits['id']}/offer", offer)).status_code == 303
    await arrived(server, 1)
    (row,) = await messages(hair)
    assert row["kind"] == "waiting_list_offer"
    (link,) = [link for link in Visible(part(server.received[0], "html")).links if "/book/" in link]
    assert link in part(server.received[0], "plain")
    async with visitor(hair.shop) as browser:
        page = await browser.get(link)
    assert page.status_code == 200
    assert "Gloss" in page.text
    assert f'value="{DAY}T10:00 ' in page.text


async def test_a_receipt_is_mailed_and_an_erased_customer_leaves_nothing_in_the_messages(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    gloss = await hair.add_product(price="20")
    paid = await hair.place(
        line(gloss, "product"),
        customer_id=str(sara),
        payments=[{"payment_method_id": await method_of(hair.shop), "amount": "20.00"}],
    )
    path = f"/orders/{paid['id']}/receipt"
    wrong = await desk.post(f"{path}/mail", {"email": "nobody"})
    assert wrong.status_code == 422
    assert (await desk.post(f"{path}/mail", {"email": EMAIL})).status_code == 303
    await arrived(server, 1)
    (link,) = [link for link in Visible(part(server.received[0], "html")).links if "/receipts/" in link]
    async with visitor(hair.shop) as browser:
        assert (await browser.get(link)).status_code == 200
    server.answer = lambda email: f"550 {email} unknown"
    assert (await desk.post(f"{path}/mail", {"email": EMAIL})).status_code == 303

    async def is_refused() -> bool:
        return [row["state"] for row in await messages(hair)] == ["sent", "failed"]

    await eventually(is_refused)
    (version,) = await hair.shop.sql("SELECT version FROM customers WHERE tenant_id = $1 AND id = $2", sara)
    erased = await desk.post(f"/customers/{sara}/erase", {"version": str(version["version"])})
    assert erased.status_code == 303, erased.text
    for table in ("messages", "activity", "events"):
        rows = await hair.shop.sql(f"SELECT t::text AS row FROM {table} t WHERE tenant_id = $1")
        assert [row["row"] for row in rows if EMAIL in row["row"]] == [], table
    (kept, _) = await messages(hair)
    page = await desk.get(f"/settings/notices/messages/{kept['id']}")
    assert "What this message said is not kept." in page.text
    assert (await desk.get("/settings/notices")).status_code == 200


async def test_mail_to_an_account_is_sent_and_stands_on_the_console_of_operators_only(
    hair: BranchFixture, desk: DashboardClient, server: MailServer
) -> None:
    user = await make_user(hair.shop, None, name="Huda Saleh")
    email = f"{user.hex}@people.example"
    await forget_attempts(hair.shop.dsn)
    await change_user(hair.shop, user, password_hash="x")
    assert (await desk.post("/forgot-password", {"email": email}, page="/settings/account")).status_code == 200

    async def is_there() -> bool:
        return len(server.to(email)) == 1

    await eventually(is_there)
    (mail,) = server.to(email)
    (link,) = [link for link in Visible(part(mail, "html")).links if "token=" in link]
    assert link.startswith(hair.shop.origin)
    assert (await desk.http.get(link)).status_code == 200
    [row] = await eventually(  # written when the server has answered
        lambda: hair.shop.sql(
            "SELECT id, state FROM account_messages WHERE email = $2 AND secret IS NULL AND $1::uuid IS NOT NULL", email
        )
    )
    assert row["state"] == "sent"
    async with await new_operator(hair.shop) as operator:
        assert email in (await operator.get("/operator/messages")).text
        shown = (await operator.get(f"/operator/messages/{row['id']}")).text
        assert "Huda Saleh" in shown
        assert link.partition("token=")[2] not in shown
    assert email not in (await desk.get("/settings/notices")).text
    assert (await desk.get(f"/settings/notices/messages/{row['id']}")).status_code == 404
    assert (await desk.get("/operator/messages")).status_code in (403, 404)
