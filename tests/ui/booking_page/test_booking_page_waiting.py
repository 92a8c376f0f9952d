"""The waiting list on the public page: who joins it, what strangers learn of it, and how one leaves it."""

import re
from datetime import timedelta
from html import unescape
from typing import NamedTuple

import httpx2
import pytest
from asyncpg import Record

from frontdesk.messages.secret_data import decrypt_values
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.ui.booking_page import waiting
from frontdesk.values.actor import customer_online
from frontdesk.values.ids import uuid7
from frontdesk.waiting_list.join import JoinWaitingList
from frontdesk.waiting_list.problems import WaitingProblem
from frontdesk.waiting_list.types import PartOfDay, WaitingRequest
from tests.factories.changes import change_row, change_tenant
from tests.factories.people import make_customer
from tests.factories.settings import change_booking_page
from tests.support.branch import day
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.shop import Shop
from tests.ui.booking_page.test_booking_page import BOX, HIDDEN, SARA, BookableBranch, aged, bookable, slug_of, visitor

__all__ = ["bookable"]


class Joining(NamedTuple):
    browser: httpx2.AsyncClient
    path: str
    fields: dict[str, str]

    async def send(self, **changes: str) -> httpx2.Response:
        origin = str(self.browser.base_url).rstrip("/")
        return await self.browser.post(self.path, data={**self.fields, **changes}, headers={"origin": origin})


async def opened(bookable: BookableBranch, browser: httpx2.AsyncClient, services: str = "") -> Joining:
    """The form, as the page of a day leads to it."""
    path = f"/book/{await slug_of(bookable.shop)}"
    query = {"services": services or f"{bookable.cut}::{bookable.dana}", "date": str(bookable.day)}
    assert f"{path}/waiting?services=" in (await browser.get(path, params=query)).text
    page = await browser.get(f"{path}/waiting", params=query)
    assert page.status_code == 200, page.text
    fields = dict(HIDDEN.findall(page.text))
    fields["token"] = aged(fields["token"], bookable.shop.tenant_id)
    return Joining(browser, f"{path}/waiting", {**fields, **SARA})


async def entries(shop: Shop) -> list[Record]:
    """Without those of the demo data."""
    return await shop.sql(
        "SELECT w.*, concat_ws(' ', c.first_name, c.last_name) AS customer FROM waiting_list w JOIN customers c "
        "ON c.tenant_id = $1 AND c.id = w.customer_id WHERE w.tenant_id = $1 AND w.created_by IS NULL "
        "AND c.phone = $2 ORDER BY w.id",
        SARA["phone"],
    )


async def test_a_customer_joins_once_is_offered_a_time_and_leaves_by_booking(
    bookable: BookableBranch, owner: DashboardClient
) -> None:
    shop = bookable.shop
    async with visitor(shop) as browser:
        form = await opened(bookable, browser)
        answers = [await form.send(within="7", part_of_day="afternoon") for _ in range(2)]
        assert {answer.status_code for answer in answers} == {303}, answers[0].text
        (entry,) = await entries(shop)
        assert (entry["first_day"], entry["last_day"]) == (bookable.day, bookable.day + timedelta(days=6))
        assert (entry["item_id"], entry["staff_id"], entry["part_of_day"]) == (bookable.cut, bookable.dana, "afternoon")
        own = answers[0].headers["location"]
        page = await browser.get(own)
        assert "You are on the waiting list" in page.text
        assert page.headers["cache-control"] == "no-store"
        listed = await owner.get("/waiting-list")
        assert "Sara Alotaibi" in listed.text
        assert "https://wa.me/966553182047?text=" in listed.text
        assert f"/waiting-list/{entry['id']}/offer" in listed.text
        booked = await bookable.visit(browser, "12:00", services=f"{bookable.cut}::{bookable.dana}")
        assert (await booked.send()).status_code == 303
        assert await entries(shop) == []
        assert "not on the waiting list any more" in (await browser.get(own)).text


async def test_who_waits_leaves_the_list_and_nobody_does_it_for_them(bookable: BookableBranch) -> None:
    async with visitor(bookable.shop) as browser:
        form = await opened(bookable, browser, str(bookable.cut))
        own = (await form.send()).headers["location"].partition("?")[0]
        origin = {"origin": str(browser.base_url).rstrip("/")}
        for wrong in (f"{form.path}/{form.fields['token']}", f"{form.path}/x"):
            assert (await browser.post(wrong, headers=origin)).status_code == 404
        assert len(await entries(bookable.shop)) == 1
        assert (await browser.post(own, headers=origin)).status_code == 303
    assert await entries(bookable.shop) == []


async def test_who_lost_the_link_finds_what_they_wait_for_under_my_bookings(bookable: BookableBranch) -> None:
    shop = bookable.shop
    async with visitor(shop) as browser:
        form = await opened(bookable, browser)
        assert (await form.send()).status_code == 303
        mine = form.path.removesuffix("waiting") + "mine"
        await browser.post(mine, data={"email": SARA["email"]}, headers={"origin": shop.origin})
        (row,) = await shop.sql("SELECT secret FROM messages WHERE tenant_id = $1 AND kind = 'bookings_link'")
        listed = await browser.get(decrypt_values(BOX, row["secret"])["link"])
        (own,) = re.findall(r'href="([^"]+/waiting/[^"]+)"', listed.text)
        assert "You are on the waiting list" in (await browser.get(unescape(own))).text


async def test_a_stranger_learns_nothing_of_who_waits_or_is_blocked(bookable: BookableBranch) -> None:
    shop = bookable.shop
    known = await make_customer(shop, phone=SARA["phone"], first_name="Haya", last_name="Known")
    async with visitor(shop) as browser:
        pages = []
        for _ in range(2):
            own = (await (await opened(bookable, browser)).send()).headers["location"]
            pages.append(texts((await browser.get(own)).text))
        assert pages[0] == pages[1]
        assert "Haya" not in pages[0]
        await change_row(shop, "customers", known, blocked=True)
        refused = await (await opened(bookable, browser)).send()
    assert (refused.status_code, "Please call us to book." in refused.text) == (422, True)
    notes = [row["note"] for row in await entries(shop)]
    assert [note.endswith("Sara Alotaibi") for note in notes] == [True, True]  # the business learns who asked


async def test_a_customer_who_was_merged_a_moment_ago_is_unknown(bookable: BookableBranch, conn: Connection) -> None:
    """So the page looks again for who has the number."""
    tenant = await bookable.shop.tenant()
    request = WaitingRequest(bookable.cut, None, bookable.day, bookable.day, PartOfDay.ANY, None)
    act = JoinWaitingList(request, uuid7(), uuid7(), None, "en")
    with pytest.raises(Problem) as refused:
        await run(conn, tenant, act, actor=customer_online(None))
    assert refused.value.kind is WaitingProblem.UNKNOWN_CUSTOMER


async def test_the_form_is_checked_as_that_of_a_booking(bookable: BookableBranch) -> None:
    shop = bookable.shop
    await change_tenant(shop, horizon_days=10)
    last = day(10)
    async with visitor(shop) as browser:
        form = await opened(bookable, browser)
        for sent, answer in (
            ({"homepage": "x"}, "sent too quickly"),
            ({"phone": "", "email": ""}, "Enter a phone number or an e-mail address."),
            ({"name": ""}, 'id="h-name"'),
        ):
            refused = await form.send(**sent)
            assert (refused.status_code, answer in refused.text) == (422, True), answer
        assert 'value="Sara Alotaibi"' in (await form.send(phone="12")).text  # nothing typed is lost
        assert await entries(shop) == []
        assert (await form.send(within="28")).status_code == 303
        (entry,) = await entries(shop)
        assert last <= entry["last_day"] <= day(10)  # no later day can be booked
        for _ in range(waiting.ENTRIES_OF_CUSTOMER - 1):
            assert (await (await opened(bookable, browser)).send()).status_code == 303
        refused = await (await opened(bookable, browser)).send()
        assert "Please call us to book." in refused.text
        await change_booking_page(shop, asks_for_code=True)
        asked = await (await opened(bookable, browser)).send(phone="", email="new@example.com")
        assert (asked.status_code, 'name="code"' in asked.text) == (200, True)
        nothing = await browser.get(form.path, params={"services": ""})
        assert nothing.status_code == 404
        many = await browser.get(form.path, params={"services": ",".join([str(bookable.cut)] * 4)})
        assert many.status_code == 404
