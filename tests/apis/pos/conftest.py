import pytest

from tests.support.salon import Salon, open_salon
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till


@pytest.fixture(scope="module")
async def busy_shop(service: Service, other_shop: Shop) -> Shop:
    """One for all tests of a file: each works in a salon of its own there, beside another business."""
    return await service.new_shop()


@pytest.fixture
async def salon(busy_shop: Shop) -> Salon:
    return await open_salon(busy_shop)


@pytest.fixture
def till(salon: Salon) -> Till:
    return Till(salon)
