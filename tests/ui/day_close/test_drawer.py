"""The drawer and the close of a day as people at the desk meet them."""

import asyncio
import json
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.day_close.drawer_queries import Drawer, get_drawer
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.values.ids import uuid7
from tests.factories.changes import age_rows, ago, change_rows
from tests.factories.orders import make_tip
from tests.factories.users import make_user
from tests.support.branch import BranchFixture, day, line, method_of, open_branch
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop
from tests.support.till import Till, set_currency

SAR = 14  # notes and coins


@pytest.fixture
async def room(own_shop: Shop, other_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


async def look(room: BranchFixture) -> Drawer:
    async with pooled_connection(room.shop.dsn) as raw:
        return await fetch(Connection(raw), room.shop.tenant_id, get_drawer(room.branch_id))


async def open_with(desk: DashboardClient, room: BranchFixture, amount: str, **more: str) -> httpx2.Response:
    return await desk.post("/drawer/open", {"id": str(uuid7()), "branch": str(room.branch_id), "float": amount, **more})


async def move(desk: DashboardClient, room: BranchFixture, kind: str, amount: str, reason: str = "") -> httpx2.Response:
    sent = {"id": str(uuid7()), "branch": str(room.branch_id), "kind": kind, "amount": amount, "reason": reason}
    return await desk.post("/drawer/move", sent)


def counting(room: BranchFixture, counted: int, **more: Any) -> dict[str, Any]:
    """A count in coins of one riyal."""
    pieces = ["", "", "", "", "", "", "", "", str(counted), "", "", "", "", ""]
    assert len(pieces) == SAR
    sent = {"id": str(uuid7()), "branch": str(room.branch_id), "date": str(day(0)), "is_open": "yes"}
    return {**sent, "pieces": pieces, **more}


async def sell(till: Till, amount: str, *payments: dict[str, Any]) -> str:
    cream = await till.branch.add_product(price=amount)
    sale = await till.ring_up(f"{Decimal(amount):.2f}", line(cream, "product"), payment_methods=list(payments))
    return str(sale["id"])


async def tip(room: BranchFixture, order_id: str, amount: Decimal, method: str) -> None:
    await make_tip(room.shop, UUID(order_id), UUID(method), str(amount))


async def closes(shop: Shop) -> list[Any]:
    return await shop.sql("SELECT * FROM day_closes WHERE tenant_id = $1 ORDER BY close_number")


async def test_every_movement_says_who_why_and_what_is_then_in_the_drawer(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    assert (await open_with(owner, room, "500")).status_code == 303
    await sell(till, "95", await till.paid("95", tendered="100"))
    assert (await move(owner, room, "out", "120", "Flowers for the desk")).status_code == 303
    assert (await move(owner, room, "in", "200")).status_code == 422, "without a reason"
    refused = await move(owner, room, "safe", "475.01")
    assert refused.status_code == 422
    assert "The drawer holds 475.00." in refused.text
    assert (await move(owner, room, "safe", "400")).status_code == 303
    drawer = await look(room)
    assert [(event.kind, int(event.amount), int(event.balance)) for event in reversed(drawer.events)] == [
        ("opened", 500, 500),
        ("sale", 95, 595),
        ("out", -120, 475),
        ("safe", -400, 75),
    ]
    page = (await owner.get(f"/drawer?branch={room.branch_id}")).text
    assert "Flowers for the desk" in page
    names = await own_shop.sql(
        "SELECT action FROM activity WHERE tenant_id = $1 AND action LIKE 'drawer.%' ORDER BY id"
    )
    assert [row["action"] for row in names] == ["drawer.opened", "drawer.out", "drawer.safe"]
    assert (await open_with(owner, room, "1")).status_code == 422, "it is open"


async def test_the_count_is_stored_with_the_day_and_a_difference_needs_a_note(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await open_with(owner, room, "100")
    sale = await sell(till, "50", await till.paid("20"), await till.paid("30", "card"))
    await tip(room, sale, Decimal(5), await method_of(own_shop))
    await tip(room, sale, Decimal(7), await method_of(own_shop, "card"))
    card = await method_of(own_shop, "card")
    page = (await owner.get("/day-close")).text
    assert "125.00" in page
    assert page.count("37.00") == 2, "the card terminal has the tip too, also by cashier"
    assert page.count("with tips 7.00") == 2
    assert 'href="/till"' in page[page.index('class="crumb"') :]
    assert "Not counted yet" in page
    refused = await owner.post("/day-close", counting(room, 0, pieces=[""] * SAR, left="100"))
    assert "Count the drawer." in refused.text
    assert "Enter at most what was counted." not in refused.text
    refused = await owner.post("/day-close", counting(room, 110, left="100"))
    assert refused.status_code == 422
    assert "Say why it differs." in refused.text
    assert "15.00 short" in refused.text
    found = {"method": [card], "found": ["30"]}
    refused = await owner.post("/day-close", counting(room, 125, left="126", **found))
    assert "Enter at most what was counted." in refused.text
    assert "7.00 short" in refused.text
    assert "has changed while you counted" in (await owner.post("/day-close", counting(room, 125, expected="1"))).text
    sent = counting(room, 110, left="100", note="Taxi, slip missing", **found)
    first, second = await asyncio.gather(owner.post("/day-close", sent), owner.post("/day-close", sent))
    assert {first.status_code, second.status_code} <= {303, 409}
    (stored,) = await closes(own_shop)
    closed = (await owner.get(f"/day-close?branch={room.branch_id}&date={day(0)}", follow_redirects=True)).text
    assert closed.count("with tips 7.00") == 1
    for text in (
        "25.00",
        "37.00",
        "15.00 short",
        "7.00 short",
        "Taxi, slip missing",
        "Close no. 1",
        "Counted by",
        "Seen by",
    ):
        assert text in closed
    assert str(stored["id"]) in (await owner.get("/day-close/earlier")).text
    assert (await look(room)).sums is None


async def test_a_float_that_is_not_what_was_left_needs_a_reason(owner: DashboardClient, room: BranchFixture) -> None:
    await open_with(owner, room, "100")
    assert (await owner.post("/day-close", counting(room, 100, left="80"))).status_code == 303
    assert "SAR" in (await owner.get("/drawer")).text
    refused = await open_with(owner, room, "75")
    assert "Say why the float is not what was left." in refused.text
    assert (await open_with(owner, room, "75", reason="Five went to the bank")).status_code == 303
    assert (await look(room)).events[0].reason == "Five went to the bank"


async def test_a_day_is_closed_without_a_drawer_and_by_a_till(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await sell(till, "40", await till.paid("40"))
    sent = counting(room, 0, pieces=[""] * SAR)
    assert (await owner.post("/day-close", sent)).status_code == 303
    (stored,) = await closes(own_shop)
    assert '"counted"' not in stored["drawer"] or '"counted": null' in stored["drawer"]
    beside = await open_branch(own_shop)
    await open_with(owner, beside, "100")
    await move(owner, beside, "out", "30", "Coffee")
    answer = await till.request("POST", "/pos/day-close", {"team_id": str(beside.branch_id), "date": str(day(0))})
    assert answer.json()["data"]["cashiers"] == [], "the published totals know no float"
    after = await look(beside)
    assert after.sums is None
    assert after.left is not None
    assert after.left.amount is None
    assert (await open_with(owner, beside, "55")).status_code == 303, "nobody counted, so nothing differs"


async def test_a_drawer_that_paid_back_more_than_it_held_is_closed(owner: DashboardClient, room: BranchFixture) -> None:
    till = Till(room)
    await open_with(owner, room, "0")
    sale = await sell(till, "40", await till.paid("40"))
    await move(owner, room, "safe", "40")
    await till.refund(sale)
    assert 'value="-40.000"' in (await owner.get(f"/day-close?branch={room.branch_id}")).text
    sent = counting(room, 0, note="Paid from the safe", expected="-40.000")
    assert (await owner.post("/day-close", sent)).status_code == 303


async def test_a_cashier_counts_and_the_reception_closes(own_shop: Shop, room: BranchFixture) -> None:
    async with (
        await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as cashier,
        await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as reception,
    ):
        await open_with(cashier, room, "100")
        counted = await cashier.post("/day-close/count", counting(room, 99))
        assert counted.status_code == 200
        assert "1.00 short" in counted.text
        assert (await cashier.post("/day-close", counting(room, 99, note="x"))).status_code == 403
        assert 'value="99"' in (await reception.get("/day-close")).text, "begins with the last count"
        assert (await reception.post("/day-close", counting(room, 99, note="x"))).status_code == 303


async def test_a_currency_without_notes_is_counted_as_one_amount(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    await set_currency(own_shop, "ISK", 0)
    await open_with(owner, room, "5000")
    sent = {"id": str(uuid7()), "branch": str(room.branch_id), "date": str(day(0)), "is_open": "yes"}
    assert (await owner.post("/day-close", {**sent, "amount": "4,900", "note": "Lost"})).status_code == 303
    assert "100 short" in (await owner.get("/day-close/earlier")).text


async def test_a_drawer_opened_before_midnight_holds_what_was_sold_after_it(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    """The business closes after midnight: the day before is counted, with all that is in the drawer."""
    till = Till(room)
    await open_with(owner, room, "100")
    await age_rows(own_shop, "drawer_sessions", "opened_at", "counts_from", by=timedelta(days=1))
    await sell(till, "40", await till.paid("40"))
    page = (await owner.get("/day-close")).text
    assert f'value="{day(-1)}"' in page
    assert "140.00" in page
    assert (await owner.post("/day-close", counting(room, 140, date=str(day(-1))))).status_code == 303
    assert (await look(room)).sums is None


async def test_cash_taken_before_the_drawer_is_opened_is_in_it_once(
    owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await sell(till, "110", await till.paid("110"))
    await open_with(owner, room, "100")
    for path in ("/drawer", "/day-close"):
        page = (await owner.get(path)).text
        assert "110.00 before it was opened" in page
        assert "210.00" in page
    assert (await owner.post("/day-close", counting(room, 210, left="100"))).status_code == 303
    await sell(till, "5", await till.paid("5"))
    await open_with(owner, room, "100")
    drawer = await look(room)
    assert drawer.sums is not None
    assert drawer.sums.expected == 105, "what was counted at the close is not counted again"


async def test_movements_while_the_day_is_closed_are_in_it_or_refused(
    owner: DashboardClient, room: BranchFixture
) -> None:
    await open_with(owner, room, "100")
    token = await owner.form_token()

    async def put_in() -> int:
        sent = {"id": str(uuid7()), "branch": str(room.branch_id), "kind": "in", "amount": "1", "reason": "Change"}
        answer = await owner.http.post(
            "/drawer/move", data={"form_token": token, **sent}, headers={"origin": owner.origin}
        )
        return answer.status_code

    body = {"team_id": str(room.branch_id), "date": str(day(0))}
    before, closed, after = (
        asyncio.gather(*(put_in() for _ in range(6))),
        Till(room).request("POST", "/pos/day-close", body),
        asyncio.gather(*(put_in() for _ in range(6))),
    )
    first, answer, last = await asyncio.gather(before, closed, after)
    assert answer.status_code == 200
    (stored,) = await room.shop.sql(
        "SELECT (drawer ->> 'expected')::numeric AS expected FROM day_closes WHERE tenant_id = $1"
    )
    assert stored["expected"] == 100 + [*first, *last].count(303)


@pytest.mark.parametrize("seed", range(4))
async def test_what_should_be_in_the_drawer_is_the_sum_of_all_that_moved_it(
    owner: DashboardClient, room: BranchFixture, seed: int
) -> None:
    """Float + cash payments - cash refunds - change of other methods + in - out + cash tips, on random days."""
    random, till = Random(seed), Till(room)
    cash, card = await method_of(room.shop), await method_of(room.shop, "card")
    expected = Decimal(random.randrange(100_000)) / 100
    sales: list[str] = []

    def amount(most: int) -> Decimal:
        return Decimal(random.randrange(1, most)) / 100

    await sell(till, "33", await till.paid("33"))  # before the drawer is opened
    await open_with(owner, room, str(expected))
    expected += 33
    for _ in range(12):
        act, much = random.choice(["cash", "card", "split", "refund", "in", "out", "tip"]), amount(20_000)
        change = amount(500)
        if act == "cash":
            sales.append(await sell(till, str(much), await till.paid(str(much), tendered=str(much + change))))
            expected += much
        elif act == "card":
            sales.append(await sell(till, str(much), await till.paid(str(much), "card", tendered=str(much + change))))
            expected -= change
        elif act == "split":
            payments = [await till.paid(str(much)), await till.paid(str(change), "card")]
            sales.append(await sell(till, str(much + change), *payments))
            expected += much
        elif act == "refund" and sales:
            refunded = await till.refund(sales.pop())
            rows = await room.shop.sql(
                "SELECT coalesce(sum(t.amount), 0) AS amount FROM transactions t JOIN payment_methods m "
                "ON m.tenant_id = $1 AND m.id = t.payment_method_id AND m.type = 'cash' "
                "WHERE t.tenant_id = $1 AND t.order_id = $2",
                UUID(refunded["id"]),
            )
            expected += rows[0]["amount"]
        elif act == "in":
            assert (await move(owner, room, "in", str(much), "Change")).status_code == 303
            expected += much
        elif act == "out" and 0 < much <= expected:
            assert (await move(owner, room, random.choice(["out", "safe"]), str(much), "Bank")).status_code == 303
            expected -= much
        elif act == "tip" and sales:
            await tip(room, sales[-1], much, cash)
            await tip(room, sales[-1], change, card)
            expected += much
    drawer = await look(room)
    assert drawer.sums is not None
    assert drawer.sums.expected == expected
    assert drawer.events[0].balance == expected
    assert (await owner.get(f"/day-close?branch={room.branch_id}")).status_code == 200
    note = {"note": "As found", "date": str(day(0))}
    assert (await owner.post("/day-close", counting(room, 0, **note))).status_code == 303
    (stored,) = await room.shop.sql(
        "SELECT (drawer ->> 'expected')::numeric AS sum FROM day_closes WHERE tenant_id = $1"
    )
    assert stored["sum"] == expected


async def test_tomorrow_is_not_closed(owner: DashboardClient, room: BranchFixture) -> None:
    sent = counting(room, 0, date=str(day(0) + timedelta(days=1)))
    assert (await owner.post("/day-close", sent)).status_code == 422


async def test_what_each_cashier_hands_over_is_compared_and_all_errors_are_shown_at_once(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await open_with(owner, room, "100")
    card, cash = await method_of(own_shop, "card"), await method_of(own_shop)
    for name in ("Huda", "Amal"):
        sale = await sell(till, "50", await till.paid("20"), await till.paid("30", "card"))
        await change_rows(own_shop, "transactions", {"order_id": UUID(sale)}, cashier=name)
    refund = {"id": str(uuid7()), "what": "amount", "amount": "5", "method": card, "reason": "Late"}
    assert (await owner.post(f"/orders/{sale}/refund", refund)).status_code == 303
    page = (await owner.get("/day-close")).text
    assert "Refund, order" in page
    assert "−5.00" in page
    rows = {"cashier": ["Huda", "Amal"], "cashier_method": [card, card], "cashier_found": ["25", "much"]}
    pieces = ["x", *[""] * (SAR - 1)]
    refused = await owner.post("/day-close", counting(room, 0, pieces=pieces, left="lots", **rows))
    assert refused.status_code == 422
    assert 'id="e-pieces.0"' in refused.text
    assert refused.text.count("Enter an amount such as 12.50.") == 2
    assert "Say why it differs." in refused.text
    assert 'value="much"' in refused.text
    rows["cashier_found"] = ["25", "25"]
    both = counting(room, 140, left="100", note="Huda owes", **rows, method=[card], found=["60"])
    assert "The cashiers handed over 45.00 together." in (await owner.post("/day-close", both)).text
    old = counting(room, 140, left="100", date=str(day(-40)))
    assert "too long ago to be closed" in (await owner.post("/day-close", old)).text
    done = await owner.post("/day-close", counting(room, 140, left="100", note="Huda owes", **rows))
    assert done.status_code == 303, done.text
    (stored,) = await closes(own_shop)
    handed = {(each["cashier"], each["payment_method_id"]): each["found"] for each in json.loads(stored["handed_over"])}
    assert (handed["Huda", card], handed["Huda", cash]) == (25, None), "nobody counted Huda's cash"
    closed = (await owner.get(f"/day-close/{stored['id']}")).text
    assert "5.00 short" in closed


async def test_what_cashiers_handed_over_is_kept_for_a_day_before_the_drawer_was_opened(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till, card = Till(room), await method_of(own_shop, "card")
    sale = await sell(till, "50", await till.paid("50", "card"))
    await change_rows(own_shop, "transactions", {"order_id": sale}, cashier="Huda", created_at=ago(days=1))
    await open_with(owner, room, "100")
    sent = counting(room, 0, date=str(day(-1)), note="Huda owes")
    rows = {"cashier": ["Huda"], "cashier_method": [card], "cashier_found": ["45"]}
    assert (await owner.post("/day-close", {**sent, "pieces": [""] * SAR, **rows})).status_code == 303
    (stored,) = await closes(own_shop)
    assert stored["drawer"] is None
    assert "5.00 short" in (await owner.get(f"/day-close/{stored['id']}")).text
    assert (await look(room)).sums is not None, "the drawer stays open"
