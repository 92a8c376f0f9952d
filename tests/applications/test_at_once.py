"""Two who decide about one application at the same moment."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import pytest

from frontdesk.applications.disconnect import disconnect
from frontdesk.applications.install import InstallCredentials, install
from frontdesk.applications.review import suspend
from frontdesk.postgres.pool import Connection, connect
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from tests.factories.users import owner_of
from tests.support.applications import Developer, approved
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop
from tests.support.waiting import eventually


@asynccontextmanager
async def connection(dsn: str) -> AsyncIterator[Connection]:
    raw = await connect(dsn)
    try:
        yield Connection(raw)
    finally:
        await raw.close()


async def let_in(business: Shop, application_id: UUID) -> InstallCredentials | None:
    async with connection(business.dsn) as conn:
        by = await owner_of(business)
        return await install(
            conn, await business.tenant(), uuid7(), application_id, Actor("user", by), ["orders:read"], 1
        )


async def test_of_many_installs_at_once_one_is_made(
    developer: Developer, operator: DashboardClient, business: Shop
) -> None:
    application_id = await approved(developer, operator)
    made = await asyncio.gather(*(let_in(business, application_id) for _ in range(8)), return_exceptions=True)
    assert [type(one) for one in made if not isinstance(one, Problem)] == [InstallCredentials]
    rows = await business.sql("SELECT id FROM installs WHERE tenant_id = $1 AND application_id = $2", application_id)
    clients = await business.sql(
        "SELECT FROM api_clients WHERE tenant_id = $1 AND install_id = ANY ($2)", [row["id"] for row in rows]
    )
    assert (len(rows), len(clients)) == (1, 1)


async def test_an_application_that_is_being_suspended_cannot_be_installed(
    developer: Developer, operator: DashboardClient, business: Shop
) -> None:
    application_id = await approved(developer, operator)
    async with connection(business.dsn) as conn:
        async with conn.transaction():
            await suspend(conn, application_id, None, "Fraud")
            installing = asyncio.create_task(let_in(business, application_id))
            await waiting(business)
        with pytest.raises(Problem, match="NOT_FOUND"):
            await installing


async def test_an_install_beside_a_suspension_is_suspended_too(
    developer: Developer, operator: DashboardClient, business: Shop
) -> None:
    application_id = await approved(developer, operator)
    by, install_id = await owner_of(business), uuid7()
    async with connection(business.dsn) as installing, connection(business.dsn) as deciding:
        async with installing.transaction():
            await install(
                installing, await business.tenant(), install_id, application_id, Actor("user", by), ["orders:read"], 1
            )
            decided = asyncio.create_task(suspend(deciding, application_id, None, "Fraud"))
            await waiting(business)
        await decided
    (row,) = await business.sql(
        "SELECT disconnected_at, suspended_at FROM installs WHERE tenant_id = $1 AND id = $2", install_id
    )
    assert row["disconnected_at"] is not None
    assert row["suspended_at"] is not None


async def test_concurrent_disconnects_of_an_install_emit_one_event(
    developer: Developer, operator: DashboardClient, business: Shop
) -> None:
    application_id = await approved(developer, operator)
    await let_in(business, application_id)
    (row,) = await business.sql("SELECT id FROM installs WHERE tenant_id = $1 AND application_id = $2", application_id)

    async def send_away() -> None:
        async with connection(business.dsn) as conn:
            await disconnect(conn, business.tenant_id, row["id"])

    made = await asyncio.gather(*(send_away() for _ in range(4)), return_exceptions=True)
    assert sum(one is None for one in made) == 1
    events = await business.sql("SELECT FROM events WHERE tenant_id = $1 AND type = 'app.disconnected'")
    assert len(events) == 1


async def waiting(business: Shop) -> None:
    """Waits until a transaction waits for the application's row."""

    async def stands() -> bool:
        found = await business.sql(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' "
            "AND query LIKE '%FROM applications%' AND $1::uuid IS NOT NULL"
        )
        return bool(found)

    await eventually(stands)
