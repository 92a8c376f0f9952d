"""The page on which a business approves an application, with its explanations of wrong requests."""

from typing import Any

import pytest
from playwright.async_api import Browser

from tests.support.applications import new_developer, new_operator
from tests.support.dashboard import DashboardClient
from tests.support.pages.browser import open_page
from tests.support.pages.consent import ask, with_redirects
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop
from tests.ui.test_every_page_in_a_browser import PHONE, WIDE

LONG = "Kontobücher und Rechnungen für Salons, Friseure und Kosmetik, mit Ausgaben und Steuern"
LOOKS = (pytest.param("ar", PHONE, id="phone-ar-dark"), pytest.param("en", WIDE, id="wide-en-light"))


@pytest.mark.torture
@pytest.mark.parametrize(("language", "looks"), share(LOOKS, 0, 2))
async def test_the_consent_page_suits_everybody(
    browser: Browser, service: Service, own_shop: Shop, owner: DashboardClient, language: str, looks: dict[str, Any]
) -> None:
    await owner.post("/language", {"language": language})
    developer = await new_developer(service)
    async with await new_operator(own_shop) as operator:
        application_id = await with_redirects(developer, operator, name=LONG)
    await developer.desk.http.aclose()
    async with open_page(browser, own_shop.origin, **looks) as deciding:
        await deciding.use_session_of(owner)
        for asked in (
            ask(application_id),
            ask(application_id, response_type="token"),
            ask(application_id, redirect_uri=""),
        ):
            assert await deciding.go(asked.path)
            await deciding.accept()
