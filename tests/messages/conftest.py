"""A worker in the test's own loop, which hands over to a real mail server."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.config import Settings
from frontdesk.security.encryption import SecretBox
from frontdesk.server.worker import sending_messages
from tests.factories.changes import change_row
from tests.factories.messages import silence_members
from tests.factories.users import make_user
from tests.support.branch import BranchFixture, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.servers.mail_server import MailServer, mail_server
from tests.support.service import SECRET_KEYS, Service
from tests.support.shop import Shop

EMAIL = "sara.o@example.com"


@pytest.fixture
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


@pytest.fixture
async def server(own_shop: Shop) -> AsyncIterator[MailServer]:
    """Other tests' businesses send nothing meanwhile, and members get no mail about bookings."""
    async with mail_server() as kept, others_suspended(own_shop):
        await silence_members(own_shop)
        async with worker(own_shop, kept):
            yield kept


@asynccontextmanager
async def others_suspended(shop: Shop) -> AsyncIterator[None]:
    """Suspended businesses get no reminders, and their messages are dropped. Messages to accounts belong to none."""
    await shop.sql("UPDATE account_messages SET state = 'dropped' WHERE $1::uuid IS NOT NULL AND state = 'due'")
    suspended = await shop.sql(
        "UPDATE tenants SET suspended_at = now() WHERE id <> $1 AND suspended_at IS NULL RETURNING id"
    )
    try:
        yield
    finally:
        ids = [row["id"] for row in suspended]
        await shop.sql("UPDATE tenants SET suspended_at = NULL WHERE id <> $1 AND id = ANY ($2)", ids)


def worker(shop: Shop, server: MailServer | None) -> AbstractAsyncContextManager[None]:
    settings = Settings(Path("unused"), origin=shop.origin, smtp=server.settings if server else None)
    return sending_messages(settings, shop.dsn, SecretBox(SECRET_KEYS))


@pytest.fixture
async def hair(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


@pytest.fixture
async def desk(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.OWNER)) as client:
        yield client


@pytest.fixture
async def sara(hair: BranchFixture) -> UUID:
    await change_row(hair.shop, "customers", hair.customer_id, email=EMAIL, first_name="Sara", language="en")
    return hair.customer_id
