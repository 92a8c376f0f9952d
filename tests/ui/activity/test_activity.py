"""The activity: every change is recorded with its author, and nobody can change the record."""

import json
import re
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import asyncpg
import pytest

import frontdesk
from frontdesk.accounts.users import create_member
from frontdesk.auth.types import Role
from frontdesk.exports.archive import export_archive
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.administration import resume_tenant, suspend_tenant
from frontdesk.ui.activity.labels import ACTIONS
from frontdesk.ui.shell.changed_fields import FIELDS
from frontdesk.values.actor import COMMAND
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_service
from tests.factories.changes import change_rows, change_tenant
from tests.factories.orders import make_order
from tests.factories.users import make_user, owner_of
from tests.factories.webhooks import insert_delivery, insert_event, insert_webhook
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop
from tests.ui.imports.test_import import checked, run, undo


async def entries(own_shop: Shop, action: str) -> list[asyncpg.Record]:
    return await own_shop.sql("SELECT * FROM activity WHERE tenant_id = $1 AND action = $2 ORDER BY created_at", action)


async def test_a_change_is_recorded_with_who_what_and_from_where(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2)
    assert (
        await owner.post(f"/orders/{order_id}/status", {"status": "completed", "note": "well done"})
    ).status_code == 303
    (entry,) = await entries(own_shop, "order.status_changed")
    assert (entry["actor_type"], entry["actor_id"]) == ("user", await owner_of(own_shop))
    assert (entry["subject_id"], entry["address"]) == (order_id, "127.0.0.1")
    assert json.loads(entry["before"])["status"] == "confirmed"
    assert "well done" in entry["after"]
    page = (await owner.get("/activity")).text
    assert "changed the status of order" in page
    assert f"/orders/{order_id}" in page


async def test_the_activity_of_another_business_is_not_shown(
    own_shop: Shop, owner: DashboardClient, neighbour: Shop
) -> None:
    await make_order(neighbour, 1)
    assert "created order" not in (await owner.get("/activity")).text
    await make_order(own_shop, 1)
    assert "created order" in (await owner.get("/activity")).text


async def test_filters_and_paging(own_shop: Shop, owner: DashboardClient) -> None:
    await make_order(own_shop, 1)
    await owner.post(
        "/settings/members/invite",
        {"id": str(await owner_of(own_shop)), "email": "a@people.example", "role": "cashier"},
    )
    assert "invited" in (await owner.get("/activity?by=people")).text
    assert "created order" not in (await owner.get("/activity?by=people")).text
    assert "invited" not in (await owner.get("/activity?what=order")).text
    assert "Nothing matches" in (await owner.get("/activity?what=item")).text
    assert (await owner.get("/activity?from=2026-01-02&to=2026-01-01")).status_code == 422
    (last,) = await entries(own_shop, "invitation.created")
    older = (await owner.get(f"/activity?before={last['id']}")).text
    assert "created order" in older
    assert "invited" not in older


async def test_nobody_changes_or_deletes_an_entry(own_shop: Shop) -> None:
    await make_order(own_shop, 1)
    for statement in (
        "UPDATE activity SET actor_id = gen_random_uuid() WHERE tenant_id = $1",
        "UPDATE activity SET after = '{}' WHERE tenant_id = $1",
        "DELETE FROM activity WHERE tenant_id = $1",
    ):
        with pytest.raises(asyncpg.RestrictViolationError):
            await own_shop.sql(statement)


async def test_an_entry_can_be_redacted(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1)
    await own_shop.sql("SELECT redact_activity($1, $2)", order_id)
    (entry,) = await entries(own_shop, "order.created")
    assert (entry["subject"], entry["before"], entry["after"]) == (None, None, None)
    assert "a record that was erased" in (await owner.get("/activity")).text


async def test_only_managers_see_the_activity(own_shop: Shop) -> None:
    for role, status in ((Role.MANAGER, 200), (Role.RECEPTIONIST, 403), (Role.CASHIER, 403), (Role.PROVIDER, 403)):
        async with await dashboard_of(own_shop, await make_user(own_shop, role)) as desk:
            assert (await desk.get("/activity")).status_code == status


def test_every_recorded_action_has_words() -> None:
    package = Path(frontdesk.__file__).parent
    files = [*package.glob("postgres/functions/*.sql"), *package.rglob("*.py")]
    call = re.compile(r"record_activity\((.*?)\)\s*;|record_activity\((.*?)\n\s*\)?\n", re.DOTALL)
    actions = {
        action
        for file in files
        for found in call.findall(file.read_text("utf-8"))
        for action in re.findall(r"""['"]([a-z_]+\.[a-z_]+)['"]""", "".join(found))
    }
    assert len(actions) > 30
    assert actions - set(ACTIONS) == set()


async def test_what_changed_is_shown_in_the_words_of_the_page(own_shop: Shop, owner: DashboardClient) -> None:
    new = {"id": str(uuid7()), "type": "card", "name_ar": "مدى"}
    assert (await owner.post("/settings/payment-methods/new", new)).status_code == 303
    await owner.post("/language", {"language": "ar"})
    shown = texts((await owner.get("/activity")).text)
    assert "النوع بطاقة" in shown
    assert "card" not in shown


async def test_an_entry_has_names_dates_and_amounts_as_pages_show_them(own_shop: Shop, owner: DashboardClient) -> None:
    """Not ids, dates of the database, numbers without a currency, or names in the other language."""
    classes = "/settings/business/tax-classes/new"
    reduced = {
        "name_en": "Reduced",
        "name_ar": "مخفضة",
        "rate": ["5", "7.5"],
        "starts_on": ["2026-01-01", "2027-02-01"],
    }
    await owner.post(classes, {**form_fields((await owner.get(classes)).text, classes), **reduced})
    (tax_class,) = await own_shop.sql("SELECT id FROM tax_classes WHERE tenant_id = $1 AND name ->> 'en' = 'Reduced'")
    service_id = await make_service(own_shop, name={"en": "Trim", "ar": "تقليم"})
    item = f"/catalogue/{service_id}"
    offer = {"offer_price": "20", "offer_from": "2021-12-01", "offer_until": "2021-12-31"}
    entered = {**form_fields((await owner.get(item)).text, item), **offer, "tax_class": str(tax_class["id"])}
    assert (await owner.post(item, entered)).status_code == 303
    pay = f"/orders/{await make_order(own_shop, 1)}/pay"
    await owner.post(pay, form_fields((await owner.get(pay)).text, pay))
    shown = texts((await owner.get("/activity?by=people")).text)
    for text in (
        "Tax class Reduced",
        "Offer from 1 Dec 2021",
        "Offer price SAR \u206620.00\u2069",
        "5% from 1 Jan 2026, 7.5% from 1 Feb 2027",
        "Payment method",
    ):
        assert text in shown
    assert "2021-12" not in shown
    package = "/catalogue/packages/new"
    made = {"name_en": "Duo", "name_ar": "ثنائي", "price": "50", "part": [str(service_id)], "quantity": ["2"]}
    entered = {**form_fields((await owner.get("/catalogue/new?type=package")).text, package), **made}
    assert (await owner.post(package, entered)).status_code == 303
    await owner.post("/language", {"language": "ar"})
    arabic = texts((await owner.get("/activity?by=people")).text)
    for text in ("فئة الضريبة مخفضة", "أضاف الباقة ثنائي", "2 × تقليم"):
        assert text in arabic
    assert "العرض من: 1 ديسمبر 2021" in (await owner.get("/export/activity.csv?what=item")).text


async def test_a_move_in_a_list_is_in_the_activity_once(own_shop: Shop, owner: DashboardClient) -> None:
    (second,) = await own_shop.sql(
        "SELECT id FROM staff WHERE tenant_id = $1 AND active "
        'ORDER BY sort_order, name_search COLLATE "C" OFFSET 1 LIMIT 1'
    )
    (category,) = await own_shop.sql(
        "SELECT id FROM categories WHERE tenant_id = $1 ORDER BY sort_order, id OFFSET 1 LIMIT 1"
    )
    for _ in range(2):  # the second time it is the first already
        await owner.post(f"/staff/{second['id']}/place", {"direction": "up"})
        await owner.post(f"/catalogue/categories/{category['id']}/move", {"to": "up"})
    recorded = await own_shop.sql(
        "SELECT action FROM activity WHERE tenant_id = $1 AND after ? 'sort_order' ORDER BY action"
    )
    assert [row["action"] for row in recorded] == ["category.updated", "staff_member.updated"]


async def test_acts_on_webhooks_and_the_order_of_payment_methods_are_recorded(
    own_shop: Shop, owner: DashboardClient
) -> None:
    methods = await own_shop.sql(
        "SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id IS NULL ORDER BY sort_order, created_at, id"
    )
    await owner.post(f"/settings/payment-methods/{methods[1]['id']}/move", {"move": "up"})
    (moved,) = await entries(own_shop, "payment_method.updated")
    assert (moved["subject_id"], json.loads(moved["before"]), json.loads(moved["after"])) == (
        methods[1]["id"],
        {"sort_order": 2},
        {"sort_order": 1},
    )
    (client,) = await own_shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL")
    url = "https://receiver.example/hook"
    webhook = await insert_webhook(own_shop, client["id"], url)
    delivery = await insert_delivery(own_shop, webhook, await insert_event(own_shop))
    page = f"/settings/api/clients/{client['id']}/webhooks/{webhook}"
    for act in ("ping", f"deliveries/{delivery}/again"):
        assert (await owner.post(f"{page}/{act}", {})).status_code == 303
    await insert_delivery(own_shop, webhook, await insert_event(own_shop))
    assert (await owner.post(f"{page}/again", {})).status_code == 303
    recorded = [*await entries(own_shop, "webhook.pinged"), *await entries(own_shop, "webhook.sent_again")]
    assert [(row["actor_id"], row["subject"]) for row in recorded] == [(await owner_of(own_shop), url)] * 3


async def test_what_an_operator_does_to_a_business_is_recorded(own_shop: Shop, conn: Connection) -> None:
    await suspend_tenant(conn, own_shop.tenant_id, "unpaid", COMMAND)
    await resume_tenant(conn, own_shop.tenant_id, COMMAND)
    await create_member(
        conn, own_shop.tenant_id, "nora@people.example", "Nora", "a long pass phrase", Role.CASHIER, COMMAND
    )
    for action, after in (("business.suspended", None), ("business.resumed", None), ("member.added", '"cashier"')):
        (entry,) = await entries(own_shop, action)
        assert (entry["actor_type"], entry["address"]) == ("system", "command")
        assert (after or "") in (entry["after"] or "")
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.MANAGER)) as manager:
        page = (await manager.get("/activity?what=business")).text
    assert "suspended the business" in page
    assert "Command line" in page
    assert "unpaid" not in page


async def test_an_import_is_recorded_for_the_user_who_ran_and_undid_it(own_shop: Shop, owner: DashboardClient) -> None:
    manager = await make_user(own_shop, Role.MANAGER)
    path = await checked(owner, "Name,Mobile\nLulwa,0502207781\n")
    async with await dashboard_of(own_shop, manager) as desk:
        await run(desk, path)
    await undo(owner, path)
    actors = [(await entries(own_shop, f"import.{act}"))[0]["actor_id"] for act in ("uploaded", "finished", "undone")]
    assert actors == [await owner_of(own_shop), manager, await owner_of(own_shop)]


async def test_decisions_about_an_import_are_recorded(own_shop: Shop, owner: DashboardClient) -> None:
    path = await checked(owner, b"Who,Phone\nSara Omar,0501112224\n")
    chosen = {"version": "2", "column": ["full_name", "phone"], "country": "AE"}
    assert (await owner.post(f"{path}/columns", chosen)).status_code == 303
    (changed,) = await entries(own_shop, "import.columns_changed")
    assert (changed["actor_type"], changed["subject"]) == ("user", "table.csv")
    assert json.loads(changed["before"]) == {"columns": [["Who", ""]], "country": "SA"}
    assert json.loads(changed["after"]) == {"columns": [["Who", "full_name"]], "country": "AE"}
    leased = datetime.now(UTC) + timedelta(hours=1)  # so that the worker does not run it
    await change_rows(own_shop, "imports", status="running", lease=uuid7(), leased_until=leased)
    assert (await owner.post(f"{path}/stop", {})).status_code == 303
    assert [entry["subject"] for entry in await entries(own_shop, "import.stopped")] == ["table.csv"]
    page = (await owner.get("/activity?what=import")).text
    assert "Who: First and last name" in page
    assert "stopped the import of" in page


async def test_the_end_of_the_set_up_list_is_recorded(own_shop: Shop, owner: DashboardClient) -> None:
    await change_tenant(own_shop, setup_hidden_at=None)
    for _ in range(2):
        await owner.post("/setup/hide", {})
    assert len(await entries(own_shop, "business.setup_hidden")) == 1
    await change_tenant(own_shop, setup_hidden_at=None)
    await owner.get("/setup")
    assert len(await entries(own_shop, "business.set_up")) == 1


async def test_an_archive_that_a_command_writes_is_recorded(own_shop: Shop) -> None:
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        await export_archive(lambda: nullcontext(conn), own_shop.tenant_id, BytesIO(), COMMAND, None)
    (entry,) = await entries(own_shop, "export.downloaded")
    assert (entry["actor_type"], entry["address"], entry["subject"]) == ("system", "command", "business")


async def test_changes_of_settings_have_the_labels_of_their_pages(
    own_shop: Shop, owner: DashboardClient, conn: Connection
) -> None:
    shown = form_fields((await owner.get("/settings/notices")).text, "/settings/notices")
    times = {**shown, "reminder_hours": "5 h", "quiet_from": "22:30", "quiet_until": "08:00"}
    assert (await owner.post("/settings/notices", times)).status_code == 303
    page = texts((await owner.get("/activity")).text)
    assert "Reminder, hours before 24 5" in page
    assert "22:30" in page
    named = await conn.fetch(
        """
        SELECT column_name AS name FROM information_schema.columns
        WHERE table_name IN ('message_settings', 'booking_page_settings', 'calendar_settings')
        """
    )
    unlabelled = {column["name"] for column in named} - set(FIELDS) - {"version", "updated_at"}
    assert {name for name in unlabelled if not name.endswith("_id")} == set()
