"""In a real browser with a virtual security key: a passkey is made, signs in alone and after the password, and proves
who one is. The signatures are real."""

from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest
from playwright.async_api import Browser, CDPSession, Page, Request, expect

from tests.factories.changes import ago, change_rows
from tests.factories.users import change_user, owner_of
from tests.support.pages.browser import BrowserPage, open_page
from tests.support.repetitions import share
from tests.support.shop import Shop

WIDE: dict[str, Any] = {"viewport": {"width": 1024, "height": 760}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
LOOKS = (pytest.param("en", WIDE, id="wide-en-light"), pytest.param("ar", PHONE, id="phone-ar-dark"))
SECURITY_KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
ACCOUNT = "/settings/account"


class SecurityKey(NamedTuple):
    devtools: CDPSession
    id: str

    async def is_not_touched(self) -> None:
        await self.devtools.send(
            "WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": self.id, "enabled": False}
        )


async def add_security_key(page: Page) -> SecurityKey:
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    added = await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": SECURITY_KEY})
    return SecurityKey(devtools, added["authenticatorId"])


async def enter_password(desk: BrowserPage, own_shop: Shop) -> None:
    await desk.go("/sign-in")
    await desk.page.fill("#f-email", own_shop.sandbox.email)
    await desk.page.fill("#f-password", own_shop.sandbox.password)
    await desk.page.locator("main form .button-primary").click()


async def sign_out(desk: BrowserPage) -> None:
    await desk.page.evaluate("document.querySelector('form[action=\"/sign-out\"]').submit()")
    await desk.page.wait_for_url("**/sign-in")


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 1, 2))
async def test_a_passkey_is_made_and_signs_in(
    browser: Browser, own_shop: Shop, language: str, looks: dict[str, Any]
) -> None:
    origin = own_shop.origin.replace("127.0.0.1", "localhost")  # passkeys belong to a name
    await change_user(own_shop, await owner_of(own_shop), language=language)
    async with open_page(browser, origin, **looks) as desk:
        page = desk.page
        key = await add_security_key(page)
        await enter_password(desk, own_shop)
        await desk.go(f"{ACCOUNT}/second-factor/passkey")
        await page.locator("[data-passkey]").click()
        await expect(page.locator("#recovery-codes")).to_be_visible()
        await desk.accept()
        await desk.go(f"{ACCOUNT}/second-factor/app")
        await desk.accept()
        await desk.go(ACCOUNT)
        await desk.accept()
        await _confirm_by_passkey(desk, own_shop)

        await sign_out(desk)
        answers: list[str] = []
        page.on("request", lambda request: _keep_answer(request, answers))
        await page.locator("[data-passkey-offer]").click()  # without a name and without the password
        await page.wait_for_url(lambda url: "sign-in" not in url)
        await sign_out(desk)
        await enter_password(desk, own_shop)  # the second factor asks for the passkey at once
        await page.wait_for_url(lambda url: "sign-in" not in url)
        await sign_out(desk)

        await key.is_not_touched()
        await _replay(desk, answers[0])
        await desk.accept()
    used = await own_shop.sql(
        "SELECT sign_count, last_used_at FROM second_factors f JOIN users u ON u.id = f.user_id "
        "WHERE u.email = $2 AND $1::uuid IS NOT NULL",
        own_shop.sandbox.email,
    )
    assert [(row["sign_count"] >= 3, row["last_used_at"] is not None) for row in used] == [(True, True)]


async def _confirm_by_passkey(desk: BrowserPage, own_shop: Shop) -> None:
    await change_rows(own_shop, "sessions", authenticated_at=ago(hours=1))
    await desk.go(f"{ACCOUNT}/second-factor/codes")
    async with desk.page.expect_navigation(url="**/second-factor/codes"):  # where the page asked for it
        await desk.page.locator("[data-passkey]").click()


def _keep_answer(request: Request, answers: list[str]) -> None:
    if request.method == "POST" and request.url.endswith("/sign-in/passkey/answer"):
        answers.append(parse_qs(request.post_data or "")["answer"][0])


async def _replay(desk: BrowserPage, answer: str) -> None:
    """A genuine answer to an earlier challenge: the page asks again, and the user is not signed in."""
    page = desk.page
    await page.route("**/passkeys.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    await page.evaluate("document.querySelector('[data-passkey-offer]').form.submit()")
    await page.wait_for_url("**/sign-in/passkey")
    await page.unroute("**/passkeys.js*")
    await page.evaluate(
        "(a) => { const f = document.querySelector('[name=answer]'); f.value = a; f.form.submit(); }", answer
    )
    await expect(page.locator(".note.bad")).to_be_visible()
