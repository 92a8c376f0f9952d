import pytest

from tests.support.branch import BranchFixture, open_branch
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till


@pytest.fixture
async def branch(service: Service, other_shop: Shop) -> BranchFixture:
    """A business of the test's own, open as the sandbox is."""
    return await open_branch(await service.new_shop())


@pytest.fixture
def till(branch: BranchFixture) -> Till:
    return Till(branch)
