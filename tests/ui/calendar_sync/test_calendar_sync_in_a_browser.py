"""In a real browser: the address of a calendar, another calendar, and the page that lists them."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.factories.calendars import make_external_calendar, make_feed
from tests.factories.changes import ago, change_rows
from tests.factories.users import owner_of
from tests.support.branch import open_branch
from tests.support.dashboard import dashboard_of
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LOOKS = (pytest.param("ar", PHONE, id="phone-ar-dark"), pytest.param("en", WIDE, id="wide-en-light"))


@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_calendars_of_a_staff_member_and_of_the_business(
    browser: Browser, service: Service, other_shop: Shop, language: str, looks: dict[str, Any]
) -> None:
    branch = await open_branch(await service.new_shop())
    staff_id = await branch.add_provider(await branch.add_service(duration=60))
    await make_feed(branch.shop, branch_id=branch.branch_id)  # its address can no longer be decrypted
    async with (
        await dashboard_of(branch.shop, await owner_of(branch.shop)) as owner,
        open_page(browser, branch.shop.origin, **looks) as desk,
    ):
        await owner.post("/language", {"language": language})
        await desk.use_session_of(owner)
        await desk.go(f"/staff/{staff_id}")
        await desk.accept()
        await desk.page.click(f"form[action='/staff/{staff_id}/feed'] button")
        await expect(desk.page.locator("#feed-address")).to_contain_text("/feeds/fdf_")
        await make_external_calendar(branch.shop, staff_id)
        await change_rows(
            branch.shop,
            "external_calendars",
            error='{"kind": "TOO_LARGE"}',
            failing_since=ago(),
            host="a-very-long-name-of-a-server-for-calendars.and-of-its-department.example",
        )
        for path in (
            *(f"/staff/{staff_id}", f"/staff/{staff_id}/feed/change"),
            *(f"/settings/branches/{branch.branch_id}", "/settings/calendars"),
        ):
            await desk.go(path)
            await desk.accept()
