"""In a real browser: a sale by keyboard alone, another by touch on a tablet, and a connection that is cut."""

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from frontdesk.auth.types import Role
from tests.factories.catalog import make_product
from tests.factories.changes import change_named, change_row, change_rows
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.browser import open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

LONG = "Her Highness Princess Jawaher bint Abdullah’s rose water with saffron and wild orchids"
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
TABLET: dict[str, Any] = {"viewport": {"width": 768, "height": 1024}, "color_scheme": "dark", "has_touch": True}
LOOKS = (pytest.param("en", WIDE, id="keyboard-en-light"), pytest.param("ar", TABLET, id="touch-ar-dark"))
CODE = "6281000000024"


async def sales(shop: Shop) -> int:
    count: int = (await shop.sql("SELECT count(*) FROM orders WHERE tenant_id = $1 AND source = 'pos'"))[0]["count"]
    return count


async def sell_by_keyboard(page: Page, language: str) -> int:
    """Three items and the payment; returns how many keys were pressed."""
    along = "ArrowLeft" if language == "ar" else "ArrowRight"
    keys = [along, "Enter", along, "Enter", along, "Enter", "F4"]
    for key in keys:
        await page.keyboard.press(key)
    await expect(page.locator("#pay-title")).to_be_focused()
    await page.keyboard.press("F6")
    await expect(page.locator("#finish[data-finish]")).to_be_visible()
    await page.keyboard.press("F4")
    return len(keys) + 2


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_three_items_are_sold_by_keyboard_and_by_touch(
    browser: Browser, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await change_rows(own_shop, "items", status=False)
    for number, name in enumerate(["Oil", "Soap", LONG]):
        await make_product(own_shop, {"en": name, "ar": name}, price=f"{number + 10}.50", stock=9, sort_order=number)
    await change_named(own_shop, "items", "Soap", barcode=CODE)
    await owner.post("/language", {"language": language})
    before = await sales(own_shop)
    async with open_page(browser, own_shop.origin, **looks) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go("/till?view=all")
        await desk.accept()
        assert await sell_by_keyboard(page, language) < 10
        await page.wait_for_url(re.compile("/receipt"))
        await expect(page.locator("#total")).to_have_text("34.50")
        await desk.accept()
        await desk.go("/till")
        await page.keyboard.type(CODE)
        await page.keyboard.press("Enter")
        await expect(page.locator("#total")).to_have_text("11.50")
        await desk.go("/customers")
        await desk.go("/till")  # the cart is kept
        await expect(page.locator("#total")).to_have_text("11.50")
        await page.locator("[name=more]").first.click()
        await page.locator("#open-0").click()
        await expect(page.locator("#quantity")).to_have_value("2")
        await desk.accept()
        await page.locator("#pay").click()
        await page.locator("button[name=method]").first.click()
        await page.locator("[data-digit='2']").click()
        await expect(page.locator(".error[role=status]")).to_be_visible()  # the answer is there before the next digit
        await page.locator("[data-digit='5']").click()
        await expect(page.locator(".cart .change-due dd")).to_have_text("2.00")
        await page.locator("[data-digit='0']").click()
        await expect(page.locator(".cart .change-due dd")).to_have_text("227.00")
        await page.locator("#quick-1").click()
        await expect(page.locator("#given")).to_have_value("23.00")
        for digit in "50":
            await page.locator(f"[data-digit='{digit}']").click()
        await expect(page.locator(".cart .change-due dd")).to_have_text("27.00")
        await desk.accept()
        await page.context.set_offline(True)
        await page.locator("#finish").click()
        await expect(page.locator(".cut")).to_be_visible()
        await page.context.set_offline(False)
        desk.faults.clear()  # the browser complains about the lost connection
        await page.locator("#finish").dblclick()
        await page.wait_for_url(re.compile("/receipt"))
        await page.go_back()
        await page.wait_for_url(re.compile("/receipt"))
        assert await sales(own_shop) == before + 2
        for path in ("/till/return", f"/till?order={await make_order(own_shop, 1, paid='4')}"):
            await desk.go(path)
            await desk.accept()


async def test_a_split_payment_is_typed_by_keys_alone(browser: Browser, own_shop: Shop, owner: DashboardClient) -> None:
    """A part is typed before the key of its method, cash after it, and what was refused stays until it is mended."""
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="110", stock=9)
    types = await own_shop.sql(
        "SELECT type FROM payment_methods WHERE tenant_id = $1 AND active ORDER BY sort_order, created_at, id"
    )
    keys = {row["type"]: f"F{6 + place}" for place, row in enumerate(types)}
    before = await sales(own_shop)
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/till?cart={oil}~1")
        await page.keyboard.press("F4")
        await expect(page.locator("#pay-title")).to_be_focused()
        await page.keyboard.type("60")
        await expect(page.locator("#part")).to_have_value("60")
        await page.keyboard.press(keys["card"])
        await expect(page.locator("#pay-0")).to_have_value("60.00")
        await page.keyboard.press(keys["cash"])
        await page.keyboard.type("50")  # also while the answer is on its way
        await expect(page.locator("#given")).to_be_focused()
        await expect(page.locator("#given")).to_have_value("50")
        await expect(page.locator("#pay-0")).to_have_value("60.00")
        await expect(page.locator("#pay-1")).to_have_value("50.00")
        await expect(page.locator("#quick-1")).to_have_attribute("aria-pressed", "true")  # all is answered
        await page.locator("#pay-0").fill("5060")
        for _ in range(2):
            await page.keyboard.press("F4")
        await expect(page.locator("#pay-0[aria-invalid=true]")).to_have_value("5060")
        await expect(page.locator("#pay-e")).to_be_visible()
        await page.keyboard.press("F4")
        await expect(page.locator("#pay-0[aria-invalid=true]")).to_have_value("5060")
        assert await sales(own_shop) == before
        await page.locator("#pay-0").fill("60")
        await page.keyboard.press("F4")
        await page.wait_for_url(re.compile("/receipt"))
        desk.faults.clear()  # the browser complains about the refusals
    assert await sales(own_shop) == before + 1


async def test_no_key_finishes_a_page_that_was_not_seen(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    """F4 opens the payment and finishes it: pressed twice or held down, it must not do both."""
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=9)
    order_id, before = await make_order(own_shop, 1, price="10"), await sales(own_shop)
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        for path in (f"/till?cart={oil}~1", f"/till?order={order_id}"):
            await desk.go(path)
            for _ in range(3):
                await page.keyboard.press("F4")
            await expect(page.locator("#finish[aria-disabled]")).to_be_visible()
            for _ in range(2):  # at once: to aim takes time, in which the page may be drawn again
                await page.locator("#finish").dispatch_event("click")
            await page.keyboard.press("F4")
            assert page.url.split("?")[0].endswith("/till")
        paid = await own_shop.sql("SELECT paid_amount FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
        assert (paid[0]["paid_amount"], await sales(own_shop)) == (0, before)
        await page.keyboard.press("F6")
        await expect(page.locator("#finish[data-finish]")).to_be_visible()
        await page.locator("#given").press_sequentially("50")
        await expect(page.locator(".cart .change-due dd")).to_have_text("40.00")  # while it is typed
        await page.keyboard.press("F4")
        await page.wait_for_url(re.compile("/receipt"))


async def test_the_search_has_the_focus_after_every_step(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    """A scanner types where the focus is. The customer is chosen by arrow keys, as in the form of a booking."""
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="11", stock=99)
    await change_row(own_shop, "items", oil, barcode=CODE)
    await make_customer(own_shop, first_name="Zahra", last_name="Al-Amri")
    cards = await own_shop.sql(
        "SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = 'card' ORDER BY sort_order, created_at"
    )
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go("/till?view=all")
        search = page.locator("#find")
        await expect(search).to_be_focused()
        for total in ("11.00", "22.00"):
            await page.keyboard.type(CODE)
            await page.keyboard.press("Enter")
            await expect(page.locator("#total")).to_have_text(total)
            await expect(search).to_be_focused()
        for control in ("#more-0", "#less-0", "button[name=view][value=all]"):
            await page.locator(control).click()
            await expect(search).to_be_focused()
        await page.locator("#discount").fill("10")
        await page.keyboard.press("Enter")
        await expect(page.locator("#total")).to_have_text("19.80")
        await expect(search).to_be_focused()
        await page.keyboard.press("F3")
        await page.keyboard.type("zahra")
        await expect(page.locator(".found mark")).to_have_text("Zahra")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(page.locator(".cart")).to_contain_text("Zahra Al-Amri")
        await expect(search).to_be_focused()
        await page.keyboard.press("F4")
        await expect(page.locator("#pay-title")).to_be_focused()
        await page.keyboard.type(CODE)  # also at the payment, where digits begin an amount
        await page.keyboard.press("Enter")
        await expect(page.locator("#total")).to_have_text("29.70")
        await page.locator(f"#method-{cards[0]['id']}").click()  # the only press
        await page.wait_for_url(re.compile("/receipt"))


async def test_enter_in_an_amount_sends_it_once(browser: Browser, own_shop: Shop, owner: DashboardClient) -> None:
    """A second answer would take away what is typed after the first, such as the PIN for a discount."""
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="110", stock=9)
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page, sent = desk.page, list[str]()
        page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
        await desk.use_session_of(owner)
        await desk.go(f"/till?cart={oil}~1")
        await page.locator("#discount").focus()
        await page.keyboard.type("10")
        await page.keyboard.press("Enter")
        await expect(page.locator("#total")).to_have_text("99.00")
        await page.keyboard.press("F4")
        await expect(page.locator("#pay-title")).to_be_visible()
    assert [body.endswith("&go=pay") for body in sent] == [False, True]


async def test_the_right_pin_is_typed_over_a_wrong_one(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="110", stock=9)
    await owner.post("/settings/account/pin", {"pin": "2749"})
    async with (
        await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as person,
        open_page(browser, own_shop.origin, **WIDE) as desk,
    ):
        page = desk.page
        await desk.use_session_of(person)
        await desk.go(f"/till?cart={oil}~1")
        await page.locator("#discount").focus()
        for typed, shown in (("50", "#pin:focus"), ("1111", "#pin:focus[aria-invalid]")):
            await page.keyboard.type(typed)
            await page.keyboard.press("Enter")
            await expect(page.locator(shown)).to_have_value("")
        for _ in range(30):  # more than the dialog has stops
            await page.keyboard.press("Tab")
            assert await page.evaluate("document.activeElement.matches('body, dialog.approval *')")
        await page.locator("#pin").focus()
        await page.keyboard.type("2749")
        await page.keyboard.press("Enter")
        await expect(page.locator("#total")).to_have_text("55.00")


async def test_a_button_that_is_held_down_while_an_answer_arrives_counts(
    browser: Browser, own_shop: Shop, owner: DashboardClient
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="11", stock=9)
    held: asyncio.Queue[Route] = asyncio.Queue()
    async with open_page(browser, own_shop.origin, **WIDE) as desk:
        page = desk.page
        await desk.use_session_of(owner)
        await desk.go(f"/till?cart={oil}~1")
        await page.route("**/till", held.put)
        await page.locator("#more-0").click()
        await page.mouse.down()
        async with page.expect_response("**/till") as answered:
            await (await held.get()).continue_()
        await (await answered.value).finished()
        await page.evaluate("fetch('/health/live').then((later) => later.text())")  # the page has the answer by now
        await page.mouse.up()
        await (await held.get()).continue_()
        await expect(page.locator("#total")).to_have_text("33.00")
