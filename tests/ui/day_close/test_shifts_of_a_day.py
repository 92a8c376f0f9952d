"""Several closes make one day: what is sold after a close, an early close that is put right, one sum on every page."""

import asyncio
import csv
import io
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg
import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import delete_rows
from tests.factories.orders import change_order
from tests.factories.users import make_user, owner_of
from tests.support.branch import BranchFixture, day, local, method_of, open_branch
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import served_patiently
from tests.support.shop import Shop
from tests.support.till import Till
from tests.support.waiting import eventually
from tests.ui.day_close.test_drawer import SAR, closes, counting, look, move, open_with, sell


@pytest.fixture
async def room(own_shop: Shop, other_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


async def close(desk: DashboardClient, room: BranchFixture, counted: int, **more: Any) -> None:
    answer = await desk.post("/day-close", counting(room, counted, **more))
    assert answer.status_code == 303, answer.text


async def reopen(desk: DashboardClient, close_id: UUID, reason: str) -> httpx2.Response:
    return await desk.post(f"/day-close/{close_id}/reopen", {"reason": reason})


async def day_page(desk: DashboardClient, room: BranchFixture) -> str:
    return (await desk.get(f"/day-close?branch={room.branch_id}", follow_redirects=True)).text


async def figures(desk: DashboardClient, room: BranchFixture) -> set[tuple[str, str]]:
    """What each page says of today: received, and net sales."""
    branch, today = room.branch_id, day(0)
    period = f"from={today}&to={today}&branch={branch}"
    sales = list(csv.DictReader(io.StringIO((await desk.get(f"/reports/sales.csv?{period}")).text.lstrip("\ufeff"))))
    paid = list(csv.DictReader(io.StringIO((await desk.get(f"/reports/payments.csv?{period}")).text.lstrip("\ufeff"))))
    orders = re.search(r"<b>[^<]*?([\d,]+\.\d\d)[^<]*</b>", (await desk.get(f"/orders?{period}")).text)
    overview = (await desk.get(f"/?branch={branch}")).text
    taken = re.search(r'Taken today, SAR</dt>\s*<dd><span class="number">([^<]*)<', overview)
    month = re.search(r'This month so far</dt>\s*<dd><span class="number">([^<]*)<', overview)
    assert orders
    assert taken
    assert month
    return {
        ("received", str(sum(Decimal(row["Paid"]) + Decimal(row["Refunded"]) for row in paid[:-1]))),
        ("received", taken[1].replace(",", "")),
        ("net sales", sales[-1]["Net sales"]),
        ("net sales", orders[1].replace(",", "")),
        ("net sales", month[1].replace(",", "")),
    }


def sums_of(page: str) -> set[tuple[str, str]]:
    """What the page of the day says of it."""
    received = re.search(r'<dt>Received</dt>\s*<dd><span class="number">([^<]*)<', page)
    net = re.search(r'<dt>Net sales</dt>\s*<dd><span class="number">([^<]*)<', page)
    assert received
    assert net
    return {("received", received[1].replace(",", "")), ("net sales", net[1].replace(",", ""))}


async def test_what_is_sold_after_a_close_is_in_today_everywhere(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await sell(till, "95", await till.paid("95"))
    assert await figures(owner, room) == {("received", "95.00"), ("net sales", "95.00")}
    await close(owner, room, 95)
    await sell(till, "40", await till.paid("10"), await till.paid("20", "card"))
    assert await figures(owner, room) == {("received", "125.00"), ("net sales", "135.00")}
    page = await day_page(owner, room)
    assert sums_of(page) == {("received", "125.00"), ("net sales", "135.00")}
    assert "Close no. 1" in page
    assert "Not closed yet" in page
    await close(owner, room, 10)
    closed = await day_page(owner, room)
    assert "Close no. 2" in closed
    assert "Not closed yet" not in closed
    assert sums_of(closed) == {("received", "125.00"), ("net sales", "135.00")}
    assert await figures(owner, room) == {("received", "125.00"), ("net sales", "135.00")}
    first, second = await closes(own_shop)
    assert (first["day"], first["ends_at"]) == (second["day"], second["starts_at"])
    listed = (await owner.get("/day-close/earlier")).text
    assert f"/day-close/{first['id']}" in listed
    assert f"/day-close/{second['id']}" in listed


async def test_a_manager_reopens_an_early_close_with_a_reason(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await open_with(owner, room, "100")
    await sell(till, "50", await till.paid("50"))
    await close(owner, room, 140, left="100", note="Ten short")
    (first,) = await closes(own_shop)
    await sell(till, "7", await till.paid("7"))
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as reception:
        assert "No owner or manager has a PIN yet." in (await reception.get(f"/day-close/{first['id']}")).text
        assert (await reopen(reception, first["id"], "Please")).status_code == 422
    refused = await reopen(owner, first["id"], "  ")
    assert refused.status_code == 422
    assert "Say why the day is reopened." in refused.text
    page = (await owner.get(f"/day-close/{first['id']}")).text
    assert "40.00" in page[page.index("put back") :], "what went to the safe is counted again"
    assert (await reopen(owner, first["id"], "A note was under the drawer")).status_code == 303
    assert "was reopened already" in (await reopen(owner, first["id"], "Again")).text
    drawer = await look(room)
    assert drawer.sums is not None
    assert drawer.sums.expected == 157, "the float, and both sales"
    assert await figures(owner, room) == {("received", "57.00"), ("net sales", "57.00")}
    page = await day_page(owner, room)
    assert "Reopened" in page
    assert sums_of(page) == {("received", "57.00"), ("net sales", "57.00")}
    closed = (await owner.get(f"/day-close/{first['id']}")).text
    assert "A note was under the drawer" in closed
    assert "10.00 short" in closed, "it stays as it was"
    await close(owner, room, 157, left="100")
    (_, second) = await closes(own_shop)
    assert (second["starts_at"], second["close_number"]) == (first["starts_at"], first["close_number"] + 1)
    (row,) = await own_shop.sql(
        "SELECT actor_type, actor_id, after ->> 'reason' AS reason FROM activity "
        "WHERE tenant_id = $1 AND action = 'day.reopened'"
    )
    assert (row["actor_type"], row["reason"]) == ("user", "A note was under the drawer")
    assert row["actor_id"] is not None
    activity = (await owner.get("/activity")).text
    assert "reopened the day" in activity
    for table in ("day_reopenings", "day_closes"):
        with pytest.raises(asyncpg.RestrictViolationError):
            await delete_rows(own_shop, table)
    export = (await owner.get("/export/day-closes.csv")).text
    assert "A note was under the drawer" in export


async def test_only_the_last_close_is_reopened_while_no_drawer_is_open(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    for amount in ("5", "6"):
        await sell(till, amount, await till.paid(amount))
        await close(owner, room, int(amount))
    first, second = await closes(own_shop)
    assert "Only the last close" in (await reopen(owner, first["id"], "Wrong")).text
    await open_with(owner, room, "6")
    assert "has been opened since" in (await reopen(owner, second["id"], "Wrong")).text
    assert "has been opened since" in (await owner.get(f"/day-close/{second['id']}")).text
    await close(owner, room, 6)
    (third,) = (await closes(own_shop))[2:]
    assert (await reopen(owner, third["id"], "Wrong")).status_code == 303
    assert "has been opened since" in (await reopen(owner, second["id"], "Wrong")).text
    other = await open_branch(own_shop)
    await sell(Till(other), "9", await till.paid("9"))
    await close(owner, other, 9)
    (*_, last) = await closes(own_shop)
    assert (await reopen(owner, last["id"], "Wrong")).status_code == 303, "each branch has closes of its own"


async def test_all_closes_of_a_day_are_taken_back_from_the_last_to_the_first(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    for amount in ("5", "6"):
        await sell(till, amount, await till.paid(amount))
        await close(owner, room, int(amount))
    for closed in reversed(await closes(own_shop)):
        assert (await reopen(owner, closed["id"], "Wrong")).status_code == 303
    page = await day_page(owner, room)
    assert sums_of(page) == {("received", "11.00"), ("net sales", "11.00")}
    await close(owner, room, 11)
    (*_, last) = await closes(own_shop)
    assert "11.00" in (await owner.get(f"/day-close/{last['id']}")).text


async def test_an_empty_found_is_not_counted_and_never_agrees(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till, card = Till(room), await method_of(own_shop, "card")
    bank = await method_of(own_shop, "mizan-pay")
    await sell(till, "95", await till.paid("45", "card"), await till.paid("50", "mizan-pay"))
    page = await day_page(owner, room)
    assert "Matches" not in page.partition('<ul class="choices"')[0].replace('data-words="Short|Matches|Over"', "")
    assert page.count("Not counted<") == 2
    assert 'placeholder="45.00"' not in page
    sent = counting(room, 0, pieces=[""] * SAR, method=[card, bank], found=["45.00", ""])
    assert (await owner.post("/day-close", sent)).status_code == 303
    closed = await day_page(owner, room)
    rows = re.findall(r'<tr role="row">.*?</tr>', closed, re.DOTALL)
    results = {
        name: next(
            ("Matches" in row, "Not counted" in row) for row in rows if name in row and 'class="fold-end-2"' in row
        )
        for name in ("Card", "Mizan Pay", "Cash")
    }
    assert results == {"Card": (True, False), "Mizan Pay": (False, True), "Cash": (False, True)}


async def test_the_one_who_closes_is_asked_while_orders_are_still_to_come(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    order = await sell(till, "40")
    path = f"/day-close?branch={room.branch_id}"
    assert "still to come" not in (await owner.get(path)).text
    # An appointment that is being served belongs to the rest of the day, at any time of it.
    await change_order(own_shop, order, starts_at=local(day(0), "01:00"), status="in-progress")
    page = (await owner.get(path)).text
    assert "1 order of this day is still to come." in page
    assert f'href="/orders/{order}"' in page
    sent = counting(room, 0, pieces=[""] * SAR)
    asked = await owner.post("/day-close", sent)
    assert asked.status_code == 422
    assert "Close it anyway?" in asked.text
    assert await closes(own_shop) == []
    assert (await owner.post("/day-close", {**sent, "id": str(uuid7()), "sure": "yes"})).status_code == 303
    assert len(await closes(own_shop)) == 1


async def test_an_appointment_of_another_day_or_that_is_done_is_not_asked_about(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    for hours, status in ((36, "confirmed"), (-36, "in-progress"), (1, "completed"), (1, "canceled")):
        order = await sell(till, "40")
        starts_at = local(day(0), "00:00") + timedelta(hours=hours)
        await change_order(own_shop, order, starts_at=starts_at, status=status)
    assert "still to come" not in (await owner.get(f"/day-close?branch={room.branch_id}")).text
    assert (await owner.post("/day-close", counting(room, 0, pieces=[""] * SAR))).status_code == 303


async def test_cash_of_a_closed_session_is_not_counted_again_by_the_next_close(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await open_with(owner, room, "100")
    await sell(till, "40", await till.paid("40"))
    await move(owner, room, "out", "15", "Flowers")
    await close(owner, room, 125, left="100")
    await sell(till, "9", await till.paid("9"))
    await close(owner, room, 9)
    first, second = await own_shop.sql(
        "SELECT (drawer ->> 'expected')::numeric AS expected FROM day_closes WHERE tenant_id = $1 ORDER BY close_number"
    )
    assert (first["expected"], second["expected"]) == (125, 9)


async def test_payments_after_the_close_of_an_earlier_day_are_shown(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    till = Till(room)
    await sell(till, "5", await till.paid("5"))
    await close(owner, room, 5)
    await sell(till, "6")
    shown = await owner.get(f"/day-close?branch={room.branch_id}", follow_redirects=True)
    assert "Close no. 1" in shown.text
    assert "Reopen this close" in shown.text, "nobody has to close the day again for a booking"
    late = await sell(till, "7", await till.paid("7"))
    for table in ("day_closes", "transactions"):
        async with pooled_connection(own_shop.dsn) as raw, raw.transaction():
            await raw.execute("SET LOCAL session_replication_role = replica")
            columns = ("starts_at", "ends_at", "closed_at") if table == "day_closes" else ("created_at",)
            moved = ", ".join(f"{column} = {column} - interval '1 day'" for column in columns)
            extra = ", day = day - 1" if table == "day_closes" else ""
            await raw.execute(f"UPDATE {table} SET {moved}{extra} WHERE tenant_id = $1", own_shop.tenant_id)
    page = (await owner.get(f"/day-close?branch={room.branch_id}")).text
    link = f"/day-close?branch={room.branch_id}&amp;date={day(-1)}"
    assert link in page
    rest = (await owner.get(link.replace("&amp;", "&"))).text
    assert "7.00" in rest
    assert late
    assert (await owner.post("/day-close", counting(room, 7, date=str(day(-1))))).status_code == 303
    assert link not in (await owner.get(f"/day-close?branch={room.branch_id}")).text


async def test_a_day_close_is_reopened_once_and_not_while_a_drawer_is_opened(
    own_shop: Shop, owner: DashboardClient, room: BranchFixture
) -> None:
    await open_with(owner, room, "50")
    await close(owner, room, 50)
    (closed,) = await closes(own_shop)

    async def post(path: str, form: dict[str, str]) -> int:
        sent = {"form_token": token, **form}
        return (await desk.http.post(path, data=sent, headers={"origin": desk.origin})).status_code

    opening = {"id": str(uuid7()), "branch": str(room.branch_id), "float": "50"}
    again = f"/day-close/{closed['id']}/reopen"
    async with (
        served_patiently(own_shop) as patient,
        await dashboard_of(patient, await owner_of(own_shop)) as desk,
        pooled_connection(own_shop.dsn) as other,
    ):
        token = await desk.form_token()
        held = other.transaction()
        await held.start()
        await other.execute(
            "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'drawer_number' FOR UPDATE", own_shop.tenant_id
        )
        acts = [asyncio.create_task(post(again, {"reason": "Early"})) for _ in range(2)]
        acts.append(asyncio.create_task(post("/drawer/open", opening)))

        async def all_wait() -> bool:
            (row,) = await own_shop.sql(
                "SELECT count(*) AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                "AND datname = current_database() AND $1::uuid IS NOT NULL"
            )
            return bool(row["count"] >= len(acts))

        await eventually(all_wait)
        await held.commit()
        first, second, opened = await asyncio.gather(*acts)
    assert sorted([first, second, opened]) == [303, 422, 422]
    (session,) = await own_shop.sql(
        "SELECT opened_at >= $2 AS is_new FROM drawer_sessions WHERE tenant_id = $1 AND closed_at IS NULL",
        closed["closed_at"],
    )
    assert session["is_new"] == (opened == 303)
