"""What a network can take from a business on its booking page, and what a blocked customer learns."""

import re

from frontdesk.auth.throttle import subject
from frontdesk.messages.secret_data import unseal
from frontdesk.ui.public import details
from tests.factories.people import make_customer
from tests.support.forms import texts
from tests.support.salon import line, start
from tests.support.shop import Shop
from tests.ui.test_booking_page import BOX, SARA, Studio, clocks_of, open_studio, orders_of, studio, visitor

__all__ = ["studio"]
KEPT = "This time is kept for you"


async def test_a_network_holds_times_for_half_an_hour_of_each_hour(studio: Studio) -> None:
    """Opening the page again and again does not keep a time for ever."""
    shop, only_dana = studio.shop, {"services": f"{studio.cut}::{studio.dana}"}
    async with visitor(shop) as browser:
        old = await studio.visit(browser, **only_dana)
        assert KEPT in (await old.send("/hold")).text
        await shop.sql("UPDATE holds SET created_at = now() - interval '9 minutes' WHERE tenant_id = $1")
        for _ in range(2):  # what has ended is not forgotten
            assert KEPT not in (await old.send("/hold")).text
        await shop.sql("UPDATE holds SET created_at = now() - interval '29 minutes' WHERE tenant_id = $1")
        new = await studio.visit(browser, **only_dana)
        refused = await new.send("/hold")
        assert KEPT not in refused.text
        assert "10:00" in clocks_of(refused)
        await shop.sql("UPDATE holds SET created_at = now() - interval '27 minutes' WHERE tenant_id = $1")
        assert KEPT in (await new.send("/hold")).text
        assert (await new.send()).status_code == 303


async def test_the_share_of_a_day_is_that_of_the_business_day(studio: Studio) -> None:
    """In Auckland the day of UTC changes at noon or one o'clock."""
    shop, only_dana = studio.shop, {"services": f"{studio.cut}::{studio.dana}"}
    await shop.sql("UPDATE tenants SET timezone = 'Pacific/Auckland' WHERE id = $1")
    async with visitor(shop) as browser:
        answers = [
            await (await studio.visit(browser, clock, **only_dana)).send("/hold")
            for clock in ("09:00", "11:00", "14:00")
        ]
    assert [KEPT in answer.text for answer in answers] == [True, True, False]


async def test_few_addresses_that_use_up_the_attempts_lock_out_nobody_else(studio: Studio) -> None:
    shop = studio.shop
    await shop.sql(
        "INSERT INTO throttles (subject, bucket_ends, bucket_counts, total) "
        "SELECT $2, ARRAY[now()], ARRAY[$3::integer], $3 WHERE $1::uuid IS NOT NULL",
        subject("booking business", str(shop.tenant_id)),
        details.ATTEMPTS_OF_BUSINESS,
    )
    async with visitor(shop) as browser:
        form = await studio.visit(browser)
        answers = [(await form.send(name="")).status_code for _ in range(details.FIRST_ATTEMPTS - 1)]
        assert set(answers) == {422}
        assert (await form.send()).status_code == 303
        assert (await form.send()).status_code == 429
    await shop.sql("DELETE FROM throttles WHERE $1::uuid IS NOT NULL")


async def test_codes_that_others_asked_for_keep_nobody_from_their_own(salon: Shop) -> None:
    shop, studio = salon, await open_studio(salon)
    await shop.sql("INSERT INTO booking_page_settings (tenant_id, asks_for_code) VALUES ($1, true)")
    async with visitor(shop) as browser:
        for _ in range(5):
            assert (await (await studio.visit(browser)).send()).status_code == 200
        own = await studio.visit(browser)
        assert "was sent a moment ago" in (await own.send()).text
        await shop.sql("UPDATE contact_codes SET network = 'elsewhere' WHERE tenant_id = $1")
        assert (await own.send()).status_code == 200
        rows = await shop.sql("SELECT secret FROM messages WHERE tenant_id = $1 AND kind = 'contact_code' ORDER BY id")
        assert (await own.send(code=unseal(BOX, rows[-1]["secret"])["code"])).status_code == 303
    assert len(await orders_of(shop)) == 1


async def test_a_blocked_customer_gets_the_page_of_a_time_that_others_have_booked(studio: Studio) -> None:
    """Both providers seem to be booked, and every time that overlaps is gone as well."""
    shop = studio.shop
    blocked = await make_customer(shop, "Hessa", "Secret")
    await shop.sql(
        "UPDATE customers SET phone = $3, blocked = true WHERE tenant_id = $1 AND id = $2", blocked, SARA["phone"]
    )
    async with visitor(shop) as browser:
        form = await studio.visit(browser, "12:00")
        first = await form.send()
        for staff_id in (studio.noura, studio.dana):
            await studio.salon.place(line(studio.cut, staff_id=staff_id), start=start(studio.day, "12:00"))
        await shop.sql("UPDATE customers SET blocked = false WHERE tenant_id = $1")
        second = await form.send()
    assert (first.status_code, second.status_code) == (422, 422)
    token = re.compile(r'name="token" value="[^"]*"')
    assert token.sub("", texts(first.text)) == token.sub("", texts(second.text))
    assert clocks_of(first) == clocks_of(second)
    assert not {"11:15", "12:00", "12:45"} & set(clocks_of(first))


async def test_a_customer_who_is_known_by_the_address_alone_is_found_by_it(studio: Studio) -> None:
    """Also if they are blocked."""
    shop = studio.shop
    async with visitor(shop) as browser:
        for clock in ("10:00", "11:00"):
            assert (await (await studio.visit(browser, clock)).send(phone="")).status_code == 303
        rows = await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND email = $2", SARA["email"])
        assert len(rows) == 1
        await shop.sql("UPDATE customers SET blocked = true WHERE tenant_id = $1 AND id = $2", rows[0]["id"])
        assert (await (await studio.visit(browser, "14:00")).send(phone="")).status_code == 422


async def test_a_provider_who_was_chosen_after_a_hold_is_booked(studio: Studio) -> None:
    shop = studio.shop
    async with visitor(shop) as browser:
        form = await studio.visit(browser)
        assert KEPT in (await form.send("/hold")).text
        (held,) = await shop.sql("SELECT staff_id FROM holds WHERE tenant_id = $1")
        (other,) = await shop.sql(
            "SELECT staff_id FROM staff_services WHERE tenant_id = $1 AND item_id = $2 AND staff_id <> $3 LIMIT 1",
            studio.cut,
            held["staff_id"],
        )
        chosen = await studio.visit(browser, services=f"{studio.cut}::{other['staff_id']}")
        answer = await chosen.send(token=form.fields["token"])
        assert answer.status_code == 303, answer.text
    (booking,) = await shop.sql("SELECT staff_id FROM bookings WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1")
    assert booking["staff_id"] == other["staff_id"]
