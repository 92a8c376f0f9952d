"""The page of reports: groups, and the favorites of each member."""

from frontdesk.auth.types import Role
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.shop import Shop

FAVORITES = "/reports/favorites"


async def test_each_member_has_favorites_of_their_own(shop: Shop, other_shop: Shop) -> None:
    first, second = await make_user(shop, Role.MANAGER), await make_user(shop, Role.MANAGER)
    async with await dashboard_of(shop, first) as desk:
        page = texts((await desk.get("/reports")).text)
        assert "Money and tax Payment methods How customers paid, less refunds" in page
        assert "Favourites" not in page
        for name in ("tips", "tax"):
            answer = await desk.post(FAVORITES, {"add": name, "back": "/reports?from=2026-01-01&to=2026-01-31"})
            assert answer.headers["location"] == "/reports?from=2026-01-01&to=2026-01-31#reports"
        assert "Favourites Tips Who got tips, and how much Tax For the tax return" in await shown(desk)
        await desk.post(FAVORITES, {"remove": "tips"})
        assert "Favourites Tax For the tax return" in await shown(desk)
        assert (await desk.post(FAVORITES, {"add": "nothing"})).status_code == 404
        assert (await desk.post(FAVORITES, {"add": "tax", "back": "//evil.example"})).headers["location"] == "/#reports"
    async with await dashboard_of(shop, second) as desk:
        assert "Favourites" not in await shown(desk)


async def shown(desk: DashboardClient) -> str:
    return texts((await desk.get("/reports")).text)
