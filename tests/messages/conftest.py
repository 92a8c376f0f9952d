"""A worker in the test's own loop, which hands over to a real mail server."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.config import Settings
from frontdesk.security.encryption import SecretBox
from frontdesk.server.worker import sending_messages
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.mail_server import MailServer, mail_server
from tests.support.salon import Salon, open_salon
from tests.support.service import SECRET_KEYS, Service
from tests.support.shop import Shop

EMAIL = "sara.o@example.com"


@pytest.fixture
async def salon(service: Service) -> Shop:
    return await service.new_shop()


@pytest.fixture
async def server(salon: Shop) -> AsyncIterator[MailServer]:
    """What other tests left behind is not sent."""
    async with mail_server() as kept:
        await salon.sql("UPDATE messages SET state = 'dropped' WHERE tenant_id <> $1 AND state = 'due'")
        async with worker(salon, kept):
            yield kept


def worker(shop: Shop, server: MailServer | None) -> AbstractAsyncContextManager[None]:
    settings = Settings(Path("unused"), origin=shop.origin, smtp=server.settings if server else None)
    return sending_messages(settings, shop.dsn, SecretBox(SECRET_KEYS))


@pytest.fixture
async def hair(salon: Shop) -> Salon:
    return await open_salon(salon)


@pytest.fixture
async def desk(salon: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(salon, await make_user(salon, Role.OWNER)) as client:
        yield client


@pytest.fixture
async def sara(hair: Salon) -> UUID:
    await hair.shop.sql(
        "UPDATE customers SET email = $3, first_name = 'Sara', language = 'en' WHERE tenant_id = $1 AND id = $2",
        hair.customer_id,
        EMAIL,
    )
    return hair.customer_id
