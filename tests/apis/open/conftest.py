import pytest

from tests.support.branch import BranchFixture, open_branch
from tests.support.service import Service
from tests.support.shop import Shop


@pytest.fixture(scope="module")
async def busy_shop(service: Service, other_shop: Shop) -> Shop:
    """One for all tests of a file: each works in a branch of its own there, beside another business."""
    return await service.new_shop()


@pytest.fixture
async def branch(busy_shop: Shop) -> BranchFixture:
    return await open_branch(busy_shop)


@pytest.fixture
async def own_branch(service: Service, other_shop: Shop) -> BranchFixture:
    """In a business of this test's own, for what is counted or set for a whole business."""
    return await open_branch(await service.new_shop())


@pytest.fixture
async def own_shop(service: Service, other_shop: Shop) -> Shop:
    """A business of its own, with another one beside it."""
    return await service.new_shop()
