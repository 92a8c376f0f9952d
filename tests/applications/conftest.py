from collections.abc import AsyncIterator

import pytest

from tests.factories.users import owner_of
from tests.support.applications import Developer, new_developer, new_operator
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop


@pytest.fixture
async def developer(service: Service) -> AsyncIterator[Developer]:
    made = await new_developer(service)
    yield made
    await made.desk.http.aclose()


@pytest.fixture
async def operator(shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await new_operator(shop) as desk:
        yield desk


@pytest.fixture
async def business(service: Service) -> Shop:
    """A user who installs applications."""
    return await service.new_shop()


@pytest.fixture
async def owner(business: Shop) -> AsyncIterator[DashboardClient]:
    """The owner of that business, signed in."""
    async with await dashboard_of(business, await owner_of(business)) as desk:
        yield desk


@pytest.fixture
async def stranger(service: Service) -> AsyncIterator[DashboardClient]:
    """A browser without a session."""
    async with DashboardClient(service.origin, service.dsn) as desk:
        yield desk
