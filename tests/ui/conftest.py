from collections.abc import AsyncIterator

import pytest

from tests.factories.used_up import forget_attempts
from tests.factories.users import owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop


@pytest.fixture
async def own_shop(service: Service) -> Shop:
    """A business of this test's own, in a minute in which nobody has tried to sign in, to sign up or to book."""
    await forget_attempts(service.dsn)
    return await service.new_shop()


@pytest.fixture
async def neighbour(service: Service) -> Shop:
    """Another business of this test's own, where it may leave something that must not be seen."""
    return await service.new_shop()


@pytest.fixture
async def stranger(service: Service) -> AsyncIterator[DashboardClient]:
    """A browser without a session, in such a minute."""
    await forget_attempts(service.dsn)
    async with DashboardClient(service.origin, service.dsn) as desk:
        yield desk


@pytest.fixture
async def owner(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    """The owner of that business, signed in."""
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        yield desk
