"""The front desk in a browser, as a person works there by keyboard, mouse or finger: the acts of a day, counted."""

from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from playwright.async_api import Locator, expect

from tests.support.pages.browser import BrowserPage
from tests.support.pages.guide_pictures import ARE_WANTED, save_picture
from tests.support.pages.input_driver import InputDriver
from tests.support.repetitions import LONG_SECONDS

SERVED = {"arrived": "check in", "in-progress": "start", "completed": "done"}
CASH, OTHER = "button[name=method]:not([formaction])", "button[name=method][formaction='/till/pay']"


class Desk:
    """The steps of the day, each from the page where it begins."""

    def __init__(self, desk: BrowserPage, driver: InputDriver) -> None:
        self.desk = desk
        self.page = desk.page
        self.driver = driver
        self.acts: list[str] = []  # as the guide lists them

    async def show(self, name: str) -> None:
        """Accessible, within the screen, and a picture of a guide."""
        if ARE_WANTED or (self.driver.way != "mouse" and not LONG_SECONDS):
            await self.desk.check_layout()
        else:
            await self.desk.accept()
        if self.driver.way == "mouse":
            await save_picture(self.page, name)

    async def open_drawer(self, amount: str) -> None:
        await self.desk.go("/drawer")
        await self.driver.write(self.page.locator("#f-float"), amount)
        await self.driver.press(self.page.locator("form[action='/drawer/open'] button"))
        await expect(self.page.locator("form[action='/drawer/move']")).to_be_visible()
        await self.show("drawer")
        self.acts.append("open the drawer")

    # In the calendar

    async def book(self, name: str) -> UUID:
        await self.desk.go("/calendar")
        if self.driver.way == "keyboard":
            await self.driver.key("n")
        else:
            await self.driver.press(self.page.locator("main a.button-primary[href^='/calendar/new']"))
        await self.driver.write(self.page.locator("#f-find"), name)
        await expect(self.page.locator("#new-customer")).to_contain_text(name)  # the whole name was searched
        await self.driver.press(self.page.locator(".found button[value^='customer:']").first)
        return await self._choose_service_and_time("book")

    async def book_walk_in(self) -> UUID:
        await self.desk.go("/calendar/new")
        return await self._choose_service_and_time("book a walk-in")

    async def _choose_service_and_time(self, act: str) -> UUID:
        await self.driver.choose_first(self.page.locator("#f-add_service"))
        await expect(self.page.locator("[name=service]")).to_have_count(1)
        await self.driver.choose_first(self.page.locator("select#f-time"))
        await expect(self.page.locator("#new-booking .fit")).to_be_visible()  # the page knows the time
        await self.show("booking")
        await self.driver.press(self.page.locator("button[value=book]"))
        await self.page.wait_for_url("**/calendar?**order=**")
        self.acts.append(act)
        return UUID(parse_qs(urlsplit(self.page.url).query)["order"][0])

    async def serve(self) -> None:
        """From the side of the calendar: the customer arrives, is in the chair, and is done."""
        for act, name in SERVED.items():
            button = self.page.locator(f"#booking button[value='{act}']")
            await self.driver.press(button)
            await expect(button).to_have_count(0)  # the page that follows has the next one
            self.acts.append(name)
        await expect(self.page.locator("#booking a.button-primary[href^='/till?order=']")).to_be_visible()
        await self.show("calendar")

    async def move(self, order_id: UUID) -> None:
        """The last time of the day is not free: the page says why, and offers others."""
        await self.desk.go(f"/orders/{order_id}/move")
        await self.driver.choose_last(self.page.locator("#f-time"))
        await self.driver.press(self.page.locator("#move-to button.button-primary"))
        await self.driver.press(self.page.locator(".times a").first)
        await self.driver.press(self.page.locator(f"form[action='/orders/{order_id}/move'] button.button-primary"))
        await self.page.wait_for_url("**/calendar?**order=**")
        self.acts.append("move")

    async def cancel(self) -> None:
        await self.driver.press(self.page.locator("#booking a.button-danger"))
        await self.driver.choose_first(self.page.locator("#f-reason"))
        await self.driver.press(self.page.locator("main form button.button-danger"))
        await self.page.wait_for_url("**/calendar?**")
        self.acts.append("cancel")

    async def mark_no_show(self, order_id: UUID) -> None:
        await self.desk.go(f"/calendar?order={order_id}")
        await self.driver.press(self.page.locator("#booking button[name=no_show]"))
        await expect(self.page.locator("#booking button[name=no_show]")).to_have_count(0)
        self.acts.append("no-show")

    # At the till

    async def check_out(self) -> None:
        await self.driver.press(self.page.locator("#booking a[href^='/till?order=']"))
        await self.page.wait_for_url("**/till?**")
        self.acts.append("check out")

    async def choose_items(self, *names: str) -> None:
        await self.desk.go("/till")
        for place, name in enumerate(names, start=1):
            await self.driver.key("F2")
            await self.driver.type(name)
            await self.driver.key("Enter")
            await expect(self.page.locator("button[name=less]")).to_have_count(place)
            self.acts.append("sell")
        await self.show("till")

    async def sell(self, *names: str) -> None:
        await self.choose_items(*names)
        await self.take_payment()
        await self.pay_cash()

    async def take_payment(self) -> None:
        await self.driver.press(self.page.locator("#pay"))
        await expect(self.page.locator("#pay-title")).to_be_visible()

    async def discount(self, percent: str, *, pin: str = "") -> None:
        """A receptionist needs a PIN above their limit."""
        await self._enter(self.page.locator("#discount"), percent)
        if pin:
            await self.show("approval")
            await self.allow(pin)
        await expect(self.page.locator(".cart dl.sum dd").nth(1)).to_contain_text("−")
        self.acts.append("discount with a PIN" if pin else "discount")

    async def allow(self, pin: str) -> None:
        await self.driver.write(self.page.locator("#pin"), pin)
        await self.driver.press(self.page.locator("button[formaction='/till/approve']"))
        await expect(self.page.locator("dialog.approval")).to_have_count(0)

    async def _enter(self, field: Locator, text: str) -> None:
        await self.driver.write(field, text)
        await self.driver.key("Enter")

    async def tip(self) -> None:
        await self.driver.press(self.page.locator("button[name=tip_percent]").nth(1))
        await expect(self.page.locator("button[name=tip_percent]").nth(1)).to_have_attribute("aria-current", "true")
        self.acts.append("tip")

    async def pay_part(self, amount: str) -> None:
        await self.driver.write(self.page.locator("#part"), amount)
        await self.driver.press(self.page.locator(CASH).first)
        await expect(self.page.locator("ul.payments li")).to_have_count(1)
        self.acts.append("split")

    async def pay_cash(self) -> None:
        await self.driver.press(self.page.locator(CASH).first)
        finish = self.page.locator("#finish[data-finish]")  # until the method is chosen, the button only asks for it
        await expect(finish).to_be_visible()
        await self.show("payment")
        await self.finish("pay in cash")

    async def pay_rest(self) -> None:
        """By a method that needs no amount: its press finishes."""
        await self.driver.press(self.page.locator(OTHER).first)
        await self.page.wait_for_url("**/receipt**")
        self.acts.append("pay by card")

    async def finish(self, act: str) -> None:
        await self.driver.press(self.page.locator("#finish[data-finish]"))
        await self.page.wait_for_url("**/receipt**")
        self.acts.append(act)

    async def hold(self) -> None:
        await self.driver.press(self.page.locator("button[formaction='/till/hold']"))
        await expect(self.page.locator("button[name=less]")).to_have_count(0)
        self.acts.append("hold")

    async def exchange(self, number: int, name: str, pin: str) -> None:
        """What was sold comes back, and something else is taken for it."""
        await self.desk.go("/till/return")
        await self._enter(self.page.locator("#f-receipt"), str(number))
        await self.driver.write(self.page.locator("[name=quantity]").first, "1")
        await self.driver.press(self.page.locator("button[value=exchange]"))
        await self.page.wait_for_url("**/till?**")
        if await self.page.locator("dialog.approval").count():
            await self.allow(pin)
        await self.driver.key("F2")
        await self.driver.type(name)
        await self.driver.key("Enter")
        await expect(self.page.locator("button[name=less]")).to_have_count(1)
        await self.take_payment()
        await self.finish("exchange")

    async def void(self, pin: str) -> None:
        """The sale whose receipt is shown."""
        await self.driver.press(self.page.locator("main details summary"))
        await self.driver.write(self.page.locator("#pin"), pin)
        await self.driver.press(self.page.locator("form[action$='/void'] button.button-danger"))
        await expect(self.page.locator("form[action$='/void']")).to_have_count(0)
        self.acts.append("void with a PIN")

    # Customers, the drawer and the day

    async def add_customer(self, name: str, phone: str) -> None:
        await self.desk.go("/customers/new")
        await self.driver.write(self.page.locator("[name=first_name]"), name)
        await self.driver.write(self.page.locator("[name=phone]"), phone)
        await self.driver.press(self.page.locator("main form .button-primary").first)
        await expect(self.page.locator("h1")).to_contain_text(name)
        self.acts.append("add a customer")

    async def buy_milk(self) -> None:
        await self.desk.go("/drawer")
        await self.driver.write(self.page.locator("[name=amount]"), "20")
        await self.driver.write(self.page.locator("[name=reason]"), "Milk")
        await self.driver.press(self.page.locator("form[action='/drawer/move'] button.button-primary"))
        await expect(self.page.locator("main")).to_contain_text("Milk")
        self.acts.append("take cash out")

    async def close_day(self) -> None:
        await self.desk.go("/day-close")
        await self.driver.write(self.page.locator("#p-bill-3"), "2")
        self.acts.append("count")
        await self.driver.write(self.page.locator("#f-note"), "Counted twice")
        if await self.page.locator("[name=sure]").count():  # appointments of the sandbox that are still to come
            await self.driver.tick(self.page.locator("[name=sure]"))
        await self.show("day-close")
        await self.driver.press(self.page.locator("form[action='/day-close'] button.button-primary"))
        await self.page.wait_for_url("**/day-close/*")
        await self.show("day-closed")
        self.acts.append("close the day")
