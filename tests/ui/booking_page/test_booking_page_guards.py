"""What a network can take from a business on its booking page, and what a blocked customer learns."""

import html
import re

from frontdesk.auth.throttle import subject
from frontdesk.messages.secret_data import decrypt_values
from frontdesk.ui.booking_page import details
from tests.factories.changes import ago, change_row, change_rows, change_tenant
from tests.factories.people import make_customer
from tests.factories.settings import change_booking_page
from tests.factories.used_up import forget_attempts, insert_bookings_of_network, use_up_attempts
from tests.support.forms import texts
from tests.support.shop import Shop
from tests.ui.booking_page.test_booking_page import (
    BOX,
    SARA,
    BookableBranch,
    bookable,
    clocks_of,
    enter_books,
    open_bookable_branch,
    orders_of,
    visitor,
)

__all__ = ["bookable"]
KEPT = "This time is kept for you"


async def test_a_network_holds_times_for_half_an_hour_of_each_hour(bookable: BookableBranch) -> None:
    """Opening the page again and again does not keep a time for ever."""
    shop, only_dana = bookable.shop, {"services": f"{bookable.cut}::{bookable.dana}"}
    async with visitor(shop) as browser:
        old = await bookable.visit(browser, **only_dana)
        assert KEPT in (await old.send("/hold")).text
        await change_rows(shop, "holds", created_at=ago(minutes=9))
        for _ in range(2):  # what has ended is not forgotten
            assert KEPT not in (await old.send("/hold")).text
        await change_rows(shop, "holds", created_at=ago(minutes=29))
        new = await bookable.visit(browser, **only_dana)
        refused = await new.send("/hold")
        assert KEPT not in refused.text
        assert "10:00" in clocks_of(refused)
        await change_rows(shop, "holds", created_at=ago(minutes=27))
        assert KEPT in (await new.send("/hold")).text
        assert (await new.send()).status_code == 303


async def test_the_share_of_a_day_is_that_of_the_business_day(bookable: BookableBranch) -> None:
    """In Auckland the day of UTC changes at noon or one o'clock."""
    shop, only_dana = bookable.shop, {"services": f"{bookable.cut}::{bookable.dana}"}
    await change_tenant(shop, timezone="Pacific/Auckland")
    async with visitor(shop) as browser:
        answers = [
            await (await bookable.visit(browser, clock, **only_dana)).send("/hold")
            for clock in ("09:00", "11:00", "14:00")
        ]
    assert [KEPT in answer.text for answer in answers] == [True, True, False]


async def test_few_addresses_that_use_up_the_attempts_lock_out_nobody_else(bookable: BookableBranch) -> None:
    shop = bookable.shop
    await use_up_attempts(shop, subject("booking business", str(shop.tenant_id)), details.ATTEMPTS_OF_BUSINESS)
    async with visitor(shop) as browser:
        form = await bookable.visit(browser)
        answers = [(await form.send(name="")).status_code for _ in range(details.FIRST_ATTEMPTS - 1)]
        assert set(answers) == {422}
        assert (await form.send()).status_code == 303
        assert (await form.send()).status_code == 429
    await forget_attempts(shop.dsn)


async def test_codes_that_others_asked_for_keep_nobody_from_their_own(own_shop: Shop) -> None:
    shop, bookable = own_shop, await open_bookable_branch(own_shop)
    await change_booking_page(shop, asks_for_code=True)
    async with visitor(shop) as browser:
        for _ in range(5):
            assert (await (await bookable.visit(browser)).send()).status_code == 200
        own = await bookable.visit(browser)
        assert "was sent a moment ago" in (await own.send()).text
        await change_rows(shop, "contact_codes", network=b"elsewhere")
        assert (await own.send()).status_code == 200
        rows = await shop.sql("SELECT secret FROM messages WHERE tenant_id = $1 AND kind = 'contact_code' ORDER BY id")
        assert (await own.send(code=decrypt_values(BOX, rows[-1]["secret"])["code"])).status_code == 303
    assert len(await orders_of(shop)) == 1


async def test_a_blocked_customer_gets_the_page_of_a_network_that_booked_too_often(bookable: BookableBranch) -> None:
    """The time stays free, and the number to call is on the page."""
    shop = bookable.shop
    await change_tenant(shop, is_sandbox=False)
    await change_rows(shop, "branches", phone="+966112223344")
    await make_customer(shop, "Hessa", "Secret", phone=SARA["phone"], blocked=True)
    async with visitor(shop) as browser:
        form = await bookable.visit(browser, "12:00")
        first = await form.send()
        await change_rows(shop, "customers", blocked=False)
        await insert_bookings_of_network(shop, details.BOOKINGS_OF_ADDRESS)
        second = await form.send()
    assert (first.status_code, second.status_code) == (422, 422)
    token = re.compile(r'name="token" value="[^"]*"')
    assert token.sub("", texts(first.text)) == token.sub("", texts(second.text))
    assert clocks_of(first) == clocks_of(second)
    assert "12:00" in clocks_of(first)
    assert "Please call us to book." in first.text
    assert 'href="tel:+966112223344"' in first.text
    assert await orders_of(shop) == []


async def test_a_customer_who_is_known_by_the_address_alone_is_found_by_it(bookable: BookableBranch) -> None:
    """Also if they are blocked."""
    shop = bookable.shop
    async with visitor(shop) as browser:
        for clock in ("10:00", "11:00"):
            assert (await (await bookable.visit(browser, clock)).send(phone="")).status_code == 303
        rows = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND email = $2", SARA["email"])
        assert len(rows) == 1
        await change_row(shop, "customers", rows[0]["id"], blocked=True)
        assert (await (await bookable.visit(browser, "14:00")).send(phone="")).status_code == 422


async def test_a_provider_who_was_chosen_after_a_hold_is_booked(bookable: BookableBranch) -> None:
    shop = bookable.shop
    async with visitor(shop) as browser:
        form = await bookable.visit(browser)
        assert KEPT in (await form.send("/hold")).text
        (held,) = await shop.sql("SELECT staff_id FROM holds WHERE tenant_id = $1")
        (other,) = await shop.sql(
            "SELECT staff_id FROM staff_services WHERE tenant_id = $1 AND item_id = $2 AND staff_id <> $3 LIMIT 1",
            bookable.cut,
            held["staff_id"],
        )
        chosen = await bookable.visit(browser, services=f"{bookable.cut}::{other['staff_id']}")
        answer = await chosen.send(token=form.fields["token"])
        assert answer.status_code == 303, answer.text
    (booking,) = await shop.sql("SELECT staff_id FROM bookings WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1")
    assert booking["staff_id"] == other["staff_id"]


async def test_the_other_language_keeps_what_was_chosen_typed_and_held(bookable: BookableBranch) -> None:
    """Also on a page that answers a form, whose address has nothing of it."""
    typed = {"name": "Sara", "phone": "0553182047", "email": "sara@example.com", "note": "By the window", "news": "yes"}
    async with visitor(bookable.shop) as browser:
        form = await bookable.visit(browser, "12:00", services=f"{bookable.cut}::{bookable.dana}")
        held = await form.send("/hold")
        refused = await form.send(name="")
        for answer in (held, refused):
            assert enter_books(answer)
            (button,) = re.findall(r'<button class="button" form="bk" formaction="([^"]*)" [^>]*lang="ar"', answer.text)
            address = html.unescape(button)
            assert f"services={bookable.cut}::{bookable.dana}" in address
            assert f"date={bookable.day}" in address
            assert not any(form.fields[name] in address for name in ("token", "start"))
            arabic = await form.send(address.removeprefix(form.path), **typed, shown="form")
            assert arabic.status_code == 200
            assert 'dir="rtl"' in arabic.text
            assert f'name="services" value="{bookable.cut}::{bookable.dana}"' in arabic.text
            assert f'name="token" value="{form.fields["token"]}"' in arabic.text, "it is the same form to the script"
            assert f'name="start" value="{form.fields["start"]}"' in arabic.text, "its own hold hides nothing"
            for value in ("Sara", "0553182047", "sara@example.com"):
                assert f'value="{value}"' in arabic.text
            assert ">By the window</textarea>" in arabic.text
            assert re.search(r'name="news" value="yes" checked', arabic.text)
        english = await form.send("?lang=en", shown="code")
        assert 'name="code"' in english.text


async def test_a_reloaded_page_releases_what_the_earlier_form_held(bookable: BookableBranch) -> None:
    async with visitor(bookable.shop) as browser:
        only_dana = {"services": f"{bookable.cut}::{bookable.dana}"}
        form = await bookable.visit(browser, "12:00", **only_dana)
        assert KEPT in (await form.send("/hold")).text
        reloaded = await browser.get(form.path, params={"date": str(bookable.day), **only_dana})
        assert "12:00" not in clocks_of(reloaded)
        for token, is_free in (("forged", False), (form.fields["token"], True)):
            answer = await form.send("/release", token=token)
            assert (answer.status_code, answer.text) == (204, "")
            reloaded = await browser.get(form.path, params={"date": str(bookable.day), **only_dana})
            assert ("12:00" in clocks_of(reloaded)) == is_free
