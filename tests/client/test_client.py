"""Reading, booking and paying through the synchronous and the asynchronous client, against a real server."""

import asyncio
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from frontdesk_client import ApiError, InlinePayment, OrderItemCreate
from tests.client.any_client import KINDS, AnyClient, client_of
from tests.factories.changes import delete_rows
from tests.factories.credentials import ApiClient, make_client
from tests.support.branch import NINE_TO_FIVE, day, line, open_branch, start
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = [pytest.mark.parametrize("kind", KINDS)]


async def first_free_slot(client: AnyClient, service_id: Any) -> str:
    free = await client.call("availability.search", service_id=service_id, date=day(1), next_availability=True)
    date, times = next((date, times) for date, times in free.slots.items() if times)
    return f"{date}T{times[0]}:00"


async def test_an_order_is_created_paid_completed_and_read(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    async with client_of(shop, kind) as client:
        (branch,) = await client.call("branches.list")
        haircut = (await client.call("items.list", type_="service"))[0]
        customer = await client.call("customers.create", first_name="Sara", phone="0501112233", phone_country="SA")
        assert (await client.call("customers.find_by_phone", "+966 50 111 2233")).id == customer.id
        assert await client.call("customers.find_by_phone", "+966500000001") is None
        order = await client.call(
            "orders.create",
            team_id=branch.id,
            customer_id=customer.id,
            start=await first_free_slot(client, haircut.id),
            items=[OrderItemCreate(id=haircut.id, type="service", unit_amount=Decimal("120.25"))],
            payment=InlinePayment(amount=Decimal("20.10"), payment_method_type="cash"),
        )
        assert (order.status, order.payment_status, order.total) == (
            "confirmed",
            "partially_paid",
            Decimal("120.25"),
        )
        cash = next(m for m in await client.call("payment_methods.list") if m.type.slug == "cash")
        paid = await client.call("orders.create_payment", order.id, amount=Decimal("100.15"), payment_method_id=cash.id)
        assert (paid.amount, paid.is_deposit) == ("100.15", False)
        done = await client.call("orders.update_status", order.id, "completed", note_for_status="Glad")
        assert (done.payment_status, done.remaining_amount) == ("paid", Decimal("0.00"))
        assert [change.note for change in done.status_history][-1] == "Glad"
        found = await client.call("transactions.list", order_id=order.id)
        assert [record.id for record in found] == [paid.id, order.transaction.id]


async def test_a_read_of_some_fields_yields_dictionaries(shop: Shop, kind: str) -> None:
    async with client_of(shop, kind) as client:
        some = AnyClient(client.client.only("id", "total"), is_sync=kind == "sync")
        orders = await client.call("orders.list")
        assert await some.call("orders.list", per_page=7) == [{"id": str(o.id), "total": o.total} for o in orders]
        assert await some.call("orders.get", orders[0].id) == {"id": str(orders[0].id), "total": orders[0].total}
        cities = AnyClient(client.client.only("city"), is_sync=kind == "sync")
        assert len(await cities.call("customers.list", per_page=7)) == 30
        assert await cities.call("customers.find_by_phone", "+966500000001") is None
        with pytest.raises(ApiError, match=r"fields\.1"):
            await some.call("staff.list")
        with pytest.raises(TypeError, match="POST /customers is no read"):
            await some.call("customers.create", first_name="Sara")


async def test_a_list_yields_every_record_once(shop: Shop, kind: str) -> None:
    async with client_of(shop, kind) as client:
        everything = await client.call("customers.list")
        assert len(everything) == (await shop.get("/customers")).json()["meta"]["total"] >= 30
        assert await client.call("customers.list", per_page=7) == everything
        since = date.today() - timedelta(days=7)  # noqa: DTZ011 - any day will do
        recent = await client.call("orders.list", from_=since, status="completed", per_page=3)
        assert {order.status for order in recent} == {"completed"}
        assert await client.call("customers.list", name="nobody has this name") == []


async def test_a_record_created_during_pagination_causes_no_duplicates(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    async with client_of(shop, kind) as client:
        paginator = client.client.customers.list(per_page=10)
        records = paginator.__iter__() if kind == "sync" else paginator.__aiter__()
        seen = [await next_record(records) for _ in range(10)]
        await shop.post("/customers", {"first_name": "Newcomer"})
        while (record := await next_record(records)) is not None:
            seen.append(record)
        assert len(seen) == len({record.id for record in seen}) == 30


async def next_record(records: Any) -> Any:
    if hasattr(records, "__anext__"):
        return await anext(records, None)
    return await asyncio.to_thread(next, records, None)


async def test_an_api_error_has_code_field_errors_and_request_id(shop: Shop, kind: str) -> None:
    async with client_of(shop, kind) as client:
        with pytest.raises(ApiError) as invalid:
            await client.call("customers.create", first_name="S", email="nowhere")
        assert (invalid.value.status, invalid.value.code) == (422, "validation_error")
        assert set(invalid.value.errors) == {"first_name", "email"}
        assert invalid.value.request_id
        with pytest.raises(ApiError) as unknown:
            await client.call("orders.get", "../branches")
        assert (unknown.value.status, unknown.value.code) == (404, "not_found")


async def test_a_token_is_requested_once_and_reused(shop: Shop, kind: str) -> None:
    own = await make_client(shop)
    async with client_of(shop, kind, by=own, scope="items:read") as client:
        for _ in range(3):
            await client.call("items.list")
        assert await count_tokens(own) == 1
        with pytest.raises(ApiError) as error:
            await client.call("orders.list")
        assert (error.value.code, error.value.details) == ("insufficient_scope", {"scope": "orders:read"})


async def test_a_rejected_token_is_renewed_once(shop: Shop, kind: str) -> None:
    own = await make_client(shop)
    async with client_of(shop, kind, by=own, token="unknown token") as client:
        await client.call("items.list")
        assert await count_tokens(own) == 1
        await delete_rows(shop, "access_tokens", client_id=own.id)
        await client.call("items.list")
        await own.change("disabled_at = now()")
        with pytest.raises(ApiError) as error:
            await client.call("items.list")
        assert (error.value.status, error.value.code) == (401, "authentication_failed")


async def test_a_token_is_renewed_before_it_expires(shop: Shop, kind: str) -> None:
    own = await make_client(shop)
    async with client_of(shop, kind, by=own) as client:
        await client.call("items.list")
        session = client.client.transport.session
        session.renew_at -= 31536000 - 299
        await client.call("items.list")
        assert await count_tokens(own) == 2


async def test_a_token_without_credentials_works_until_it_is_rejected(shop: Shop, kind: str) -> None:
    own = await make_client(shop)
    async with client_of(shop, kind) as other:
        plain = type(other.client)(
            f"{shop.origin}/open-api/v1", token=await own.token(), http_client=other.client.transport.http_client
        )
        assert await AnyClient(plain).call("branches.list")
        await own.change("disabled_at = now()")
        with pytest.raises(ApiError) as error:
            await AnyClient(plain).call("branches.list")
        assert error.value.status == 401


async def test_a_dry_run_answers_and_writes_nothing(shop: Shop, kind: str) -> None:
    own = await make_client(shop)
    name = f"Dry {kind}"
    async with client_of(shop, kind, by=own) as client:
        trial = client.client.dry_run()
        made = await AnyClient(trial, is_sync=kind == "sync").call("customers.create", first_name=name)
        assert made.first_name == name
        assert [event.type for event in trial.planned_events] == ["customer.created"]
        assert trial.planned_events[0].data["customer"]["first_name"] == name
        assert await client.call("customers.list", name=name) == []


async def test_a_dry_run_of_new_hours_tells_which_bookings_they_affect(service: Service, kind: str) -> None:
    branch = await open_branch(await service.new_shop())
    cut = await branch.add_service(duration=60)
    staff_id = await branch.add_provider(cut)
    await branch.set_hours(NINE_TO_FIVE)
    order = await branch.place(line(cut), start=start(day(3), "16:00"))
    async with client_of(branch.shop, kind) as client:
        trial = client.client.dry_run()
        hours = {"day": str(day(3)), "intervals": []}
        await AnyClient(trial, is_sync=kind == "sync").call("staff.set_hour_exception", staff_id, **hours)
        assert [str(booking.order_id) for booking in trial.affected_bookings] == [order["id"]]


async def count_tokens(client: ApiClient) -> int:
    rows = await client.shop.sql("SELECT FROM access_tokens WHERE tenant_id = $1 AND client_id = $2", client.id)
    return len(rows)
