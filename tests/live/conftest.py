from collections.abc import AsyncIterator

import pytest

from tests.factories.users import owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.salon import Salon, open_salon
from tests.support.service import Service


@pytest.fixture
async def salon(service: Service) -> Salon:
    """A business of this test's own."""
    return await open_salon(await service.new_shop())


@pytest.fixture
async def owner(salon: Salon) -> AsyncIterator[DashboardClient]:
    """The owner of that business, signed in."""
    async with await dashboard_of(salon.shop, await owner_of(salon.shop)) as desk:
        yield desk
