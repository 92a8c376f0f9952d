"""The page on which customers book by themselves, as a browser without script sees it."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

import httpx2
import pytest
from asyncpg import Record

from frontdesk.security.encryption import SecretBox
from frontdesk.ui.booking_page import details
from frontdesk.ui.booking_page.form_token import FormToken, read_form_token, write_form_token
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_option
from tests.factories.changes import ago, change_row, change_rows, change_tenant
from tests.factories.people import assign_service, make_customer
from tests.factories.settings import change_booking_page
from tests.factories.used_up import forget_attempts, insert_bookings_of_network
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.repetitions import repetitions
from tests.support.service import SECRET_KEYS, Service, running_service
from tests.support.shop import NO_CERTIFICATES, Shop
from tests.support.waiting import answered

ENGLISH = {"accept": "text/html", "accept-language": "en-GB,en;q=0.8"}


async def slug_of(shop: Shop) -> str:
    (row,) = await shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    return str(row["slug"])


def visitor(shop: Shop, **headers: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=shop.origin, timeout=120, verify=NO_CERTIFICATES, headers={**ENGLISH, **headers})


class Visit(NamedTuple):
    """A customer who books: a browser without script, and the form that it shows."""

    browser: httpx2.AsyncClient
    path: str
    fields: dict[str, str]

    async def send(self, path: str = "", **changes: str) -> httpx2.Response:
        origin = str(self.browser.base_url).rstrip("/")
        fields = {**self.fields, **changes}
        return await self.browser.post(self.path + path, data=fields, headers={"origin": origin})


HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
START = re.compile(r'name="start" value="([^"]+)"')
BUTTON = re.compile(r"<button\b[^>]*>")
BOX = SecretBox(SECRET_KEYS)
SARA = {"name": "Sara Alotaibi", "phone": "+966553182047", "email": "sara.o@example.com"}


def aged(token: str, tenant_id: UUID) -> str:
    """The form was shown a minute ago: tests fill it in faster than people."""
    found = read_form_token(BOX, tenant_id, token)
    assert found is not None
    return write_form_token(BOX, tenant_id, found._replace(shown_at=found.shown_at - 60))


def starts_of(page: httpx2.Response) -> list[str]:
    return START.findall(page.text)


def enter_books(page: httpx2.Response) -> bool:
    """Enter in a field presses the first button of the form: it must say nothing but "send"."""
    return "name=" not in BUTTON.findall(page.text)[0]


def clocks_of(page: httpx2.Response) -> list[str]:
    return [value[11:16] for value in starts_of(page)]


class BookableBranch(NamedTuple):
    branch: BranchFixture
    cut: UUID
    noura: UUID
    dana: UUID
    day: date

    @property
    def shop(self) -> Shop:
        return self.branch.shop

    async def visit(self, browser: httpx2.AsyncClient, clock: str = "10:00", **query: str) -> Visit:
        path = f"/book/{await slug_of(self.shop)}"
        page = await browser.get(path, params={"services": str(self.cut), "date": str(self.day), **query})
        assert page.status_code == 200, page.text
        fields = dict(HIDDEN.findall(page.text))
        fields["token"] = aged(fields["token"], self.shop.tenant_id)
        start = next(value for value in starts_of(page) if value[11:16] == clock)
        return Visit(browser, path, {**fields, "start": start, **SARA})


@pytest.fixture
async def bookable(own_shop: Shop) -> BookableBranch:
    return await open_bookable_branch(own_shop)


async def open_bookable_branch(own_shop: Shop) -> BookableBranch:
    """One branch with a service that two people perform, one of them for more money, from nine to five."""
    await change_rows(own_shop, "branches", status=False)
    branch = await open_branch(own_shop)
    cut = await branch.add_service(name={"en": "Cut", "ar": "قص"}, price="180", duration=60)
    noura = await branch.add_provider(cut, price="220")
    dana = await branch.add_provider(cut, price="160")
    await change_row(own_shop, "staff", noura, name="Noura Alharbi")
    await change_row(own_shop, "staff", dana, name="Dana Aziz")
    return BookableBranch(branch, cut, noura, dana, day(8))


async def orders_of(shop: Shop) -> list[Record]:
    return await shop.sql(
        "SELECT o.*, concat_ws(' ', c.first_name, c.last_name) AS customer, c.phone, c.email, "
        "(SELECT array_agg(b.staff_id ORDER BY lower(b.during)) FROM bookings b WHERE b.tenant_id = $1 "
        "AND b.order_id = o.id) AS staff FROM orders o JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id "
        "JOIN branches r ON r.tenant_id = $1 AND r.id = o.branch_id AND r.status "  # not of the demo data
        "WHERE o.tenant_id = $1 AND o.source = 'online' AND o.created_by_type = 'customer' ORDER BY o.created_at"
    )


async def test_a_customer_books_from_the_menu_to_the_ticket_by_links_and_one_form(bookable: BookableBranch) -> None:
    shop, path = bookable.shop, f"/book/{await slug_of(bookable.shop)}"
    async with visitor(shop) as browser:
        menu = await browser.get(path)
        assert '<b class="number">160.00</b>' in menu.text  # the lowest
        assert re.search(r"Open(s (today|tomorrow|on \w+) at| until) <time", menu.text)
        assert "Other services" not in menu.text  # there are no groups
        link = re.search(r'href="([^"]+services=[^"]+)"', menu.text)
        assert link is not None
        page = await browser.get(link[1].replace("&amp;", "&"))
        assert "With whom?" in page.text
        assert re.search(r"<small>from</small> SAR \W*160.00", page.text)  # until a time is chosen
        assert {"Noura Alharbi", "Dana Aziz"} <= set(re.findall(r"<bdi>([^<]+)</bdi>", page.text))
        form = await bookable.visit(browser, "16:00", services=f"{bookable.cut}::{bookable.noura}")
        assert form.fields["start"].endswith(" 220.00")
        wrong = await form.send(name="", phone="12", email="x")
        assert wrong.status_code == 422
        assert wrong.text.count('aria-invalid="true"') == 3
        assert 'value="12"' in wrong.text
        assert starts_of(wrong) == [form.fields["start"]]
        nothing = await form.send(start="", phone="", email="")
        assert "Choose a time." in nothing.text
        assert [each.text.count('id="answer"') for each in (page, wrong, nothing)] == [0, 1, 1]
        assert f'action="{path}#answer"' in wrong.text
        assert f'action="{path}/hold#answer"' in nothing.text
        assert 'name="name" value="Sara Alotaibi"' in nothing.text
        assert await orders_of(shop) == []
        booked = await form.send(note="Window seat", news="yes")
        assert booked.status_code == 303
        again = await form.send(note="Window seat", news="yes")  # a double click, or Back
        assert again.headers["location"] == booked.headers["location"]
    (order,) = await orders_of(shop)
    assert (order["customer"], order["email"], order["note"]) == ("Sara Alotaibi", SARA["email"], "Window seat")
    assert (order["status"], order["total"], order["staff"]) == ("confirmed", 220, [bookable.noura])
    (code,) = await shop.sql("SELECT code FROM booking_links WHERE tenant_id = $1")
    assert booked.headers["location"] == f"{path}/{code['code']}?booked=1"
    assert len(await shop.sql("SELECT FROM customer_consents WHERE tenant_id = $1 AND how = 'online'")) == 1


async def test_a_customer_is_found_by_phone_or_email_and_learns_nothing(bookable: BookableBranch) -> None:
    """Entering a customer's phone number neither shows nor changes their record."""
    shop = bookable.shop
    known = await make_customer(shop, "Hessa", "Secret")
    await change_row(shop, "customers", known, phone=SARA["phone"], email=None, created_at=ago(days=1))
    async with visitor(shop) as browser:
        answer = await (await bookable.visit(browser)).send(news="yes")
        other = await (await bookable.visit(browser, "12:00")).send(phone="+966501112223", email="a@example.com")
        third = await (await bookable.visit(browser, "14:00")).send(phone="", email="A@example.com")
        assert [each.status_code for each in (answer, other, third)] == [303, 303, 303]
        ticket, own = [await browser.get(each.headers["location"]) for each in (answer, other)]
        assert ticket.status_code == 200
        assert "Hessa" not in ticket.text
        assert "See you on" in own.text
        assert "Sara Alotaibi" in own.text
        assert "Sara Alotaibi" not in (await browser.get(third.headers["location"])).text
        orders = await orders_of(shop)
        assert [order["customer"] for order in orders] == ["Hessa Secret", "Sara Alotaibi", "Sara Alotaibi"]
        assert orders[1]["customer_id"] == orders[2]["customer_id"]
        assert orders[0]["email"] is None
        assert "Sara Alotaibi" in orders[0]["note"]
        assert await shop.sql("SELECT FROM customer_consents WHERE tenant_id = $1 AND customer_id = $2", known) == []
        await change_row(shop, "customers", known, blocked=True)
        blocked = await (await bookable.visit(browser, "15:00")).send()
        assert blocked.status_code == 422
        assert "Please call us to book." in blocked.text
        assert "blocked" not in blocked.text
        assert "15:00" in clocks_of(blocked)
        # Nobody can ask without booking: a price that is not the present one is refused as everybody's is.
        for email in (SARA["email"], "a@example.com"):
            visit = await bookable.visit(browser, "16:00")
            asked = await visit.send(start=f"{visit.fields['start'].split()[0]} 1.00", email=email)
            assert "The price has changed" in asked.text
        assert len(await orders_of(shop)) == 3


async def test_a_time_taken_meanwhile_offers_the_nearest_and_keeps_what_was_typed(bookable: BookableBranch) -> None:
    shop = bookable.shop
    async with visitor(shop) as browser:
        late = await bookable.visit(browser, "10:00", services=f"{bookable.cut}::{bookable.dana}")
        await (await bookable.visit(browser, "10:00", services=f"{bookable.cut}::{bookable.dana}")).send(
            phone="+966501112223"
        )
        refused = await late.send(note="Quiet please")
        assert refused.status_code == 422
        assert "was just taken" in refused.text
        assert all(typed in refused.text for typed in ("Sara Alotaibi", SARA["email"], "Quiet please"))
        assert enter_books(refused)
        offered = starts_of(refused)[:3]
        assert [value[11:16] for value in offered] == ["09:00", "11:00", "11:15"]
        fields = dict(HIDDEN.findall(refused.text))
        unchosen = await late.send(token=fields["token"], start="")
        assert "Choose a time." in unchosen.text
        assert len(await orders_of(shop)) == 1
        chosen = await late.send("/hold", token=fields["token"], start=offered[1], note="Quiet please")
        assert ">Quiet please</textarea>" in chosen.text
        assert re.search(r"<span>Book \w+ <time[^>]*>11:00", chosen.text)
        assert len(await orders_of(shop)) == 1
        booked = await late.send(token=fields["token"], start=offered[1])
        assert booked.status_code == 303
        assert len(await orders_of(shop)) == 2
        # Anyone is still free at ten, but it costs more than was shown.
        dearer = await bookable.visit(browser, "10:00")
        price = await dearer.send(start=dearer.fields["start"].replace("220.00", "160.00"), phone="+966501112224")
        assert "The price has changed" in price.text


async def test_the_booking_page_follows_the_rules_of_the_business(bookable: BookableBranch) -> None:
    shop, path = bookable.shop, f"/book/{await slug_of(bookable.shop)}"
    await change_tenant(shop, notice_hours=48, horizon_days=9, deposit_percent=25, cancellation_hours=5)
    async with visitor(shop) as browser:
        query = {"services": f"{bookable.cut}::{bookable.noura}", "date": str(day(8)), "time": "12:00"}
        page = await browser.get(path, params=query)
        assert "You pay a deposit of SAR \N{LEFT-TO-RIGHT ISOLATE}55.00" in page.text
        assert "After booking, contact us to pay it." in page.text
        await change_rows(shop, "branches", phone="+966112154470")
        assert "After booking, call us to pay it." in (await browser.get(path, params=query)).text
        await change_booking_page(shop, payment_instructions='{"en": "By transfer to SA03"}')
        assert "<bdi>By transfer to SA03</bdi>" in (await browser.get(path, params=query)).text
        assert "cancel until <" not in page.text
        assert '<time class="ltr">07:00</time>' in page.text  # five hours before
        soon = await browser.get(path, params={**query, "date": str(day(1))})
        assert not [value for value in starts_of(soon) if value.startswith(str(day(1)))]
        far = await browser.get(path, params={**query, "date": str(day(12))})
        assert not [value for value in starts_of(far) if value[:10] > str(day(9))]
        form = await bookable.visit(browser, "10:00")
        for on in (day(1), day(12)):
            refused = await form.send(start=f"{on}T10:00 160.00")
            assert "was just taken" in refused.text
        off_grid = await form.send(start=f"{bookable.day}T10:07 160.00")
        assert "was just taken" in off_grid.text
    assert await orders_of(shop) == []


async def test_options_and_several_services_follow_one_another(bookable: BookableBranch) -> None:
    shop, path = bookable.shop, f"/book/{await slug_of(bookable.shop)}"
    colour = await bookable.branch.add_service(name={"en": "Colour"}, price="300", duration=90, base_sellable=False)
    option = await make_option(shop, colour, "450", duration=120)
    await assign_service(shop, bookable.dana, colour)
    async with visitor(shop) as browser:
        lone = await browser.get(path, params={"services": str(colour)})
        assert starts_of(lone)[0].endswith(" 450.00")  # one option and one provider: nobody is asked
        await make_option(shop, colour, "600", duration=180)
        unfinished = await browser.get(path, params={"services": str(colour)})
        assert "Choose an option" in unfinished.text
        assert starts_of(unfinished) == []
        form = await bookable.visit(browser, "14:00", services=f"{bookable.cut},{colour}:{option}")
        assert "14:15" not in [value[11:16] for value in starts_of(await browser.get(path, params=form.fields))]
        assert (await form.send()).status_code == 303
    (order,) = await orders_of(shop)
    assert order["staff"][1] == bookable.dana
    assert order["total"] == 450 + (160 if order["staff"][0] == bookable.dana else 220)


async def test_the_booking_page_refuses_bots_and_limits_attempts(bookable: BookableBranch) -> None:
    shop = bookable.shop
    async with visitor(shop) as browser:
        form = await bookable.visit(browser)
        trapped = await form.send(homepage="https://spam.example")
        assert trapped.status_code == 422
        assert "spam.example" not in trapped.text
        page = await browser.get(form.path, params={"services": str(bookable.cut), "date": str(bookable.day)})
        at_once = await form.send(token=dict(HIDDEN.findall(page.text))["token"])
        assert "sent too quickly" in at_once.text
        forged = await form.send(token="none")
        assert "open for a long time" in forged.text
        assert SARA["email"] in forged.text
        other_site = await browser.post(form.path, data=form.fields, headers={"origin": "https://elsewhere.example"})
        assert other_site.status_code == 403
        assert await orders_of(shop) == []
        await change_tenant(shop, is_sandbox=False)
        await insert_bookings_of_network(shop, details.BOOKINGS_OF_ADDRESS)
        full = await form.send()
        assert full.status_code == 422
        assert "Please call us to book." in full.text
        await forget_attempts(shop.dsn)
        answers = [(await form.send(name="")).status_code for _ in range(details.ATTEMPTS_OF_ADDRESS + 1)]
        assert answers[-1] == 429
        assert set(answers[:-1]) == {422}
        await forget_attempts(shop.dsn)


async def test_a_chosen_time_is_held_for_a_while_and_within_bounds(bookable: BookableBranch) -> None:
    shop, only_dana = bookable.shop, {"services": f"{bookable.cut}::{bookable.dana}"}
    async with visitor(shop) as browser:
        forms = [await bookable.visit(browser, "10:00", **only_dana) for _ in range(5)]
        for count, text in ((5, "Book"), (4, "is kept for you")):  # more than four hours are not held
            long = await forms[0].send("/hold", services=",".join([only_dana["services"]] * count))
            assert text in long.text
            assert len(await shop.sql("SELECT FROM holds WHERE tenant_id = $1")) == (count if count < 5 else 0)
        held = await forms[0].send("/hold")
        assert "This time is kept for you" in held.text
        assert "10:00" in clocks_of(held)
        others = await browser.get(forms[0].path, params={**only_dana, "date": str(bookable.day)})
        assert "10:00" not in clocks_of(others)
        assert "09:15" not in clocks_of(others)
        lost = await forms[1].send("/hold")
        assert "was just taken" in lost.text
        later = await forms[1].send("/hold", start=f"{bookable.day}T12:00 160.00")
        assert "This time is kept for you" in later.text
        # Two hours of a provider's day are held: no more.
        full = await forms[2].send("/hold", start=f"{bookable.day}T14:00 160.00")
        assert "This time is kept for you" not in full.text
        next_day = f"{bookable.day + timedelta(days=1)}T10:00 160.00"
        assert "is kept for you" in (await forms[2].send("/hold", start=next_day)).text
        # Three forms of one address hold something: no more.
        noura = {"services": f"{bookable.cut}::{bookable.noura}"}
        assert (
            "is kept for you" not in (await forms[3].send("/hold", start=f"{bookable.day}T10:00 220.00", **noura)).text
        )
        # The front desk is not held up, and the booking constraint decides.
        placed = await bookable.branch.place(
            line(bookable.cut, staff_id=bookable.dana), start=start(bookable.day, "12:00")
        )
        assert placed["status"] == "confirmed"
        assert "was just taken" in (await forms[1].send(start=f"{bookable.day}T12:00 160.00")).text
        # The customer who holds the time books it, and the hold ends.
        assert (await forms[0].send()).status_code == 303
        assert len(await shop.sql("SELECT FROM holds WHERE tenant_id = $1")) == 2
        # A hold ends by itself, and is not renewed for ever.
        await change_rows(shop, "holds", created_at=ago(minutes=9))
        assert "is kept for you" not in (await forms[2].send("/hold", start=next_day)).text


@pytest.fixture
async def proxied(dsn: str) -> AsyncIterator[Service]:
    """A service behind a proxy, so that a test can speak for many addresses."""
    async with running_service(dsn, trusted_proxies=("127.0.0.0/8",)) as service:
        yield service


@pytest.mark.torture
async def test_many_want_the_same_hour_and_it_is_sold_once(bookable: BookableBranch, proxied: Service) -> None:
    """From as many addresses. Everybody gets an answer, and nobody sees another's name."""
    shop, count = bookable.shop, repetitions(30, long=200)
    async with visitor(shop) as browser:
        form = await bookable.visit(browser, services=f"{bookable.cut}::{bookable.dana}")

    async def send(http: httpx2.AsyncClient, n: int) -> httpx2.Response:
        token = write_form_token(BOX, shop.tenant_id, FormToken(uuid7(), time.time() - 60))
        own = {"token": token, "name": f"Person{n:03}", "phone": f"+96650{1000000 + n}", "email": ""}
        headers = {"origin": proxied.origin, "x-forwarded-for": f"10.7.{n // 250}.{n % 250}"}
        return await answered(lambda: http.post(form.path, data={**form.fields, **own}, headers=headers))

    limits = httpx2.Limits(max_connections=30)  # more would be refused because too many wait
    async with httpx2.AsyncClient(
        base_url=proxied.origin, timeout=120, verify=NO_CERTIFICATES, headers=ENGLISH, limits=limits
    ) as http:
        answers = await asyncio.gather(*(send(http, n) for n in range(count)))
    assert sorted(answer.status_code for answer in answers) == [303] + [422] * (count - 1)
    for n, answer in enumerate(answers):
        assert set(re.findall(r"Person\d{3}", answer.text)) <= {f"Person{n:03}"}
    assert all("was just taken" in answer.text for answer in answers if answer.status_code == 422)
    (order,) = await orders_of(shop)
    assert order["customer"].startswith("Person")
