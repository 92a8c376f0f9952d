from collections.abc import AsyncIterator

import pytest

from tests.factories.users import owner_of
from tests.support.branch import BranchFixture, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service


@pytest.fixture
async def branch(service: Service) -> BranchFixture:
    """A business of this test's own."""
    return await open_branch(await service.new_shop())


@pytest.fixture
async def owner(branch: BranchFixture) -> AsyncIterator[DashboardClient]:
    """The owner of that business, signed in."""
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
        yield desk
