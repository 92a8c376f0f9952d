"""In a real browser: a calendar follows what others do, also after the wire was cut, and bookings are moved in it."""

from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 1000}, "color_scheme": "light", "locale": "en"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "locale": "ar"}
LOOKS = (pytest.param(WIDE, id="wide-en-light"), pytest.param(PHONE, id="phone-ar-dark"))
ON = day(3)


async def chairs(own_shop: Shop) -> tuple[BranchFixture, UUID, list[UUID]]:
    branch = await open_branch(own_shop)
    cut = await branch.add_service()
    return branch, cut, [await branch.add_provider(cut) for _ in range(2)]


async def book(branch: BranchFixture, cut: UUID, at: str, staff_id: UUID) -> str:
    order_id: str = (await branch.place(line(cut, staff_id=staff_id), start=start(ON, at)))["id"]
    return order_id


def blocks(watched: BrowserPage, order_id: str) -> Locator:
    return watched.page.locator(f'#cal a.booking[data-order="{order_id}"]')


async def times(branch: BranchFixture, order_id: str) -> tuple[str, str]:
    (booking,) = (await branch.read(order_id))["bookings"]
    return booking["start"][11:16], booking["end"][11:16]


async def tops(watched: BrowserPage) -> list[int]:
    """Where the calendar begins, on screens on which the head has one line, two, and no key of the colours."""
    found = []
    for width in (1024, 1152, 1280, 1440):
        await watched.page.set_viewport_size({"width": width, "height": 900})
        found.append(await watched.page.evaluate("document.querySelector('#cal').offsetTop"))
    return found


async def test_a_page_follows_and_nothing_is_lost_or_doubled_while_the_wire_is_cut(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    branch, cut, (first, second) = await chairs(own_shop)
    there = await book(branch, cut, "09:00", first)
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        await desk.use_session_of(owner)
        async with desk.page.expect_response(lambda answer: "/live?" in answer.url):
            await desk.go(f"/calendar?date={ON}&branch={branch.branch_id}")
        await expect(blocks(desk, there)).to_have_count(1)
        before = await tops(desk)
        new = await book(branch, cut, "10:00", first)
        await expect(desk.page.locator(f'#cal a.booking.fresh[data-order="{new}"]')).to_have_count(1)
        await expect(desk.page.locator("p.live")).to_contain_text("new Show")
        assert await tops(desk) == before
        await expect(desk.page.locator("#bell-mark .badge")).to_have_text("2")
        await desk.accept()

        await desk.page.context.set_offline(True)
        await expect(desk.page.locator("p.live")).to_contain_text("Nothing is lost")
        missed = await book(branch, cut, "11:00", second)
        await branch.move(there, "canceled")
        await desk.page.context.set_offline(False)
        await expect(blocks(desk, missed)).to_have_count(1)
        await expect(desk.page.locator(f'#cal a.booking.status-canceled[data-order="{there}"]')).to_have_count(1)
        await expect(desk.page.locator("p.live")).to_contain_text("changes")
        for order_id in (there, new, missed):
            await expect(blocks(desk, order_id)).to_have_count(1)
        await desk.page.click("p.live a")
        await expect(desk.page.locator("p.live")).to_be_empty()

        await blocks(desk, new).click()
        await desk.page.locator("#booking a[href$='/edit']").focus()
        await branch.move(new, "in-progress")
        await expect(desk.page.locator("#booking button[value=completed]")).to_be_visible()
        await expect(desk.page.locator("#booking a[href$='/edit']")).to_be_focused()


async def test_a_booking_is_dragged_carried_by_keys_and_put_back_if_it_may_not_go_there(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    branch, cut, (first, second) = await chairs(own_shop)
    order_id, _ = await book(branch, cut, "10:00", first), await book(branch, cut, "12:00", second)
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        await desk.use_session_of(owner)
        await desk.go(f"/calendar?date={ON}&branch={branch.branch_id}")
        await drag(desk, blocks(desk, order_id), minutes=60, to=second)
        await expect(blocks(desk, order_id)).to_have_attribute("data-staff", str(second))
        await expect(blocks(desk, order_id)).not_to_have_attribute("data-version", "")
        assert await times(branch, order_id) == ("11:00", "11:30")
        await expect(desk.page.locator(".toasts")).to_contain_text("Moved to 11:00 with")
        await expect(desk.page.locator(f"#booking[data-order='{order_id}']")).to_be_visible()
        await drag(desk, blocks(desk, order_id), minutes=-600, to=second)  # over the head of the page
        await expect(blocks(desk, order_id)).to_have_count(1)
        assert await times(branch, order_id) == ("11:00", "11:30")
        await drag(desk, blocks(desk, order_id), minutes=60, to=second)  # another provider
        await expect(desk.page.locator("#move .checks .refused")).to_contain_text("is taken: Sara Buyer")
        await expect(blocks(desk, order_id)).to_have_count(1)
        assert await times(branch, order_id) == ("11:00", "11:30")
        await desk.page.click("#move [data-keep]")

        await blocks(desk, order_id).focus()
        for key in ("m", "ArrowUp", "Shift+ArrowDown", "Enter"):
            await desk.page.keyboard.press(key)
        await expect(desk.page.locator("#cal .mine")).to_have_count(0)
        assert await times(branch, order_id) == ("10:45", "11:30")
        await blocks(desk, order_id).focus()
        for key in ("m", "Shift+ArrowUp", "Enter"):
            await desk.page.keyboard.press(key)
        await expect(desk.page.locator(".toasts")).to_contain_text("The appointment is now from 10:45 to 11:15.")
        await desk.page.get_by_role("button", name="Undo").click()
        await expect(desk.page.locator(".toasts")).to_contain_text("back where it was")
        assert await times(branch, order_id) == ("10:45", "11:30")
        await blocks(desk, order_id).focus()
        for key in ("m", "ArrowUp", "Escape"):
            await desk.page.keyboard.press(key)
        await expect(desk.page.locator("#cal :is(.mine, .ghosted)")).to_have_count(0)
        assert await times(branch, order_id) == ("10:45", "11:30")

        await blocks(desk, order_id).focus()
        await desk.page.keyboard.press("m")
        await desk.page.get_by_label("Start").select_option("15:00")
        await desk.page.get_by_role("button", name="Move to 15:00").click()
        await expect(blocks(desk, order_id)).to_contain_text("15:00")
        assert await times(branch, order_id) == ("15:00", "15:45")

        await desk.go(f"/calendar?date={ON}&branch={branch.branch_id}&view=week&staff={second}")
        await drag(desk, blocks(desk, order_id), minutes=30, to=second)
        await expect(blocks(desk, order_id)).to_contain_text("15:30")
        assert await times(branch, order_id) == ("15:30", "16:15")
        await desk.page.get_by_role("button", name="Undo").click()
        await expect(blocks(desk, order_id)).to_contain_text("15:00")
        assert await times(branch, order_id) == ("15:00", "15:45")


async def test_the_undo_of_a_drag_restores_the_appointment_and_moves_nothing_else(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    branch = await open_branch(own_shop)
    cut, color = await branch.add_service(), await branch.add_service()
    first = await branch.add_provider(cut, color)
    second = await branch.add_provider(cut, color, duration=60)
    placed = await branch.place(line(cut, staff_id=first), line(color, staff_id=second), start=start(ON, "10:00"))
    order_id = placed["id"]
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        await desk.use_session_of(owner)
        await desk.go(f"/calendar?date={ON}&branch={branch.branch_id}")
        await drag(desk, block_of(desk, order_id, first), minutes=15, to=first, from_end=True)
        await expect(desk.page.locator(".toasts")).to_contain_text("The appointment is now from 10:00 to 10:45.")
        stretched = [("10:00", "10:45", first), ("10:45", "11:45", second)]
        assert await performed(branch, order_id) == stretched

        # With the other provider, who needs an hour, both services are one block.
        await drag(desk, block_of(desk, order_id, first), minutes=60, to=second)
        await expect(desk.page.locator(".toasts")).to_contain_text("Moved to 11:00 with")
        await expect(blocks(desk, order_id)).to_have_count(1)
        assert await performed(branch, order_id) == [("11:00", "12:00", second), ("12:00", "13:00", second)]
        await desk.page.get_by_role("button", name="Undo").click()
        await expect(desk.page.locator(".toasts")).to_contain_text("back where it was")
        await expect(blocks(desk, order_id)).to_have_count(2)
        assert await performed(branch, order_id) == stretched

        # A block of both is moved and stretched; its last service alone was longer.
        await drag(desk, block_of(desk, order_id, second), minutes=0, to=first)
        await expect(blocks(desk, order_id)).to_have_count(1)
        assert await performed(branch, order_id) == [("10:00", "10:45", first), ("10:45", "11:15", first)]
        await drag(desk, blocks(desk, order_id), minutes=60, to=second)
        await expect(desk.page.locator(".toasts")).to_contain_text("Moved to 11:00 with")
        await desk.page.get_by_role("button", name="Undo").click()
        await expect(desk.page.locator(".toasts")).to_contain_text("back where it was")
        assert await performed(branch, order_id) == [("10:00", "10:45", first), ("10:45", "11:15", first)]


def block_of(desk: BrowserPage, order_id: str, staff_id: UUID) -> Locator:
    return desk.page.locator(f'#cal .calendar-column[data-staff="{staff_id}"] a.booking[data-order="{order_id}"]')


async def performed(branch: BranchFixture, order_id: str) -> list[tuple[str, str, UUID]]:
    booked = (await branch.read(order_id))["bookings"]
    return [(one["start"][11:16], one["end"][11:16], UUID(one["staff_id"])) for one in booked]


async def drag(desk: BrowserPage, block: Locator, *, minutes: int, to: UUID, from_end: bool = False) -> None:
    """From its upper edge (or its lower one, which makes it longer), so many minutes down and into the column of a
    provider.
    """
    await expect(block).not_to_have_attribute("data-version", "")
    box = await block.bounding_box()
    column = await desk.page.locator(
        f'#cal .calendar-column[data-staff="{to}"]:is([data-date="{ON}"], :not([data-date]))'
    ).bounding_box()
    hours = await desk.page.locator("#cal").evaluate("cal => Number(getComputedStyle(cal).getPropertyValue('--hours'))")
    assert box is not None
    assert column is not None
    y = box["y"] + (box["height"] - 3 if from_end else 5)
    await desk.page.mouse.move(box["x"] + 20, y)
    await desk.page.mouse.down()
    await desk.page.mouse.move(column["x"] + 20, y + column["height"] / hours * minutes / 60, steps=4)
    await desk.page.mouse.up()
    await expect(desk.page.locator("#cal :is(.mine, .ghosted)")).to_have_count(0)


@pytest.mark.torture
@pytest.mark.parametrize("looks", share(LOOKS, 1, 2))
async def test_the_form_of_a_move_is_for_everybody(
    browser: Browser, own_shop: Shop, owner: DashboardClient, looks: dict[str, Any]
) -> None:
    branch, cut, (first, _) = await chairs(own_shop)
    order_id, _ = await book(branch, cut, "10:00", first), await book(branch, cut, "12:00", first)
    async with open_page(browser, own_shop.origin, **looks) as desk:
        await desk.use_session_of(owner)
        for query in ("", "?time=12:00", "?time=13:00"):
            await desk.go(f"/orders/{order_id}/move{query}")
            await desk.accept()
