import pytest

from tests.support.salon import Salon, open_salon
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till


@pytest.fixture
async def salon(service: Service, other_shop: Shop) -> Salon:
    """A business of the test's own, open as the sandbox is."""
    return await open_salon(await service.new_shop())


@pytest.fixture
def till(salon: Salon) -> Till:
    return Till(salon)
