from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser

from tests.support.browser import running_browser


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with running_browser() as running:
        yield running
