"""Two records become one without losing an order, and personal data is erased where it may be."""

import asyncio
import json
from uuid import UUID

import asyncpg
import pytest

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_product
from tests.factories.changes import ahead, change_row
from tests.factories.orders import change_order, make_order
from tests.factories.people import make_customer
from tests.factories.users import owner_of
from tests.support.branch import day, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop

KEPT_BY_LAW = {"invoices", "credit_notes"}


@pytest.fixture
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


async def order_for(own_shop: Shop, customer_id: UUID, paid: str = "10") -> UUID:
    order_id = await make_order(own_shop, 1, price="10", paid=paid)
    await change_order(own_shop, order_id, customer_id=customer_id)
    return order_id


async def row(own_shop: Shop, customer_id: UUID) -> asyncpg.Record:
    found: asyncpg.Record
    (found,) = await own_shop.sql("SELECT * FROM customers WHERE tenant_id = $1 AND id = $2", customer_id)
    return found


async def test_everything_that_refers_to_a_customer_is_moved_by_the_merge(conn: Connection) -> None:
    """A new reference to customers must be added to the function merge_customers."""
    tables = await conn.fetch(
        """
        SELECT c.conrelid::regclass::text AS name FROM pg_constraint c
        WHERE c.contype = 'f' AND c.confrelid = 'customers'::regclass ORDER BY 1
        """
    )
    source = await conn.fetchval("SELECT prosrc FROM pg_proc WHERE proname = 'merge_customers'")
    # What is said about the pair goes with the record that goes.
    moved = {table["name"] for table in tables} - {"distinct_customers"}
    assert moved >= {"orders", "customer_tags", "customer_notes", "customer_consents", "waiting_list"}
    assert [name for name in moved if name not in source] == []


async def test_a_merge_keeps_what_was_chosen_and_moves_the_rest(own_shop: Shop) -> None:
    kept, gone = await make_customer(own_shop, "Sara", "Al-Otaibi"), await make_customer(own_shop, "Sarah", "Otaibi")
    await change_row(own_shop, "customers", kept, city="Riyadh", note="Window chair")
    await change_row(own_shop, "customers", gone, city="Riyadh", note="No music", email="sara@letters.example")
    phone = (await row(own_shop, gone))["phone"]
    order_id = await order_for(own_shop, gone)
    (version,) = await own_shop.sql("SELECT version FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        for customer_id, tag, note in ((kept, "Loyal", "A"), (gone, "Colour", "B")):
            await desk.post(f"/customers/{customer_id}/tags", {"tag": tag})
            await desk.post(f"/customers/{customer_id}/notes", {"id": str(uuid7()), "text": note})
        await desk.post(f"/customers/{gone}/consent", {"how": "phone"})
        shown = await desk.get(f"/customers/{kept}/merge/{gone}")
        assert shown.status_code == 200
        assert "Both are kept" in shown.text
        form = {
            "version": str((await row(own_shop, kept))["version"]),
            "other_version": str((await row(own_shop, gone))["version"]),
            "phone": "other",
            "email": "other",
        }
        stale = await desk.post(f"/customers/{kept}/merge/{gone}", {**form, "other_version": "1"})
        assert stale.status_code == 422
        merged = await desk.post(f"/customers/{kept}/merge/{gone}", form)
        assert merged.status_code == 303, merged.text
        assert (await desk.get(f"/customers/{gone}")).headers["location"] == f"/customers/{kept}"
        assert (await desk.get(f"/customers/{kept}")).status_code == 200
    left = await row(own_shop, kept)
    assert (left["first_name"], left["phone"], left["email"], left["city"], left["note"]) == (
        "Sara",
        phone,
        "sara@letters.example",
        "Riyadh",
        "Window chair",
    )
    (order,) = await own_shop.sql("SELECT customer_id, version FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    assert (order["customer_id"], order["version"]) == (kept, version["version"] + 1)
    notes = await own_shop.sql("SELECT text FROM customer_notes WHERE tenant_id = $1 AND customer_id = $2", kept)
    assert {note["text"] for note in notes} == {"A", "B", "No music"}
    detail = (await own_shop.get(f"/customers/{kept}")).json()["data"]
    assert [tag["name"] for tag in detail["tags"]] == ["Colour", "Loyal"]
    assert (await own_shop.get(f"/customers/{gone}")).status_code == 404
    (event,) = await own_shop.sql("SELECT type, data FROM events WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1")
    assert event["type"] == "customer.updated"
    assert json.loads(event["data"])["customer"]["id"] == str(kept)
    (entry,) = await own_shop.sql("SELECT * FROM activity WHERE tenant_id = $1 AND action = 'customer.merged'")
    assert json.loads(entry["after"])["merged"] == "Sarah Otaibi"
    (count,) = await own_shop.sql(
        """
        SELECT value = (SELECT count(*) FROM customers WHERE tenant_id = $1) AS agrees
        FROM tenant_counters WHERE tenant_id = $1 AND name = 'rows:customers'
        """
    )
    assert count["agrees"]


async def test_orders_for_the_customer_that_goes_are_never_lost(own_shop: Shop) -> None:
    """Each order that is placed while two records are merged belongs to the remaining one, or is refused."""
    product_id = await make_product(own_shop, stock=500)
    kept, gone = await make_customer(own_shop), await make_customer(own_shop)
    (branch,) = await own_shop.sql("SELECT branch_id FROM items WHERE tenant_id = $1 AND id = $2", product_id)
    body = {
        "customer_id": str(gone),
        "branch_id": str(branch["branch_id"]),
        "items": [{"id": str(product_id), "type": "product", "quantity": 1}],
    }
    await own_shop.token()
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        token = await desk.form_token()

        async def merge() -> int:
            form = {"form_token": token, "version": "1", "other_version": "1"}
            path = f"/customers/{kept}/merge/{gone}"
            return (await desk.http.post(path, data=form, headers={"origin": desk.origin})).status_code

        orders = [own_shop.post("/orders", body) for _ in range(12)]
        merging = asyncio.ensure_future(merge())
        placed = await asyncio.gather(*orders)
        assert await merging == 303
    assert {answer.status_code for answer in placed} <= {201, 422}, [a.text for a in placed]
    created = [UUID(answer.json()["data"]["id"]) for answer in placed if answer.status_code == 201]
    stored = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND customer_id = $2", kept)
    assert {order["id"] for order in stored} == set(created)


async def erase(desk: DashboardClient, own_shop: Shop, customer_id: UUID) -> int:
    version = str((await row(own_shop, customer_id))["version"])
    return (await desk.post(f"/customers/{customer_id}/erase", {"version": version})).status_code


async def tables_with_text(own_shop: Shop) -> list[str]:
    found = await own_shop.sql(
        """
        SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE attname = 'tenant_id' AND relkind = 'r' AND relnamespace = 'public'::regnamespace AND $1::uuid IS NOT NULL
        """
    )
    return sorted({row["name"] for row in found} - KEPT_BY_LAW)


async def test_erasing_leaves_the_orders_and_nothing_personal(own_shop: Shop, other_shop: Shop) -> None:
    secret = "Zuhairsecret"
    body = {"first_name": secret, "email": f"{secret}@gmail.com", "phone": "0557770199", "phone_country": "SA"}
    created = await own_shop.post("/customers", body, headers={"idempotency-key": "created"})
    customer_id = UUID(created.json()["data"]["id"])
    duplicate = await make_customer(own_shop, secret, "Twice")
    order_id = await order_for(own_shop, customer_id)
    unpaid = await order_for(own_shop, customer_id, paid="5")
    method = await own_shop.first("/payment-methods")
    payment = {"amount": 1, "payment_method_id": method["id"], "note": f"{secret} owes the rest"}
    paid = await own_shop.post(f"/orders/{unpaid}/payments", payment, headers={"idempotency-key": "paid"})
    assert paid.status_code == 201, paid.text
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        await desk.post(f"/customers/{duplicate}/notes", {"id": str(uuid7()), "text": f"{secret} is early"})
        await desk.post(f"/customers/{customer_id}/consent", {"how": "phone"})
        await desk.post(f"/orders/{order_id}/status", {"status": "completed", "note": f"{secret} left a tip"})
        reason = {"amount": 1, "reason": f"{secret} did not like it"}
        refund = await own_shop.key_call("POST", f"/pos/orders/{order_id}/refunds", json=reason)
        assert refund.status_code == 201, refund.text
        versions = [str((await row(own_shop, id_))["version"]) for id_ in (customer_id, duplicate)]
        form = dict(zip(("version", "other_version"), versions, strict=True))
        assert (await desk.post(f"/customers/{customer_id}/merge/{duplicate}", form)).status_code == 303

        await change_row(own_shop, "orders", order_id, starts_at=ahead(days=1), status="confirmed")
        assert "1 coming visit" in (await desk.get(f"/customers/{customer_id}/erase")).text
        assert await erase(desk, own_shop, customer_id) == 422
        await change_row(own_shop, "orders", order_id, starts_at=None)
        assert await erase(desk, own_shop, customer_id) == 303
        assert await erase(desk, own_shop, customer_id) == 303  # again: nothing left to do
        shown = await desk.get(f"/customers/{customer_id}")
        assert "Erased customer" in shown.text
        assert secret not in shown.text
        edit = await desk.post(
            f"/customers/{customer_id}/edit", {"first_name": "Back", "type": "individual", "version": "99"}
        )
        assert edit.status_code == 303 or edit.status_code == 422
    for table in await tables_with_text(own_shop):
        rows = await own_shop.sql(f"SELECT t::text AS row FROM {table} t WHERE tenant_id = $1")
        assert [found["row"] for found in rows if secret.lower() in found["row"].lower()] == [], table
    responses = await own_shop.sql("SELECT body FROM idempotency_records WHERE tenant_id = $1")
    assert [found["body"] for found in responses if secret.lower() in found["body"].decode().lower()] == []
    again = await own_shop.post("/customers", body, headers={"idempotency-key": "created"})
    assert (again.status_code, again.json()["data"]["id"]) == (201, str(customer_id))
    again = await own_shop.post(f"/orders/{unpaid}/payments", payment, headers={"idempotency-key": "paid"})
    assert again.json()["data"] == {**paid.json()["data"], "note": None}
    (order,) = await own_shop.sql("SELECT customer_id FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    assert order["customer_id"] == customer_id
    detail = (await own_shop.get(f"/customers/{customer_id}")).json()["data"]
    assert (detail["email"], detail["phone"], detail["blocked"]) == (None, None, True)
    actions = await own_shop.sql(
        "SELECT action FROM activity WHERE tenant_id = $1 AND subject_id = $2 ORDER BY created_at DESC LIMIT 1",
        customer_id,
    )
    assert actions[0]["action"] == "customer.erased"


async def test_a_repeated_request_does_not_return_a_note_of_an_erased_customer(own_shop: Shop) -> None:
    branch = await open_branch(own_shop)
    customer_id = branch.customer_id
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    waits = {"customer_id": str(customer_id), "service_ids": [str(service_id)], "first_day": str(day(3)), "note": "ill"}
    requests = {
        f"/customers/{customer_id}/notes": {"text": "Is ill", "is_warning": True},
        "/waiting-list": waits,
    }
    made = [await own_shop.post(path, body, headers={"idempotency-key": path}) for path, body in requests.items()]
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        assert await erase(desk, own_shop, customer_id) == 303
    again = [await own_shop.post(path, body, headers={"idempotency-key": path}) for path, body in requests.items()]
    assert [answer.headers["idempotent-replayed"] for answer in again] == ["true", "true"]
    note, entry = (json_exact(answer, 201)["data"] for answer in again)
    assert note == {**made[0].json()["data"], "text": ""}
    assert entry == {**made[1].json()["data"], "note": None}


async def test_similar_customers_are_shown_until_they_are_marked_as_distinct(own_shop: Shop) -> None:
    one, other = (
        await make_customer(own_shop, "ساره", "Buyer-Alike"),
        await make_customer(own_shop, "سارة", "Buyer-Alike"),
    )
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        assert f"/customers/{one}/merge/{other}" in (await desk.get(f"/customers/{one}")).text
        found = await desk.get(f"/customers/{one}/merge?search=سارة buyer-alike")
        assert f'href="/customers/{one}/merge/{other}"' in found.text
        listed = (await desk.get("/customers/duplicates")).text
        assert f"/customers/{min(one, other)}/merge/{max(one, other)}" in listed
        assert (await desk.post(f"/customers/{other}/not-the-same/{one}")).status_code == 303
        assert str(one) not in (await desk.get("/customers/duplicates")).text
        assert f"/customers/{one}/merge/{other}" not in (await desk.get(f"/customers/{one}")).text
