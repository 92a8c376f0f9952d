"""The acts store the document of an order for GET /orders/{uuid}: whatever it shows, the next read shows its change."""

from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.factories.changes import change_rows
from tests.support.acts import refund_order
from tests.support.branch import BranchFixture, day, line, method_of, start
from tests.support.events import as_in_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document
from tests.support.shop import Shop


class StoredOrder:
    """A paid order of a customer with a tag."""

    def __init__(self, branch: BranchFixture, order_id: str, tag_id: UUID) -> None:
        self.branch, self.shop, self.order_id, self.tag_id = branch, branch.shop, order_id, tag_id

    async def rendered(self) -> Document:
        (row,) = await self.shop.sql("SELECT order_document($1, $2)::text AS document", UUID(self.order_id))
        document: Document = msgspec.json.decode(row["document"])
        return document

    async def read(self) -> Document:
        return as_in_events(msgspec.json.decode((await self.shop.get(f"/orders/{self.order_id}")).content)["data"])

    async def act(self, function: str, table: str | None = None, **argument: Any) -> None:
        """Calls a database function as the dashboard does, with the current version of the record."""
        if table is not None:
            select = f"SELECT version FROM {table} WHERE tenant_id = $1 AND id = $2"
            argument["version"] = (await self.shop.sql(select, UUID(argument["id"])))[0]["version"]
        argument["actor"] = {"type": "system", "id": None}
        await self.shop.sql(f"SELECT {function}($1, $2::jsonb)", msgspec.json.encode(argument).decode())


@pytest.fixture
async def stored(own_branch: BranchFixture) -> StoredOrder:
    service_id, tag_id = await own_branch.add_service(), uuid4()
    await own_branch.add_provider(service_id)
    payment = {"amount": 20, "payment_method_id": await method_of(own_branch.shop)}
    stored = StoredOrder(own_branch, "", tag_id)
    customer = str(own_branch.customer_id)
    await stored.act("tag_customer", id=customer, tag_id=str(tag_id), name="Stored", name_folded="stored")
    order = await own_branch.place(line(service_id), start=start(day(3), "10:00"), payment=payment)
    stored.order_id = order["id"]
    assert await stored.read() == await stored.read() == await stored.rendered()
    return stored


async def _pay(stored: StoredOrder, _conn: Connection) -> None:
    body = {"amount": 5, "payment_method_id": await method_of(stored.shop)}
    assert (await stored.shop.post(f"/orders/{stored.order_id}/payments", body)).status_code == 201


async def _cancel(stored: StoredOrder, _conn: Connection) -> None:
    await stored.branch.move(stored.order_id, "canceled")


async def _reschedule(stored: StoredOrder, _conn: Connection) -> None:
    moved = await stored.shop.post(f"/orders/{stored.order_id}/reschedule", {"start": start(day(3), "12:00")})
    assert moved.status_code == 200, moved.text


async def _refund(stored: StoredOrder, conn: Connection) -> None:
    tenant, order_id = await stored.shop.tenant(), UUID(stored.order_id)
    await refund_order(conn, tenant, order_id, RefundRequest(None, restock=False), Actor("system", None))


async def _rename_customer(stored: StoredOrder, _conn: Connection) -> None:
    changed = await stored.shop.request(
        "PATCH", f"/customers/{stored.branch.customer_id}", json={"first_name": "Noura"}
    )
    assert changed.status_code == 200, changed.text


async def _delete_tag(stored: StoredOrder, _conn: Connection) -> None:
    await stored.act("delete_tag", id=str(stored.tag_id))


async def _rename_payment_method(stored: StoredOrder, _conn: Connection) -> None:
    name = {"en": "Notes and coins", "ar": "نقد"}
    method_id = await method_of(stored.shop)
    await stored.act("update_payment_method", "payment_methods", id=method_id, name=name, active=True)


async def _close_branch(stored: StoredOrder, _conn: Connection) -> None:
    await stored.act("set_branch_active", "branches", id=str(stored.branch.branch_id), active=False)


async def _change_time_zone(stored: StoredOrder, _conn: Connection) -> None:
    await stored.shop.sql("UPDATE tenants SET timezone = 'UTC', version = version + 1 WHERE id = $1")


_CHANGES = [
    *(_pay, _cancel, _reschedule, _refund, _rename_customer, _delete_tag, _rename_payment_method, _close_branch),
    _change_time_zone,
]


@pytest.mark.parametrize("change", _CHANGES, ids=lambda change: change.__name__.strip("_"))
async def test_the_next_read_shows_a_change(stored: StoredOrder, conn: Connection, change: Any) -> None:
    before = await stored.read()
    await change(stored, conn)
    after = await stored.read()
    assert after != before
    assert after == await stored.rendered()


async def test_a_stored_document_is_the_response(stored: StoredOrder, other_shop: Shop) -> None:
    """Shown by another text in its place. It belongs to one business, and to the functions that rendered it."""
    fake = msgspec.json.encode({**await stored.read(), "order_number": "999999"})
    await change_rows(stored.shop, "order_documents", {"order_id": UUID(stored.order_id)}, document=fake.decode())
    assert (await stored.read())["order_number"] == "999999"
    assert_error(await other_shop.get(f"/orders/{stored.order_id}"), 404, "not_found")
    await stored.shop.sql("UPDATE order_documents SET versions = 'before' || versions WHERE tenant_id = $1")
    assert Decimal(str((await stored.read())["paid_amount"])) == 20


async def test_an_erased_customer_is_in_no_stored_document(stored: StoredOrder) -> None:
    customer = str(stored.branch.customer_id)
    await stored.act("erase_customer", "customers", id=customer, name="Erased", name_search="erased")
    assert not await stored.shop.sql(
        "SELECT FROM order_documents WHERE tenant_id = $1 AND order_id = $2", UUID(stored.order_id)
    )
    assert (await stored.read())["customer"]["first_name"] == "Erased"


async def test_a_refund_that_completes_another_shows_in_both(stored: StoredOrder, conn: Connection) -> None:
    tenant, order_id, actor = await stored.shop.tenant(), UUID(stored.order_id), Actor("system", None)
    first = await refund_order(conn, tenant, order_id, RefundRequest(amount=Decimal(5)), actor)
    await refund_order(conn, tenant, order_id, RefundRequest(), actor)
    shown = msgspec.json.decode((await stored.shop.get(f"/orders/{first}")).content)["data"]["transactions"]
    assert [transaction["status"] for transaction in shown] == ["refunded"]
