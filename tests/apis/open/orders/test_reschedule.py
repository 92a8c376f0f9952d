"""Moving an appointment: the new time is taken and the old one is free, or nothing has changed."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.changes import change_row
from tests.factories.states import turn_into_draft
from tests.support.branch import BranchFixture, books, day, line, local, start
from tests.support.events import as_in_events, record_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

ON = day(3)


async def _chair(branch: BranchFixture, providers: int = 1, **service: Any) -> tuple[UUID, list[UUID]]:
    cut = await branch.add_service(**service)
    return cut, [await branch.add_provider(cut) for _ in range(providers)]


async def _book(branch: BranchFixture, at: str = "10:00", **more: Any) -> Document:
    """One service of half an hour with its only provider."""
    cut, (staff_id,) = await _chair(branch)
    placed = await branch.place(line(cut), start=start(ON, at), **more)
    return {"cut": cut, "staff_id": staff_id, **placed}


async def _reschedule(branch: BranchFixture, order_id: str, at: str, *items: Document) -> Document:
    answer = await branch.shop.post(f"/orders/{order_id}/reschedule", {"start": at, "items": list(items)})
    order: Document = json_exact(answer)["data"]
    return order


async def _refusal(branch: BranchFixture, order_id: str, body: Document, code: str) -> Document:
    """Refused, and the order and the books are as they were."""
    before = (await books(branch.shop), await branch.read(order_id))
    answer = assert_error(await branch.shop.post(f"/orders/{order_id}/reschedule", body), 422, code)
    assert (await books(branch.shop), await branch.read(order_id)) == before
    return answer


def _times(order: Document) -> list[tuple[str, str]]:
    return [(booking["start"][11:16], booking["end"][11:16]) for booking in order["bookings"]]


def _named(order: Document, place: int, staff_id: UUID | None) -> Document:
    return {"line_id": order["items"][place]["line_id"], "staff_id": None if staff_id is None else str(staff_id)}


# What a move does


async def test_the_new_time_is_taken_and_the_old_one_is_free(branch: BranchFixture) -> None:
    order = await _book(branch)
    moved = await _reschedule(branch, order["id"], start(ON, "14:00"))
    assert moved == await branch.read(order["id"])
    assert (moved["start"], _times(moved)) == (local(ON, "14:00").isoformat(), [("14:00", "14:30")])
    offered = await branch.starts(order["cut"], ON)
    assert "10:00" in offered
    assert "14:00" not in offered
    await branch.place(line(order["cut"]), start=start(ON, "10:00"))


async def test_rescheduling_keeps_number_payments_lines_and_history(branch: BranchFixture) -> None:
    order = await _book(branch, payment={"amount": 40, "payment_method_type": "cash"})
    before = await branch.read(order["id"])
    moved = await _reschedule(branch, order["id"], start(day(4), "09:15"))
    same = before.keys() - {"start", "bookings", "status_history", "transactions", "updated_at"}
    assert {name: moved[name] for name in same} == {name: before[name] for name in same}
    assert [paid["transaction_no"] for paid in moved["transactions"]] == [
        paid["transaction_no"] for paid in before["transactions"]
    ]
    assert [(k["id"], k["reference"]) for k in moved["bookings"]] == [
        (k["id"], k["reference"]) for k in before["bookings"]
    ]
    *earlier, last = moved["status_history"]
    assert earlier == before["status_history"]
    assert (earlier[0]["previous_start"], earlier[0]["new_start"]) == (None, None)
    (client,) = await branch.shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL")
    assert last == {
        "from": "confirmed",
        "to": "confirmed",
        "note": None,
        "previous_start": before["start"],
        "new_start": moved["start"],
        "changed_by": {"type": "app", "id": str(client["id"])},
        "created_at": moved["updated_at"],
    }


async def test_the_event_has_both_starts_and_the_actor(own_branch: BranchFixture) -> None:
    order = await _book(own_branch)
    before, recorder = await own_branch.read(order["id"]), await record_events(own_branch.shop)
    moved = await _reschedule(own_branch, order["id"], start(ON, "11:00"))
    assert await recorder.one("order.rescheduled") == {
        "order": as_in_events(moved),
        "previous_start": before["start"],
        "start": moved["start"],
        "changed_by": moved["status_history"][-1]["changed_by"],
    }


async def test_rescheduling_to_the_same_time_changes_nothing(own_branch: BranchFixture) -> None:
    order = await _book(own_branch)
    before, recorder = await books(own_branch.shop), await record_events(own_branch.shop)
    read = await own_branch.read(order["id"])
    assert await _reschedule(own_branch, order["id"], start(ON, "10:00")) == read
    assert await _reschedule(own_branch, order["id"], start(ON, "10:00"), _named(read, 0, order["staff_id"])) == read
    assert await _reschedule(own_branch, order["id"], start(ON, "10:00"), _named(read, 0, None)) == read
    assert (await books(own_branch.shop), await recorder.types()) == (before, [])


async def test_a_request_sent_twice_under_one_key_moves_once(own_branch: BranchFixture) -> None:
    order, headers = await _book(own_branch), {"idempotency-key": uuid4().hex}
    path, body = f"/orders/{order['id']}/reschedule", {"start": start(ON, "12:00")}
    recorder = await record_events(own_branch.shop)
    first = await own_branch.shop.post(path, body, headers=headers)
    await _reschedule(own_branch, order["id"], start(ON, "13:00"))
    again = await own_branch.shop.post(path, body, headers=headers)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == first.content
    assert (await own_branch.read(order["id"]))["start"] == local(ON, "13:00").isoformat()
    assert await recorder.types() == ["order.rescheduled", "order.rescheduled"]


# Its own time is no obstacle


@pytest.mark.parametrize("at", ["09:45", "10:15"])
async def test_a_move_onto_part_of_its_own_time(branch: BranchFixture, at: str) -> None:
    order = await _book(branch)
    moved = await _reschedule(branch, order["id"], start(ON, at))
    assert _times(moved)[0][0] == at
    offered = await branch.starts(order["cut"], ON)
    assert at not in offered
    assert ("10:30" in offered) == (at == "09:45")
    assert ("09:30" in offered) == (at == "10:15")


async def test_services_of_one_provider_move_over_each_other(branch: BranchFixture) -> None:
    """10:00 to 11:00 becomes 10:30 to 11:30: the first lies where the second was."""
    cut, (staff_id,) = await _chair(branch)
    order = await branch.place(line(cut, staff_id=staff_id), line(cut, staff_id=staff_id), start=start(ON, "10:00"))
    for at, times in (
        ("10:30", [("10:30", "11:00"), ("11:00", "11:30")]),
        ("10:15", [("10:15", "10:45"), ("10:45", "11:15")]),
    ):
        assert _times(await _reschedule(branch, order["id"], start(ON, at))) == times
    offered = await branch.starts(cut, ON)
    assert "11:15" in offered
    assert not {"10:00", "10:15", "10:30", "10:45", "11:00"} & set(offered)
    assert "09:45" in offered


async def test_rescheduling_swaps_two_providers(branch: BranchFixture) -> None:
    cut, (first, second) = await _chair(branch, providers=2)
    placed = await branch.place(line(cut, staff_id=first), line(cut, staff_id=second), start=start(ON, "10:00"))
    order = await branch.read(placed["id"])
    moved = await _reschedule(
        branch, order["id"], start(ON, "10:00"), _named(order, 0, second), _named(order, 1, first)
    )
    assert [(k["start"][11:16], k["staff_id"]) for k in moved["bookings"]] == [
        ("10:00", str(second)),
        ("10:30", str(first)),
    ]
    assert [item["staff_id"] for item in moved["items"]] == [str(second), str(first)]


async def test_alternatives_do_not_count_its_own_time_as_busy(branch: BranchFixture) -> None:
    order = await _book(branch, at="10:00")
    await branch.place(line(order["cut"]), start=start(ON, "11:00"))
    body = {"start": start(ON, "11:00")}
    details = (await _refusal(branch, order["id"], body, "timeslot_unavailable"))["details"]
    assert details["reason"] == "booked"
    assert [one["start"][11:16] for one in details["alternatives"]] == ["10:15", "10:30", "11:30"]
    for one in details["alternatives"]:
        named = _named(await branch.read(order["id"]), 0, UUID(one["staff_id"]))
        await _reschedule(branch, order["id"], one["start"], named)


# The same checks as for a new order


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        (start(ON, "10:05"), "off_grid"),
        (start(ON, "16:45"), "outside_working_hours"),
        (start(day(-1), "10:00"), "past"),
        (start(ON, "12:00"), "time_off"),
        (start(ON, "15:00"), "booked"),
    ],
)
async def test_rescheduling_to_an_unavailable_time_is_refused(branch: BranchFixture, at: str, reason: str) -> None:
    order = await _book(branch)
    await branch.take_off(order["staff_id"], local(ON, "12:00"), local(ON, "13:00"))
    await branch.place(line(order["cut"]), start=start(ON, "15:00"))
    details = (await _refusal(branch, order["id"], {"start": at}, "timeslot_unavailable"))["details"]
    assert details["reason"] == reason
    assert len(details["alternatives"]) == 3


async def test_lines_run_back_to_back_with_the_time_that_each_provider_needs(branch: BranchFixture) -> None:
    cut = await branch.add_service(duration=30)
    quick, slow = await branch.add_provider(cut), await branch.add_provider(cut, duration=50)
    order = await branch.place(line(cut, staff_id=quick), line(cut, staff_id=quick), start=start(ON, "10:00"))
    detail = await branch.read(order["id"])
    moved = await _reschedule(branch, order["id"], start(ON, "13:00"), _named(detail, 0, slow))
    assert _times(moved) == [("13:00", "13:50"), ("13:50", "14:20")]
    assert [item["price"] for item in moved["items"]] == [item["price"] for item in detail["items"]]
    assert moved["total"] == detail["total"]


async def test_null_takes_any_free_provider_and_no_name_keeps_the_provider(branch: BranchFixture) -> None:
    cut, (busy, free) = await _chair(branch, providers=2)
    order = await branch.read((await branch.place(line(cut, staff_id=busy), start=start(ON, "10:00")))["id"])
    await branch.place(line(cut, staff_id=busy), start=start(ON, "14:00"))
    await _refusal(branch, order["id"], {"start": start(ON, "14:00")}, "timeslot_unavailable")
    moved = await _reschedule(branch, order["id"], start(ON, "14:00"), _named(order, 0, None))
    assert moved["bookings"][0]["staff_id"] == str(free)


async def test_a_service_keeps_the_length_it_was_sold_with(branch: BranchFixture) -> None:
    order = await _book(branch)
    await change_row(branch.shop, "items", order["cut"], duration=60, status=False)
    assert _times(await _reschedule(branch, order["id"], start(ON, "13:00"))) == [("13:00", "13:30")]


async def test_rescheduling_leaves_products(branch: BranchFixture) -> None:
    cut, _ = await _chair(branch)
    cream = await branch.add_product(stock=10)
    order = await branch.place(line(cream, "product", 2), line(cut), start=start(ON, "10:00"))
    moved = await _reschedule(branch, order["id"], start(ON, "11:00"))
    assert (await branch.stock(cream), _times(moved)) == (8, [("11:00", "11:30")])


# What is wrong with a request


async def test_a_line_or_a_provider_that_does_not_fit_is_named(branch: BranchFixture, other_shop: Shop) -> None:
    cut, (staff_id,) = await _chair(branch)
    cream, stranger = await branch.add_product(), await branch.add_provider()
    order = await branch.read((await branch.place(line(cut), line(cream, "product"), start=start(ON, "10:00")))["id"])
    theirs = (await other_shop.first("/staff"))["id"]
    at = start(ON, "11:00")
    for items, fault in (
        ([_named(order, 1, staff_id)], "items.0.line_id"),
        ([{"line_id": str(uuid4()), "staff_id": str(staff_id)}], "items.0.line_id"),
        ([_named(order, 0, staff_id), _named(order, 0, staff_id)], "items.1.line_id"),
        ([_named(order, 0, stranger)], "items.0.staff_id"),
        ([_named(order, 0, UUID(theirs))], "items.0.staff_id"),
    ):
        answer = await _refusal(branch, order["id"], {"start": at, "items": items}, "validation_error")
        assert list(answer["errors"]) == [fault]


async def test_a_provider_who_left_must_be_replaced(branch: BranchFixture) -> None:
    cut, (gone, here) = await _chair(branch, providers=2)
    order = await branch.read((await branch.place(line(cut, staff_id=gone), start=start(ON, "10:00")))["id"])
    await change_row(branch.shop, "staff", gone, active=False)
    answer = await _refusal(branch, order["id"], {"start": start(ON, "11:00")}, "validation_error")
    assert list(answer["errors"]) == ["items"]
    moved = await _reschedule(branch, order["id"], start(ON, "11:00"), _named(order, 0, here))
    assert moved["bookings"][0]["staff_id"] == str(here)


@pytest.mark.parametrize("status", ["completed", "canceled"])
async def test_an_order_that_is_over_is_not_moved(branch: BranchFixture, status: str) -> None:
    order = await _book(branch)
    await branch.move(order["id"], status)
    answer = await _refusal(branch, order["id"], {"start": start(ON, "11:00")}, "order_not_reschedulable")
    assert answer["details"] == {"reason": status}


async def test_a_draft_and_a_sale_have_no_appointment(branch: BranchFixture) -> None:
    order = await _book(branch)
    await turn_into_draft(branch, order["id"])
    body = {"start": start(ON, "11:00")}
    assert (await _refusal(branch, order["id"], body, "order_not_reschedulable"))["details"] == {"reason": "draft"}
    sale = await branch.place(line(await branch.add_product(), "product"))
    details = (await _refusal(branch, sale["id"], body, "order_not_reschedulable"))["details"]
    assert details == {"reason": "no_appointment"}


async def test_an_order_in_progress_is_moved(branch: BranchFixture) -> None:
    order = await _book(branch)
    await branch.move(order["id"], "in-progress")
    moved = await _reschedule(branch, order["id"], start(ON, "11:00"))
    assert (moved["status"], _times(moved)) == ("in-progress", [("11:00", "11:30")])


async def test_the_order_of_another_business_is_unknown(branch: BranchFixture, other_shop: Shop) -> None:
    order = await _book(branch)
    assert_error(
        await other_shop.post(f"/orders/{order['id']}/reschedule", {"start": start(ON, "11:00")}), 404, "not_found"
    )
