"""The settings of the public page: defaults without a row, saved with their version, origins that may show a frame."""

from typing import Any

import pytest

from frontdesk.booking_page.queries import find_booking_page
from frontdesk.booking_page.settings import read_origins
from frontdesk.booking_page.types import BookingPage
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from tests.factories.changes import change_rows, change_tenant
from tests.support.branch import open_branch
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop

HERE = "/settings/booking-page"


async def page_of(shop: Shop) -> BookingPage:
    (found,) = await shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    async with pooled_connection(shop.dsn) as raw:
        page = await find_booking_page(Connection(raw), found["slug"])
    assert page is not None
    return page


async def save(desk: DashboardClient, **changes: Any) -> Any:
    fields = form_fields((await desk.get(HERE)).text, HERE)
    return await desk.post(HERE, {**fields, **changes}, page=HERE)


async def test_booking_page_settings_are_stored_and_recorded(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    before = await page_of(own_shop)
    assert (before.version, before.settings.shown, before.is_open) == (0, True, True)
    shown = (await owner.get(HERE)).text
    assert f"/book/{before.slug}" in shown
    assert "&lt;iframe" in shown
    saved = await save(
        owner,
        asks_for_code="yes",
        about_en="Hair and nails.",
        payment_ar="حوالة بنكية",
        origins="https://www.layan.example/page\nshop.layan.example\nhttp://127.0.0.1:8999",
    )
    assert saved.status_code == 303, saved.text
    after = await page_of(own_shop)
    assert (after.version, after.settings.about, after.settings.asks_for_code) == (1, {"en": "Hair and nails."}, True)
    assert after.settings.payment_instructions == {"ar": "حوالة بنكية"}
    assert after.settings.embedding_origins == (
        "https://www.layan.example",
        "https://shop.layan.example",
        "http://127.0.0.1:8999",
    )
    (entry,) = await own_shop.sql("SELECT action, after FROM activity WHERE tenant_id = $1")
    assert (entry["action"], "asks_for_code" in entry["after"], "cover" in entry["after"]) == (
        "booking_page.updated",
        True,
        False,
    )
    assert (await page_of(other_shop)).version == 0


async def test_outdated_booking_page_settings_change_nothing(own_shop: Shop, owner: DashboardClient) -> None:
    stale = form_fields((await owner.get(HERE)).text, HERE)
    await save(owner, about_en="First")
    refused = await owner.post(HERE, {**stale, "about_en": "Second"}, page=HERE)
    assert (refused.status_code, "Second" in texts(refused.text)) == (422, True)
    assert (await page_of(own_shop)).settings.about == {"en": "First"}


async def test_a_page_that_is_not_shown_is_closed(own_shop: Shop, owner: DashboardClient) -> None:
    fields = form_fields((await owner.get(HERE)).text, HERE)
    del fields["shown"]
    assert (await owner.post(HERE, fields, page=HERE)).status_code == 303
    assert not (await page_of(own_shop)).is_open


@pytest.mark.parametrize(
    "typed",
    [
        "http://layan.example",
        "https://a.example; script-src *",
        "https://*.example",
        "javascript:alert(1)",
        "*",
        "a b",
        "a" * 60 + "_.example",  # an expression that matches in many ways would try for years
    ],
)
def test_an_invalid_origin_for_frames_is_refused(typed: str) -> None:
    with pytest.raises(Problem):
        read_origins(typed)


async def test_the_page_says_that_nothing_can_be_booked_and_the_button_can_be_read(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    missing = "it needs an active service, and a provider who performs it"
    for accent, text in (("#f5d90a", "color:#000;"), ("#17594f", "color:#fff;")):
        await change_tenant(own_shop, accent=accent)
        assert text in (await owner.get(HERE)).text
    await change_rows(own_shop, "staff", active=False)
    assert missing in (await owner.get(HERE)).text
    branch = await open_branch(own_shop)
    await branch.add_provider(await branch.add_service())
    assert missing not in (await owner.get(HERE)).text


@pytest.mark.parametrize("size", ["a5", "a4"])
async def test_the_poster_has_the_code_and_both_names(own_shop: Shop, owner: DashboardClient, size: str) -> None:
    await change_tenant(own_shop, names='{"ar": "ليان", "en": "Layan"}', languages=["ar", "en"])
    poster = (await owner.get(f"{HERE}/poster?size={size}")).text
    assert f'class="poster poster-{size}"' in poster
    assert 'class="qr"' in poster
    shown = texts(poster)
    assert all(text in shown for text in ("ليان", "Layan", "Book your visit", "احجز موعدك"))
    assert f"/book/{(await page_of(own_shop)).slug}" in shown
