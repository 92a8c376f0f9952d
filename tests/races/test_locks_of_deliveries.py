"""Deliveries are locked by id, by the worker that records attempts and by those who delete what they belong to."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from frontdesk.auth.client_queries import insert_client
from frontdesk.auth.clients import remove_client
from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.subscribe import subscribe
from tests.races.fixture import RaceFixture, open_race_fixture
from tests.races.programs import VAULT
from tests.races.unlocked import open_lock_fixture
from tests.support.acts import create_order


async def add_client_with_deliveries(conn: Connection, race: RaceFixture) -> tuple[UUID, list[UUID]]:
    """A client with two webhooks, and the deliveries of two events to them by id: each event to both."""
    client_id = uuid4()
    await insert_client(conn, race.tenant_id, client_id, name="Guest", secret_hash=client_id.bytes * 2, scopes=["*"])
    for _ in range(2):
        events = [EventType.ORDER_CREATED]
        await subscribe(conn, race.tenant_id, client_id, VAULT, "https://hooks.example.com", events, active=True)
    for slot in range(2):
        await create_order(conn, race.tenant, race.order_request(race.service_line(), slot=slot))
    rows = await conn.fetch("SELECT id FROM webhook_deliveries ORDER BY id")
    assert len(rows) == 4
    return client_id, [row["id"] for row in rows]


def record_attempts(conn: Connection, race: RaceFixture, deliveries: list[UUID]) -> Coroutine[None, None, str]:
    many = len(deliveries)
    return conn.execute(
        "SELECT insert_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        [race.tenant_id] * many,
        deliveries,
        [uuid4()] * many,
        [uuid4() for _ in deliveries],
        [datetime.now(UTC)] * many,
        [5] * many,
        [500] * many,
        [None] * many,
        [None] * many,
        ["due"] * many,
        [60.0] * many,
    )


@pytest.mark.parametrize("act", ["record attempts", "delete the client"])
async def test_deliveries_are_locked_by_id(empty_dsn: str, act: str) -> None:
    """Otherwise a worker and the deletion of a client could wait for each other's deliveries."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        client_id, (_, second, third, _) = await add_client_with_deliveries(locks.command, race)
        async with locks.holding("SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE", second, waiting=1):
            acting: asyncio.Task[object] = asyncio.create_task(
                record_attempts(writer, race, [third, second])
                if act == "record attempts"
                else remove_client(writer, race.tenant_id, client_id)
            )
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE NOWAIT", third)
        await acting
