"""Reading, booking and paying through the client, blocking and awaiting, against the service itself."""

import asyncio
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from frontdesk.client import ApiError, InlinePayment, OrderLine
from frontdesk.orders.types import Status
from tests.client.any_client import KINDS, AnyClient, client_of
from tests.support.clients import ApiClient, add_client
from tests.support.salon import day
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = [pytest.mark.parametrize("kind", KINDS)]


async def first_free(client: AnyClient, service_id: Any) -> str:
    free = await client.ask("availability.find", service_id=service_id, date=day(1), next_availability=True)
    on, clocks = next((on, clocks) for on, clocks in free.slots.items() if clocks)
    return f"{on}T{clocks[0]}:00"


async def test_a_booking_is_made_paid_changed_and_read_back(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    async with client_of(shop, kind) as client:
        (branch,) = await client.ask("branches.list")
        haircut = (await client.ask("items.list", type_="service"))[0]
        customer = await client.ask("customers.create", first_name="Sara", phone="0501112233", phone_country="SA")
        assert (await client.ask("customers.find_by_phone", "+966 50 111 2233")).id == customer.id
        assert await client.ask("customers.find_by_phone", "+966500000001") is None
        order = await client.ask(
            "orders.place",
            team_id=branch.id,
            customer_id=customer.id,
            start=await first_free(client, haircut.id),
            items=[OrderLine(id=haircut.id, type="service", unit_amount=Decimal("120.25"))],
            payment=InlinePayment(amount=Decimal("20.10"), payment_method_type="cash"),
        )
        assert (order.status, order.payment_status, order.total) == (
            Status.CONFIRMED,
            "partially_paid",
            Decimal("120.25"),
        )
        cash = next(m for m in await client.ask("payment_methods.list") if m.type.slug == "cash")
        paid = await client.ask("orders.pay", order.id, amount=Decimal("100.15"), payment_method_id=cash.id)
        assert (paid.amount, paid.is_deposit) == ("100.15", False)
        done = await client.ask("orders.set_status", order.id, Status.COMPLETED, note_for_status="Glad")
        assert (done.payment_status, done.remaining_amount) == ("paid", Decimal("0.00"))
        assert [change.note for change in done.status_history][-1] == "Glad"
        found = await client.ask("transactions.list", order_id=order.id)
        assert [one.id for one in found] == [paid.id, order.transaction.id]


async def test_a_list_is_gone_through_to_its_end_each_record_once(shop: Shop, kind: str) -> None:
    async with client_of(shop, kind) as client:
        whole = await client.ask("customers.list")
        assert len(whole) == (await shop.get("/customers")).json()["meta"]["total"] >= 30
        assert await client.ask("customers.list", per_page=7) == whole
        since = date.today() - timedelta(days=7)  # noqa: DTZ011 - any day will do
        recent = await client.ask("orders.list", from_=since, status="completed", per_page=3)
        assert {order.status for order in recent} == {Status.COMPLETED}
        assert await client.ask("customers.list", name="nobody has this name") == []


async def test_what_is_added_while_a_list_is_gone_through_repeats_nothing(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    async with client_of(shop, kind) as client:
        pages = client.client.customers.list(per_page=10)
        records = pages.__iter__() if kind == "blocking" else pages.__aiter__()
        seen = [await following(records) for _ in range(10)]
        await shop.post("/customers", {"first_name": "Newcomer"})
        while (record := await following(records)) is not None:
            seen.append(record)
        assert len(seen) == len({one.id for one in seen}) == 30


async def following(records: Any) -> Any:
    if hasattr(records, "__anext__"):
        return await anext(records, None)
    return await asyncio.to_thread(next, records, None)


async def test_a_refusal_tells_code_fields_details_and_request(shop: Shop, kind: str) -> None:
    async with client_of(shop, kind) as client:
        with pytest.raises(ApiError) as wrong:
            await client.ask("customers.create", first_name="S", email="nowhere")
        assert (wrong.value.status, wrong.value.code) == (422, "validation_error")
        assert set(wrong.value.errors) == {"first_name", "email"}
        assert wrong.value.request_id
        with pytest.raises(ApiError) as unknown:
            await client.ask("orders.get", "../items")
        assert (unknown.value.status, unknown.value.code) == (404, "not_found")


async def test_a_token_is_taken_once_and_kept(shop: Shop, kind: str) -> None:
    own = await add_client(shop)
    async with client_of(shop, kind, by=own, scope="items:read") as client:
        for _ in range(3):
            await client.ask("items.list")
        assert await tokens(own) == 1
        with pytest.raises(ApiError) as refused:
            await client.ask("orders.list")
        assert (refused.value.code, refused.value.details) == ("insufficient_scope", {"scope": "orders:read"})


async def test_a_token_that_is_refused_is_renewed_once(shop: Shop, kind: str) -> None:
    own = await add_client(shop)
    async with client_of(shop, kind, by=own, token="no token of this service") as client:
        await client.ask("items.list")
        assert await tokens(own) == 1
        await shop.sql("DELETE FROM access_tokens WHERE tenant_id = $1 AND client_id = $2", own.id)
        await client.ask("items.list")
        await own.change("disabled_at = now()")
        with pytest.raises(ApiError) as refused:
            await client.ask("items.list")
        assert (refused.value.status, refused.value.code) == (401, "authentication_failed")


async def test_a_token_is_renewed_before_it_ends(shop: Shop, kind: str) -> None:
    own = await add_client(shop)
    async with client_of(shop, kind, by=own) as client:
        await client.ask("items.list")
        session = client.client.way._session
        session.renew_at -= 31536000 - 299
        await client.ask("items.list")
        assert await tokens(own) == 2


async def test_a_token_alone_will_do_until_it_is_refused(shop: Shop, kind: str) -> None:
    other = await add_client(shop)
    async with client_of(shop, kind) as whole:
        plain = type(whole.client)(f"{shop.origin}/open-api/v1", token=await other.token(), http=whole.client.way.http)
        assert await AnyClient(plain).ask("branches.list")
        await other.change("disabled_at = now()")
        with pytest.raises(ApiError) as refused:
            await AnyClient(plain).ask("branches.list")
        assert refused.value.status == 401


async def tokens(client: ApiClient) -> int:
    rows = await client.shop.sql("SELECT FROM access_tokens WHERE tenant_id = $1 AND client_id = $2", client.id)
    return len(rows)
