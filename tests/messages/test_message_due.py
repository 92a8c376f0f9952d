"""`message.due`: an application sends a message instead of the mail, or the mail goes out once."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec

from tests.factories.changes import ago, change_row, change_rows, delete_rows
from tests.messages.conftest import EMAIL
from tests.messages.test_sending import DAY, arrived, book, ended, messages
from tests.support.branch import BranchFixture
from tests.support.dashboard import DashboardClient
from tests.support.servers.mail_server import MailServer
from tests.support.servers.receiver import Received, Receiver, hang, receiving, respond_with
from tests.support.waiting import eventually
from tests.webhooks.fixture import make_webhook, running_worker

HANDLED = respond_with(200, b'{"handled": true}')


async def subscribe(hair: BranchFixture, url: str, *scopes: str) -> None:
    hook = await make_webhook(hair.shop, url, scopes=scopes)
    await hook.change("events = $3", ["message.due"])


def message_of(received: Received) -> dict[str, Any]:
    event = msgspec.json.decode(received.body)
    assert event["type"] == "message.due"
    return dict(event["data"]["message"])


async def test_an_application_that_answers_sends_the_message_and_nobody_else_does(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    async with receiving(HANDLED) as may_read, receiving(HANDLED) as may_not, running_worker(hair.shop.dsn):
        await subscribe(hair, may_read.url, "customers:read", "orders:read")
        await subscribe(hair, may_not.url, "customers:read")  # the text also says what is in the order
        order = await book(desk, hair, sara, cut)
        (row,) = await ended(hair)
        (received,) = may_read.received
        assert may_not.received == []
    assert (row["state"], row["handled_by"]) == ("handled", "Test client")
    assert server.received == []
    message = message_of(received)
    assert (message["id"], message["kind"], message["order_id"]) == (str(row["id"]), "confirmation", str(order))
    assert message["recipient"]["email"] == EMAIL
    assert f"{DAY.day}" in message["text"]
    page = await desk.get(f"/settings/notices/messages/{row['id']}")
    assert "Sent by Test client" in page.text


async def test_the_mail_goes_out_once_where_no_application_takes_it_over(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    refuses, other, fails = respond_with(200, b'{"handled": false}'), respond_with(200, b"[1]"), respond_with(500)
    async with (
        receiving(refuses) as first,
        receiving(other) as second,
        receiving(fails) as third,
        receiving(HANDLED) as may_not,
        running_worker(hair.shop.dsn),
    ):
        for receiver in (first, second, third):
            await subscribe(hair, receiver.url, "customers:read", "orders:read")
        await subscribe(hair, may_not.url, "orders:read")  # it may not know whom the business writes to
        await book(desk, hair, sara, cut)
        (row,) = await ended(hair)
        assert (row["state"], row["handled_by"]) == ("sent", None)
        assert [len(each.received) for each in (first, second, third, may_not)] == [1, 1, 1, 0]
    assert len(server.received) == 1
    deliveries = await hair.shop.sql("SELECT state FROM webhook_deliveries WHERE tenant_id = $1")
    assert sorted(row["state"] for row in deliveries) == ["dead", "delivered", "delivered"]  # it is not offered again


async def test_an_offer_that_nobody_delivered_for_a_minute_is_withdrawn(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    async with receiving(hang) as receiver:  # no worker delivers
        await subscribe(hair, receiver.url, "customers:read", "orders:read")
        await book(desk, hair, sara, cut)

        async def is_offered() -> bool:
            return bool((await messages(hair))[0]["offered_at"])

        await eventually(is_offered)
        assert server.received == []
        await change_rows(hair.shop, "messages", offered_at=ago(seconds=61), due_at=ago())
        await arrived(server, 1)
        (row,) = await ended(hair)
        assert row["state"] == "sent"
        async with running_worker(hair.shop.dsn):
            pass
        assert receiver.received == []
    (delivery,) = await hair.shop.sql("SELECT state FROM webhook_deliveries WHERE tenant_id = $1")
    assert delivery["state"] == "dead"


async def test_a_message_to_a_customer_without_an_address_is_offered_first(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    await change_row(hair.shop, "customers", sara, email=None, phone="+966501112233")
    await book(desk, hair, sara, cut, "09:00")
    assert await messages(hair) == []  # no application sends by phone
    async with receiving(HANDLED) as sends, running_worker(hair.shop.dsn):
        await subscribe(hair, sends.url, "customers:read", "orders:read")
        await book(desk, hair, sara, cut, "10:00")
        (row,) = await ended(hair)
        assert row["state"] == "handled"
        recipient = message_of(sends.received[0])["recipient"]
        assert (recipient["email"], recipient["phone"]) == (None, "+966501112233")
        sends.behave = respond_with(200, b"{}")
        await book(desk, hair, sara, cut, "11:00")
        assert [(row["state"], row["answer"]) for row in await ended(hair)][1:] == [("dropped", "not_taken")]
    assert server.received == []
    assert "+966 50 111 2233" in (await desk.get("/settings/notices")).text


async def test_an_offer_ends_with_the_booking_and_an_answer_that_is_under_way_counts(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, server: MailServer
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)

    async def late(receiver: Receiver, _received: Received, writer: asyncio.StreamWriter) -> None:
        await receiver.ended.wait()
        writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{"handled":true}')

    async with receiving(late) as receiver:
        await subscribe(hair, receiver.url, "customers:read", "orders:read")
        first = await book(desk, hair, sara, cut, "10:00")

        async def is_offered() -> bool:
            return all(row["offered_at"] for row in await messages(hair))

        await eventually(is_offered)
        await cancel(hair, first)  # nobody has learned of the confirmation
        assert [(row["state"], row["answer"]) for row in await ended(hair)] == [("dropped", "canceled")]
        await delete_rows(hair.shop, "messages")
        async with running_worker(hair.shop.dsn):
            second = await book(desk, hair, sara, cut, "11:00")
            await receiver.wait_for(1)
            await cancel(hair, second)
            receiver.ended.set()
            (row,) = await ended(hair)
        assert (row["state"], row["order_id"]) == ("handled", second)
        assert [message_of(each)["order_id"] for each in receiver.received] == [str(second)]
    assert server.received == []


async def cancel(hair: BranchFixture, order: UUID) -> None:
    """Without a message of its own."""
    await change_row(hair.shop, "orders", order, status="canceled")
