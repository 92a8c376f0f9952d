"""Shifts of cashiers: each counts what they took, on a drawer of their own, and the day is closed after them."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.day_close.shift_queries import ShiftRow, list_shifts
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.values.ids import uuid7
from tests.factories.changes import age_rows
from tests.factories.users import make_user
from tests.support.branch import BranchFixture, day, line, method_of, open_branch
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop
from tests.support.till import Till
from tests.ui.day_close.test_drawer import closes, counting, move, open_with


class Desk(NamedTuple):
    """A branch with two drawers, its owner, and two cashiers."""

    room: BranchFixture
    owner: DashboardClient
    huda: DashboardClient
    rawan: DashboardClient


@pytest.fixture
async def desk(own_shop: Shop, other_shop: Shop, owner: DashboardClient) -> AsyncIterator[Desk]:
    room = await open_branch(own_shop)
    await choose(owner, room, drawers="2")
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(await dashboard_of(own_shop, await make_user(own_shop, role, name=name)))
            for role, name in ((Role.RECEPTIONIST, "Huda"), (Role.CASHIER, "Rawan"))
        ]
        yield Desk(room, owner, *people)


async def choose(owner: DashboardClient, room: BranchFixture, drawers: str, **more: str) -> httpx2.Response:
    sent = {"own_shifts": "yes", "branch": str(room.branch_id), "drawers": drawers, **more}
    return await owner.post("/settings/drawers", {name: value for name, value in sent.items() if value})


async def order(room: BranchFixture, amount: str) -> str:
    cream = await room.add_product(price=amount)
    sale = await Till(room).ring_up(f"{Decimal(amount):.2f}", line(cream, "product"))
    return str(sale["id"])


async def pay(person: DashboardClient, order_id: str, amount: str, method: str) -> None:
    sent = {"id": str(uuid7()), "amount": amount, "method": method}
    answer = await person.post(f"/orders/{order_id}/pay", sent)
    assert answer.status_code == 303, answer.text


async def take(person: DashboardClient, room: BranchFixture, amount: str, slug: str = "cash") -> None:
    """A payment that this person records."""
    await pay(person, await order(room, amount), amount, await method_of(room.shop, slug))


async def shifts_of(room: BranchFixture) -> list[ShiftRow]:
    async with pooled_connection(room.shop.dsn) as raw:
        return await fetch(Connection(raw), room.shop.tenant_id, list_shifts(room.branch_id, day(0)))


async def open_shift(person: DashboardClient, room: BranchFixture, amount: str, drawer: str) -> UUID:
    answer = await open_with(person, room, amount, drawer=drawer)
    assert answer.status_code == 303, answer.text
    return (await shifts_of(room))[-1].id


def count_of(room: BranchFixture, counted: int, **more: Any) -> dict[str, Any]:
    sent = counting(room, counted, **more)
    return {name: value for name, value in sent.items() if name not in ("branch", "date", "is_open")}


async def close_shift(
    person: DashboardClient, room: BranchFixture, shift: UUID, counted: int, **more: Any
) -> httpx2.Response:
    return await person.post(f"/shifts/{shift}/close", count_of(room, counted, **more))


async def assert_sound(room: BranchFixture) -> None:
    async with pooled_connection(room.shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), room.shop.tenant_id) == []


async def test_each_cashier_counts_what_they_took_and_the_day_is_closed_after_them(desk: Desk) -> None:
    room = desk.room
    huda = await open_shift(desk.huda, room, "100", "1")
    assert "You have an open shift" in (await open_with(desk.huda, room, "1", drawer="2")).text
    assert "already open" in (await open_with(desk.rawan, room, "1", drawer="1")).text
    assert "fewer drawers" in (await open_with(desk.rawan, room, "1", drawer="3")).text
    rawan = await open_shift(desk.rawan, room, "50", "2")
    await take(desk.huda, room, "40")
    await take(desk.rawan, room, "7")
    await take(desk.rawan, room, "20", "card")
    await move(desk.rawan, room, "out", "5", "Flowers")
    assert [(row.cashier, row.number, int(row.taken), int(row.cash)) for row in await shifts_of(room)] == [
        ("Huda", 1, 40, 40),
        ("Rawan", 2, 27, 7),
    ]
    assert "140.00" in (await desk.huda.get(f"/drawer?branch={room.branch_id}")).text
    refused = await desk.owner.post("/day-close", counting(room, 0, pieces=[]))
    assert "Close these shifts first: Huda, Rawan." in refused.text
    assert "Say why it differs." in (await close_shift(desk.huda, room, huda, 139)).text
    assert (await close_shift(desk.huda, room, huda, 139, note="Lost", left="100")).status_code == 303
    assert (await close_shift(desk.rawan, room, huda, 139)).status_code == 404, "a cashier closes only their own"
    card = await method_of(room.shop, "card")
    closed = await close_shift(desk.rawan, room, rawan, 52, method=[card], found=["20"])
    assert closed.status_code == 303
    page = (await desk.owner.get(f"/day-close?branch={room.branch_id}")).text
    assert "1.00 short" in page
    assert "Huda: Lost" in page
    assert 'name="found" value="20.00"' in page
    assert (await desk.owner.post("/day-close", counting(room, 0, pieces=[]))).status_code == 303
    (stored,) = await closes(room.shop)
    assert {row.day_close_id for row in await shifts_of(room)} == {stored["id"]}
    closed_page = (await desk.owner.get(f"/day-close/{stored['id']}")).text
    assert "Huda" in closed_page
    assert "Rawan" in closed_page
    await assert_sound(room)


async def test_a_shift_holds_cash_before_its_opening_and_the_next_one_what_was_left(desk: Desk) -> None:
    room = desk.room
    await take(desk.huda, room, "11")
    await take(desk.rawan, room, "5")
    first = await open_shift(desk.huda, room, "100", "1")
    page = (await desk.huda.get(f"/shifts/{first}")).text
    assert "111.00" in page
    assert "11.00 before it was opened" in page
    assert (await close_shift(desk.huda, room, first, 111, left="90")).status_code == 303
    await take(desk.huda, room, "3")
    refused = await open_with(desk.huda, room, "100", drawer="1")
    assert "Say why the float is not what was left." in refused.text
    second = await open_shift(desk.huda, room, "90", "1")
    assert [(row.id, int(row.cash)) for row in await shifts_of(room)] == [(first, 11), (second, 3)]
    assert "Cash taken without a shift" in (await desk.owner.get(f"/day-close?branch={room.branch_id}")).text
    await assert_sound(room)


async def test_nothing_is_counted_twice_beside_the_drawer_of_all(desk: Desk) -> None:
    room = desk.room
    await choose(desk.owner, room, "1", own_shifts="")
    assert (await open_with(desk.owner, room, "10")).status_code == 303
    await take(desk.huda, room, "20")
    await choose(desk.owner, room, "2")
    huda = await open_shift(desk.huda, room, "0", "2")
    await take(desk.huda, room, "30")
    await take(desk.rawan, room, "4")
    assert "34.00" in (await desk.owner.get(f"/day-close?branch={room.branch_id}")).text, "10 + 20 + 4"
    assert (await close_shift(desk.huda, room, huda, 30)).status_code == 303
    assert (await desk.owner.post("/day-close", counting(room, 34))).status_code == 303
    await assert_sound(room)


async def test_a_manager_opens_a_shift_again_until_its_day_is_closed(desk: Desk) -> None:
    room = desk.room
    huda = await open_shift(desk.huda, room, "100", "1")
    path = f"/shifts/{huda}"
    assert "This shift is open." in (await desk.owner.post(f"{path}/reopen", {"reason": "Coins"})).text
    await close_shift(desk.huda, room, huda, 90, note="Short")
    assert "Say why" in (await desk.owner.post(f"{path}/reopen", {})).text
    assert (await desk.huda.post(f"{path}/reopen", {"reason": "Coins"})).status_code == 422, "without a PIN"
    assert (await desk.owner.post(f"{path}/reopen", {"reason": "Coins in the safe"})).status_code == 303
    assert (await close_shift(desk.huda, room, huda, 100)).status_code == 303
    page = (await desk.owner.get(path)).text
    assert "10.00 short" in page, "the first count stays"
    assert (await desk.owner.post("/day-close", counting(room, 0, pieces=[]))).status_code == 303
    assert "Reopen the day first" in (await desk.owner.post(f"{path}/reopen", {"reason": "Again"})).text
    (stored,) = await closes(room.shop)
    assert (await desk.owner.post(f"/day-close/{stored['id']}/reopen", {"reason": "Early"})).status_code == 303
    await open_shift(desk.rawan, room, "100", "1")
    assert "has had another shift" in (await desk.owner.post(f"{path}/reopen", {"reason": "Again"})).text
    await assert_sound(room)


async def test_the_close_in_the_evening_leaves_the_next_day_alone(desk: Desk) -> None:
    room = desk.room
    huda = await open_shift(desk.huda, room, "100", "1")
    await age_rows(room.shop, "drawer_sessions", "opened_at", "counts_from", by=timedelta(days=1))
    rawan = await open_shift(desk.rawan, room, "50", "2")
    await take(desk.rawan, room, "8")
    yesterday = counting(room, 0, pieces=[], date=str(day(-1)))
    assert "Close these shifts first: Huda." in (await desk.owner.post("/day-close", yesterday)).text
    assert (await close_shift(desk.huda, room, huda, 100)).status_code == 303
    assert (await desk.owner.post("/day-close", counting(room, 0, pieces=[], date=str(day(-1))))).status_code == 303
    (row,) = [row for row in await shifts_of(room) if row.id == rawan]
    assert (row.closed_at, row.day_close_id, int(row.cash)) == (None, None, 8)
    (stored,) = await closes(room.shop)
    assert (stored["day"], "8.00" in stored["cashiers"]) == (day(-1), False)


async def test_a_till_that_closes_the_day_leaves_shifts_open(desk: Desk) -> None:
    room = desk.room
    huda = await open_shift(desk.huda, room, "100", "1")
    await take(desk.huda, room, "9")
    body = {"team_id": str(room.branch_id), "date": str(day(0))}
    answer = await Till(room).request("POST", "/pos/day-close", body)
    assert sum(row["expected_cash"] for row in answer.json()["data"]["cashiers"]) == 9
    assert (await close_shift(desk.huda, room, huda, 109)).status_code == 303
    assert (await desk.owner.post("/day-close", counting(room, 0, pieces=[]))).status_code == 303, "with its shift"
    await assert_sound(room)


async def test_a_blind_count_is_kept_before_anything_expected_is_shown(desk: Desk) -> None:
    room = desk.room
    await choose(desk.owner, room, "2", blind_count="yes")
    huda = await open_shift(desk.huda, room, "100", "1")
    await take(desk.huda, room, "47")
    for path in (f"/shifts/{huda}", f"/drawer?branch={room.branch_id}", f"/day-close?branch={room.branch_id}"):
        hidden = (await desk.huda.get(path)).text
        assert "147.00" not in hidden
        assert "147.000" not in hidden
        assert ">47.00<" not in hidden
    assert "147.00" in (await desk.owner.get(f"/shifts/{huda}")).text
    refused = await desk.huda.post(
        "/drawer/move", {"id": str(uuid7()), "branch": str(room.branch_id), "kind": "safe", "amount": "148"}
    )
    assert "There is less in the drawer." in refused.text
    first = await close_shift(desk.huda, room, huda, 140, note="Guessed")
    assert first.status_code == 200, "counted, not closed"
    assert "7.00 short" in first.text
    assert (await close_shift(desk.huda, room, huda, 147)).status_code == 303
    counts = await room.shop.sql("SELECT counted FROM drawer_movements WHERE tenant_id = $1 AND kind = 'count'")
    assert [row["counted"] for row in counts] == [140]


async def test_what_is_sold_while_shifts_are_closed_is_in_one_of_them(desk: Desk) -> None:
    room = desk.room
    first = await open_shift(desk.huda, room, "0", "1")
    cash, orders = await method_of(room.shop), [await order(room, "10") for _ in range(6)]
    paid = asyncio.gather(*(pay(desk.huda, order_id, "10", cash) for order_id in orders))
    ended = asyncio.gather(*(close_shift(desk.huda, room, first, 0, note="Counted by nobody") for _ in range(2)))
    _, answers = await asyncio.gather(paid, ended)
    assert sorted(answer.status_code for answer in answers) == [303, 422], "the second finds it closed"
    second = await open_shift(desk.huda, room, "0", "1")
    assert sum(row.cash for row in await shifts_of(room)) == 60
    assert (await close_shift(desk.huda, room, second, 0, note="Counted by nobody")).status_code == 303
    await assert_sound(room)


async def test_the_settings_refuse_what_cannot_be_counted(desk: Desk) -> None:
    room = desk.room
    assert "needs own shifts" in (await choose(desk.owner, room, "2", own_shifts="")).text
    for wrong in ("0", "21", "two", "1.5", ""):
        assert "Enter a number from 1 to 20." in (await choose(desk.owner, room, wrong or " ")).text
    assert (await choose(desk.owner, room, "٣")).status_code == 303
    assert 'value="3"' in (await desk.owner.get("/settings/drawers")).text
    (row,) = await room.shop.sql(
        "SELECT after FROM activity WHERE tenant_id = $1 AND action = 'drawer_settings.updated' "
        "ORDER BY id DESC LIMIT 1"
    )
    assert re.search(r"drawers.*: 3", row["after"])


async def test_a_closed_shift_and_its_day_have_a_slip(desk: Desk) -> None:
    room = desk.room
    huda = await open_shift(desk.huda, room, "100", "2")
    assert (await desk.huda.get(f"/shifts/{huda}/slip")).status_code == 404, "nothing is counted"
    await close_shift(desk.huda, room, huda, 98, note="Two riyals rolled away")
    await desk.owner.post("/day-close", counting(room, 0, pieces=[]))
    (stored,) = await closes(room.shop)
    for path in (f"/shifts/{huda}/slip", f"/day-close/{stored['id']}/slip"):
        slip = (await desk.huda.get(path)).text
        assert "2.00 short" in slip
        assert "Two riyals rolled away" in slip
