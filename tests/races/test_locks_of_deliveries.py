"""Deliveries are locked by id, by everything that changes several of them."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from frontdesk.auth.client_queries import insert_client
from frontdesk.auth.clients import remove_client
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import SYSTEM
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.resend import retry_failed_deliveries
from tests.factories.messages import insert_message
from tests.factories.tenant_rows import ConnectionRows
from tests.races.fixture import RaceFixture, open_race_fixture
from tests.races.programs import VAULT
from tests.races.unlocked import open_lock_fixture
from tests.support.acts import create_order, subscribe

LEASE = uuid4()
_EMIT = "SELECT emit_events($1, ARRAY[$2::text], ARRAY['{}'::json])"


async def add_client_with_deliveries(conn: Connection, race: RaceFixture) -> tuple[UUID, list[UUID]]:
    """A client with two webhooks, and the deliveries of two events to them by id: each event to both."""
    client_id = uuid4()
    await insert_client(conn, race.tenant_id, client_id, name="Guest", secret_hash=client_id.bytes * 2, scopes=["*"])
    for _ in range(2):
        events = [EventType.ORDER_CREATED]
        await subscribe(conn, race.tenant, client_id, VAULT, "https://hooks.example.com", events)
    for slot in range(2):
        await create_order(conn, race.tenant, race.order_request(race.service_line(), slot=slot))
    rows = await conn.fetch("SELECT id FROM webhook_deliveries ORDER BY id")
    assert len(rows) == 4
    return client_id, [row["id"] for row in rows]


def record_attempts(conn: Connection, race: RaceFixture, deliveries: list[UUID]) -> Coroutine[None, None, str]:
    count = len(deliveries)
    return conn.execute(
        "SELECT insert_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        [race.tenant_id] * count,
        deliveries,
        [LEASE] * count,
        [uuid4() for _ in deliveries],
        [datetime.now(UTC)] * count,
        [5] * count,
        [500] * count,
        [None] * count,
        [None] * count,
        ["due"] * count,
        [60.0] * count,
    )


def release(conn: Connection, race: RaceFixture, deliveries: list[UUID]) -> Coroutine[None, None, str]:
    count = len(deliveries)
    return conn.execute("SELECT release_deliveries($1, $2, $3)", [race.tenant_id] * count, deliveries, [LEASE] * count)


async def retry_failed(conn: Connection, race: RaceFixture, client_id: UUID, delivery: UUID) -> int:
    webhook = await conn.fetchval("SELECT webhook_id FROM webhook_deliveries WHERE id = $1", delivery)
    return await retry_failed_deliveries(conn, race.tenant_id, client_id, webhook, SYSTEM)


async def withdraw(conn: Connection, race: RaceFixture, delivery: UUID) -> str:
    event_id = await conn.fetchval("SELECT event_id FROM webhook_deliveries WHERE id = $1", delivery)
    message = await insert_message(ConnectionRows(conn, race.tenant_id), event_id=event_id)
    return await conn.execute("SELECT withdraw_offer($1, $2)", race.tenant_id, message)


@pytest.mark.parametrize("act", ["record attempts", "release", "retry", "withdraw", "delete the client"])
async def test_deliveries_are_locked_by_id(empty_dsn: str, act: str) -> None:
    """Otherwise a worker and the deletion of a client could wait for each other's deliveries."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        client_id, (first, second, third, _) = await add_client_with_deliveries(locks.command, race)
        lower, higher = {"retry": (first, third), "withdraw": (first, second)}.get(act, (second, third))
        acts: dict[str, Callable[[], Coroutine[None, None, object]]] = {
            "record attempts": lambda: record_attempts(writer, race, [higher, lower]),
            "release": lambda: release(writer, race, [higher, lower]),
            "retry": lambda: retry_failed(writer, race, client_id, first),
            "withdraw": lambda: withdraw(writer, race, first),
            "delete the client": lambda: remove_client(writer, race.tenant_id, client_id),
        }
        # A sequential scan finds the row with the lower id last.
        await writer.execute("SET enable_seqscan = on; SET enable_indexscan = off; SET enable_bitmapscan = off")
        state = "dead" if act == "retry" else "due"
        for delivery in (higher, lower):
            await locks.command.execute(
                "UPDATE webhook_deliveries SET state = $2, lease = $3 WHERE id = $1", delivery, state, LEASE
            )
        async with locks.holding("SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE", lower, waiting=1):
            acting = asyncio.create_task(acts[act]())
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE NOWAIT", higher)
        await acting


async def test_an_act_that_emits_twice_does_not_deadlock_with_the_deletion_of_a_client(empty_dsn: str) -> None:
    """Its first event goes to the second webhook, its second event to the first one."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        writer, emitter = locks.writers
        client_id = uuid4()
        await insert_client(
            writer, race.tenant_id, client_id, name="Guest", secret_hash=client_id.bytes * 2, scopes=["*"]
        )
        for event in (EventType.TRANSACTION_CREATED, EventType.ORDER_CREATED):
            await subscribe(writer, race.tenant, client_id, VAULT, "https://hooks.example.com", [event])
        async with emitter.transaction():
            await emitter.execute(_EMIT, race.tenant_id, EventType.ORDER_CREATED)
            deleting = asyncio.create_task(remove_client(writer, race.tenant_id, client_id))
            await locks.until_waiting(1)
            await emitter.execute(_EMIT, race.tenant_id, EventType.TRANSACTION_CREATED)
        await deleting
