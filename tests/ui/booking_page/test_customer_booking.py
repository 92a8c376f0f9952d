"""A customer's own booking at its address: seen, put into a calendar, canceled until the limit, never twice."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx2
import icalendar
import pytest

from frontdesk.ui.booking_page.customer_booking import WRONG_CODES
from tests.factories.changes import ago, change_row, change_rows, change_tenant
from tests.factories.settings import change_booking_page
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.shop import NO_CERTIFICATES, Shop

ENGLISH = {"accept": "text/html", "accept-language": "en"}


class Customer:
    """A browser without script and without cookies, at the page of one booking."""

    def __init__(self, shop: Shop, branch: BranchFixture, order_id: str, path: str, staff_id: UUID) -> None:
        self.shop, self.bookable, self.order_id, self.path, self.staff_id = shop, branch, order_id, path, staff_id
        self.http = httpx2.AsyncClient(base_url=shop.origin, timeout=120, verify=NO_CERTIFICATES, headers=ENGLISH)

    async def __aenter__(self) -> "Customer":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def see(self, path: str = "", **query: str) -> httpx2.Response:
        return await self.http.get(self.path + path, params=query)

    async def send(self, path: str, fields: dict[str, Any]) -> httpx2.Response:
        return await self.http.post(self.path + path, data=fields, headers={"origin": self.shop.origin})

    async def cancel(self, **changes: str) -> httpx2.Response:
        fields = form_fields((await self.see()).text, f"{self.path}/cancel")
        return await self.send("/cancel", {**fields, **changes})

    async def order(self) -> Any:
        return await self.bookable.read(self.order_id)


async def code_of(shop: Shop, order_id: str) -> str:
    (row,) = await shop.sql("SELECT booking_code($1, $2) AS code", UUID(order_id))
    return str(row["code"])


async def slug_of(shop: Shop) -> str:
    (row,) = await shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    return str(row["slug"])


async def booked(shop: Shop, ahead: int = 5) -> Customer:
    branch = await open_branch(shop)
    service_id = await branch.add_service(duration=60, price="100")
    staff_id = await branch.add_provider(service_id)
    order = await branch.place(line(service_id, staff_id=staff_id), start=start(day(ahead), "10:00"))
    path = f"/book/{await slug_of(shop)}/{await code_of(shop, order['id'])}"
    return Customer(shop, branch, order["id"], path, staff_id)


async def test_the_page_says_what_is_booked_and_sets_no_cookie(own_shop: Shop, other_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        page = await customer.see()
        words = texts(page.text)
        assert page.status_code == 200
        assert "10:00–11:00" in words
        assert "Free to move or cancel until" in words
        assert 'href="https://wa.me/?text=' in page.text  # to send it to one's own phone
        assert str((await customer.order())["order_number"]) in words
        assert page.headers["x-robots-tag"].startswith("noindex")
        assert page.headers["cache-control"] == "no-store"
        assert "set-cookie" not in page.headers
        assert 'dir="rtl"' in (await customer.see(lang="ar")).text
        assert "See you on" in (await customer.see(booked="1")).text
        misread = customer.path[:-16] + customer.path[-16:].lower().replace("0", "o").replace("1", "l")
        assert (await customer.http.get(misread)).status_code == 200
        elsewhere = customer.path.replace(await slug_of(own_shop), await slug_of(other_shop))
        assert (await customer.http.get(elsewhere)).status_code == 404


async def test_the_same_is_booked_again_with_the_same_person_in_one_press(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        page = (await customer.see(lang="ar")).text
        assert f"{customer.path}/again?lang=ar" in page
        assert quote(f"{own_shop.origin}{customer.path}", safe="") in page  # sent to the own phone
        answer = await customer.see("/again")
        assert (answer.status_code, answer.headers["cache-control"]) == (303, "no-store")
        times = await customer.http.get(answer.headers["location"])
        assert "When?" in times.text
        assert str(customer.staff_id) in answer.headers["location"]
        assert (await customer.http.get(f"{customer.path[:-16]}{'0' * 16}/again")).status_code == 404
        await customer.cancel()
        assert f"{customer.path}/again" in (await customer.see()).text


async def event_of(customer: Customer) -> Any:
    return icalendar.Calendar.from_ical((await customer.see("/calendar.ics")).content).events[0]


async def test_names_of_two_scripts_keep_their_places_and_the_filled_button_is_first(own_shop: Shop) -> None:
    branch = await open_branch(own_shop)
    first, second = [await branch.add_service(duration=60, price="100") for _ in range(2)]
    reem, joud = await branch.add_provider(first), await branch.add_provider(second)
    await change_row(own_shop, "staff", reem, name="ريم القحطاني")
    await change_row(own_shop, "staff", joud, name="Joud Alshehri")
    lines = line(first, staff_id=reem), line(second, staff_id=joud)
    order = await branch.place(*lines, start=start(day(5), "10:00"))
    path = f"/book/{await slug_of(own_shop)}/{await code_of(own_shop, order['id'])}"
    async with Customer(own_shop, branch, order["id"], path, reem) as customer:
        page = (await customer.see(booked="1")).text
        assert "with <bdi>ريم القحطاني</bdi> and <bdi>Joud Alshehri</bdi>" in page
        assert page.index("Add to calendar") < page.index(f"{path}/move")
        page = (await customer.see()).text
        assert page.index(f"{path}/move") < page.index("Add to calendar")


async def test_the_calendar_file_is_one_event_whose_sequence_rises(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        first = await event_of(customer)
        assert str(first["uid"]) == f"{customer.order_id}@frontdesk"
        assert first.start.isoformat() == f"{start(day(5), '10:00')}+03:00"
        await customer.cancel()
        second = await event_of(customer)
        assert (second["status"], second["uid"]) == ("CANCELLED", first["uid"])
        assert second["sequence"] > first["sequence"]


async def test_a_cancellation_frees_the_time_once_and_is_the_customers(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        fields = form_fields((await customer.see()).text, f"{customer.path}/cancel")
        answers = [await customer.send("/cancel", {**fields, "why": "plan"}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [303, 303]
        page = await customer.see()
        assert "The booking is canceled" in texts(page.text)
        assert "/cancel" not in page.text
        order = await customer.order()
        assert order["status"] == "canceled"
        history = [one for one in order["status_history"] if one["to"] == "canceled"]
        assert [one["changed_by"]["type"] for one in history] == ["system"]
        rows = await own_shop.sql(
            "SELECT actor_type, after FROM activity WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id DESC LIMIT 1",
            UUID(customer.order_id),
        )
        assert (rows[0]["actor_type"], "تغيّرت الظروف" in rows[0]["after"]) == ("customer", True)
        assert "10:00" in await customer.bookable.starts(UUID(order["items"][0]["id"]), day(5))


async def test_what_was_paid_before_a_cancellation_is_given_back(own_shop: Shop, owner: DashboardClient) -> None:
    """The business sees it on its overview until it is refunded, and the customer reads what happens with it."""
    await change_tenant(own_shop, deposit_percent=20)
    async with await booked(own_shop) as customer:
        due = "canceled booking is paid and not refunded"
        assert due not in texts((await owner.get("/")).text)
        await change_row(own_shop, "orders", UUID(customer.order_id), paid_amount=20)
        page = texts((await customer.see()).text)
        assert "refunds the SAR \N{LEFT-TO-RIGHT ISOLATE}20.00\N{POP DIRECTIONAL ISOLATE} that was paid" in page
        assert "What was paid may then be kept." in page
        await customer.cancel()
        assert "Paid, to be refunded" in texts((await customer.see()).text)
        assert "will refund it" in texts((await customer.see()).text)
        overview = (await owner.get("/")).text
        assert due in texts(overview)
        assert f"/orders/{customer.order_id}" in overview
        await change_row(own_shop, "orders", UUID(customer.order_id), refunded_amount=20)
        assert due not in texts((await owner.get("/")).text)


async def test_a_stale_page_changes_nothing_and_says_so(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        stale = form_fields((await customer.see()).text, f"{customer.path}/cancel")
        moved = await own_shop.post(f"/orders/{customer.order_id}/reschedule", {"start": start(day(6), "12:00")})
        assert moved.status_code == 200, moved.text
        refused = await customer.send("/cancel", stale)
        assert (refused.status_code, "12:00–13:00" in texts(refused.text)) == (422, True)
        assert "was changed meanwhile" in texts(refused.text)
        assert (await customer.order())["status"] == "confirmed"


@pytest.mark.parametrize(
    "change",
    [
        lambda shop: change_tenant(shop, cancellation_hours=200),
        lambda shop: change_booking_page(shop, customers_move=False, customers_cancel=False),
        lambda shop: change_tenant(shop, suspended_at=datetime.now(UTC)),
    ],
    ids=["after the limit", "nobody may", "suspended"],
)
async def test_after_the_limit_the_page_says_to_call(
    own_shop: Shop, change: Callable[[Shop], Coroutine[None, None, None]]
) -> None:
    async with await booked(own_shop) as customer:
        fields = form_fields((await customer.see()).text, f"{customer.path}/cancel")
        await change(own_shop)
        page = await customer.see()
        assert "To change it, please" in texts(page.text)
        assert (page.status_code, "/cancel" in page.text) == (200, False)
        assert (await customer.send("/cancel", fields)).status_code == 422
        (row,) = await own_shop.sql(
            "SELECT status FROM orders WHERE tenant_id = $1 AND id = $2", UUID(customer.order_id)
        )
        assert row["status"] == "confirmed"


async def test_wrong_codes_lead_nowhere_and_are_limited(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        assert (await customer.http.get(customer.path[:-16] + "nonsense")).status_code == 404
        assert (await customer.send("/cancel", {"version": "x"})).status_code == 422
        foreign = {"origin": "https://elsewhere.example"}
        refused = await customer.http.post(customer.path + "/cancel", data={"version": "1"}, headers=foreign)
        assert refused.status_code == 403
        guesses = httpx2.AsyncHTTPTransport(local_address="127.0.0.41", verify=NO_CERTIFICATES)
        async with httpx2.AsyncClient(
            base_url=own_shop.origin, transport=guesses, timeout=30, headers=ENGLISH
        ) as guesser:
            wrong = customer.path[:-16] + "0" * 16
            statuses = [(await guesser.get(wrong)).status_code for _ in range(WRONG_CODES + 1)]
            assert statuses == [404] * WRONG_CODES + [429]
            assert (await guesser.get(customer.path)).status_code == 200  # a customer behind the same address


async def test_a_move_keeps_the_old_time_until_the_new_one_is_saved_and_happens_once(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        page = await customer.see("/move", date=str(day(6)))
        fields = form_fields(page.text, f"{customer.path}/move")
        assert f'value="{day(6)}T14:00"' in page.text
        sent = {**fields, "start": f"{day(6)}T14:00"}
        assert [(await customer.send("/move", sent)).status_code for _ in range(2)] == [303, 303]
        order = await customer.order()
        assert order["start"] == f"{start(day(6), '14:00')}+03:00"
        assert len(order["status_history"]) == 2
        assert "14:00–15:00" in texts((await customer.see(moved="1")).text)
        stale = await customer.send("/move", {**sent, "start": f"{day(6)}T15:00"})
        assert (stale.status_code, "was changed meanwhile" in texts(stale.text)) == (422, True)
        assert (await customer.order())["start"] == f"{start(day(6), '14:00')}+03:00"


async def test_anyone_who_moves_a_booking_costs_the_same(own_shop: Shop) -> None:
    """The price of a booking stays when it moves, so others who cost more or less are not offered."""
    async with await booked(own_shop) as customer:
        service = UUID((await customer.order())["items"][0]["id"])
        await customer.bookable.add_provider(service, price="140")
        page = await customer.see("/move", date=str(day(6)), anyone="yes")
        assert "Anyone" not in texts(page.text)
        await customer.bookable.place(line(service, staff_id=customer.staff_id), start=start(day(6), "14:00"))
        fields = {**form_fields(page.text, f"{customer.path}/move"), "start": f"{day(6)}T14:00", "anyone": "yes"}
        assert (await customer.send("/move", fields)).status_code == 422
        same = await customer.bookable.add_provider(service, price="100")
        page = await customer.see("/move", date=str(day(6)), anyone="yes")
        assert "More times, the same price" in texts(page.text)
        assert "Providers with another price are not offered here." in texts(page.text)
        assert (await customer.send("/move", fields)).status_code == 303
        order = await customer.order()
        assert (order["items"][0]["staff_id"], Decimal(order["total"])) == (str(same), Decimal(100))


async def test_a_customer_move_without_a_time_is_refused_on_the_shown_day(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        fields = form_fields((await customer.see("/move", date=str(day(6)))).text, f"{customer.path}/move")
        refused = await customer.send("/move", fields)
        assert refused.status_code == 422
        assert "Choose a time." in refused.text
        assert f'value="{day(6)}T14:00"' in refused.text
        assert " required" not in refused.text


async def test_a_time_that_was_taken_meanwhile_offers_three_others(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        fields = form_fields((await customer.see("/move", date=str(day(5)))).text, f"{customer.path}/move")
        service = (await customer.order())["items"][0]["id"]
        await customer.bookable.place(line(service, staff_id=customer.staff_id), start=start(day(5), "13:00"))
        refused = await customer.send("/move", {**fields, "start": f"{day(5)}T13:00"})
        assert (refused.status_code, "not free any more" in texts(refused.text)) == (422, True)
        assert refused.text.count('<button class="button" name="start"') == 3
        assert (await customer.order())["start"] == f"{start(day(5), '10:00')}+03:00"


async def test_the_rules_of_the_business_bound_a_move(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        fields = form_fields((await customer.see("/move")).text, f"{customer.path}/move")
        await change_tenant(own_shop, notice_hours=48, horizon_days=10)
        page = await customer.see("/move", date=str(day(1)))
        assert f'value="{day(1)}T' not in page.text
        for too_far in (day(1), day(12), "0001-01-01", "9999-12-31"):
            refused = await customer.send("/move", {**fields, "start": f"{too_far}T14:00"})
            assert refused.status_code == 422
        assert (await customer.order())["start"] == f"{start(day(5), '10:00')}+03:00"
        await change_tenant(own_shop, cancellation_hours=200)
        until = "It could be moved or canceled here until"
        assert until not in texts((await customer.see("/move")).text)  # that was over when it was booked
        await change_rows(own_shop, "orders", created_at=ago(days=30))
        assert until in texts((await customer.see("/move")).text)


async def test_the_page_names_the_deposit_that_the_form_asked_for(own_shop: Shop, other_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        await change_tenant(own_shop, deposit_percent=20)
        assert "Deposit to pay before" not in (await customer.see()).text  # the desk has booked it
        await change_row(own_shop, "orders", UUID(customer.order_id), source="online")
        total = Decimal((await customer.order())["total"])
        shown = texts((await customer.see()).text)
        assert "Deposit to pay before" in shown
        assert f"{total / 5:.2f}" in shown
