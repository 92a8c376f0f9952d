"""A page that is opened to fill it in has the focus in its first field."""

import re

from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop


async def test_what_is_typed_first_needs_no_press_before_it(own_shop: Shop, owner: DashboardClient) -> None:
    async with DashboardClient(own_shop.origin, own_shop.dsn) as stranger:
        pages = {
            "email": await stranger.get("/sign-in"),
            "first_name": await owner.get("/customers/new"),
            "float": await owner.get("/drawer"),
        }
    for name, page in pages.items():
        assert re.findall(r'name="(\w+)"[^>]* autofocus', page.text) == [name]
