from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop

Advance = Callable[[str], Awaitable[datetime]]


@pytest.fixture
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


@pytest.fixture
def advance(own_shop: Shop) -> Advance:
    """Moves the clock, and returns the time of the sandbox."""

    async def move(duration: str) -> datetime:
        answer = await own_shop.post("/sandbox/clock", {"advance": duration})
        return datetime.fromisoformat(json_exact(answer)["data"]["now"])

    return move


def from_now(moment: datetime) -> timedelta:
    return moment - datetime.now(UTC)
