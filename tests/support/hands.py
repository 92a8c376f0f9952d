"""How a person uses a page: with the mouse, with the keyboard alone, or with a finger."""

from typing import Literal

from playwright.async_api import Locator, Page

Way = Literal["mouse", "keyboard", "touch"]
_MOST_TABS = 250


class Hands:
    def __init__(self, page: Page, way: Way) -> None:
        self.page = page
        self.way = way

    async def press(self, target: Locator) -> None:
        if self.way == "mouse":
            await target.click()
        elif self.way == "touch":
            await target.tap()
        else:
            await self.tab_to(target)
            await self.page.keyboard.press("Enter")

    async def write(self, target: Locator, text: str) -> None:
        if self.way == "keyboard":
            await self.tab_to(target)
            await self.page.keyboard.press("ControlOrMeta+a")
            await self.page.keyboard.type(text)
        else:
            await target.fill(text)

    async def choose_first(self, target: Locator) -> None:
        """The first choice after the one that a list shows."""
        if self.way == "keyboard":
            await self.tab_to(target)
            await self.page.keyboard.press("ArrowDown")
        else:
            await target.select_option(index=1)

    async def tab_to(self, target: Locator) -> None:
        """What the Tab key cannot reach, nobody reaches who has no mouse."""
        await target.wait_for()
        for _ in range(_MOST_TABS):
            if await target.evaluate("element => element === document.activeElement"):
                return
            await self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {target}")
