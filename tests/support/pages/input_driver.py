"""How a person uses a page: with the mouse, with the keyboard alone, or with a finger."""

from typing import Literal

from playwright.async_api import ElementHandle, Error, Locator, Page, expect

Way = Literal["mouse", "keyboard", "touch"]
_MAX_TABS = 250
# To find an element again costs more than to ask it, so that is done only when a script has replaced it.
_STATE = "element => element === document.activeElement ? 'focused' : element.isConnected ? 'waiting' : 'replaced'"


class InputDriver:
    def __init__(self, page: Page, way: Way) -> None:
        self.page = page
        self.way = way
        self.presses = 0  # of a control, of a key that is no Tab, or of the letters of one field

    async def key(self, name: str) -> None:
        """A key that does something by itself; a finger has it on its own keyboard or reader of codes."""
        self.presses += 1
        await self.page.keyboard.press(name)

    async def type(self, text: str) -> None:
        """Into what has the focus; a reader of codes does the same."""
        self.presses += 1
        await self.page.keyboard.type(text)

    async def press(self, target: Locator) -> None:
        self.presses += 1
        if self.way == "mouse":
            await target.click()
        elif self.way == "touch":
            await target.tap()
        else:
            await expect(target).to_be_enabled()  # the other two wait for it by themselves
            await self.tab_to(target)
            await self.page.keyboard.press("Enter")

    async def tick(self, target: Locator) -> None:
        if self.way == "keyboard":
            self.presses += 1
            await self.tab_to(target)
            await self.page.keyboard.press("Space")
        else:
            await self.press(target)

    async def write(self, target: Locator, text: str) -> None:
        self.presses += 1
        if self.way == "keyboard":
            await self.tab_to(target)
            await self.page.keyboard.press("ControlOrMeta+a")
            await self.page.keyboard.type(text)
        else:
            await target.fill(text)

    async def choose_first(self, target: Locator) -> None:
        """The first choice after the one that a list shows."""
        self.presses += 1
        if self.way == "keyboard":
            await self.tab_to(target)
            await self.page.keyboard.press("ArrowDown")
        else:
            await target.select_option(index=1)

    async def choose_last(self, target: Locator) -> None:
        self.presses += 1
        if self.way == "keyboard":
            await self.tab_to(target)
            await self.page.keyboard.press("End")
        else:
            await target.select_option(index=await target.locator("option").count() - 1)

    async def tab_to(self, target: Locator) -> None:
        """What the Tab key cannot reach, nobody reaches who has no mouse."""
        element = await _visible(target)
        for _ in range(_MAX_TABS):
            state = await _state(element)
            if state == "focused":
                return
            if state == "replaced":
                element = await _visible(target)
            else:
                await self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {target}")


async def _visible(target: Locator) -> ElementHandle:
    await target.wait_for()
    return await target.element_handle()


async def _state(element: ElementHandle) -> str:
    try:
        return str(await element.evaluate(_STATE))
    except Error:  # with its whole document
        return "replaced"
