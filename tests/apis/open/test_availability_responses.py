"""What an answer about availability says beyond the free starts, what is refused, and that what is offered books."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from tests.support.branch import BranchFixture, day, grid, holding, line, local, start, weekday
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

OPEN = grid("09:00", "16:30")  # thirty minutes between nine and five


# What is offered books, and nothing else does


async def test_exactly_the_offered_starts_book(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(duration=40), day(3)
    provider = await branch.add_provider(service_id)
    await branch.set_hours({weekday(on): [("09:10", "10:35"), ("11:00", "12:30"), ("13:07", "14:02")]})
    await branch.take_off(provider, local(on, "11:40"), local(on, "11:41"))
    await branch.place(line(service_id), start=start(on, "09:10"))
    offered = await branch.starts(service_id, on)
    assert offered == ["09:55", "11:00", "11:45", "13:07", "13:22"]
    booked = []
    for at in {*grid("08:55", "14:10", 5), *offered}:
        answer = await branch.shop.post("/orders", branch.order(line(service_id), start=start(on, at)))
        if answer.status_code == 201:
            booked.append(at)
            await branch.move(answer.json()["data"]["id"], "canceled")
        else:
            assert_error(answer, 422, "timeslot_unavailable")
    assert sorted(booked) == offered


# Why not


def _offered(explained: Document, whole: list[str]) -> list[str]:
    return [at for at in whole if not any(refusal["from"] <= at <= refusal["to"] for refusal in explained["refused"])]


async def test_an_explanation_accounts_for_every_start_that_is_missing(branch: BranchFixture) -> None:
    service_id, on, closed = await branch.add_service(), day(3), day(4)
    one, two = sorted([await branch.add_provider(service_id), await branch.add_provider(service_id)])
    await branch.take_off(one, local(on, "12:00"), local(on, "14:00"))
    await branch.place(line(service_id, staff_id=one), start=start(on, "10:00"))
    await branch.place(line(service_id, staff_id=two), start=start(on, "10:15"))
    await branch.close(closed)
    answer = await branch.availability(service_id, on, visible_days=2, explain=True)
    assert answer["slots"] == await branch.slots(service_id, on, visible_days=2)
    explained = {entry["staff_id"]: entry["days"] for entry in answer["explain"]}
    assert explained.keys() == {str(one), str(two)}
    assert explained[str(one)][str(on)] == {
        "reason": None,
        "refused": [
            {"reason": "booked", "from": "09:45", "to": "10:15"},
            {"reason": "time_off", "from": "11:45", "to": "13:45"},
            {"reason": "outside_working_hours", "from": "16:45", "to": "16:45"},
        ],
    }
    assert explained[str(one)][str(closed)] == {"reason": "closed_day", "refused": []}
    whole = grid("09:00", "16:45")
    union = {at for days in explained.values() for at in _offered(days[str(on)], whole)}
    assert answer["slots"] == {str(on): sorted(union), str(closed): []}
    assert "explain" not in await branch.availability(service_id, on)


async def test_availability_explains_past_starts_and_days_off(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    provider = await branch.add_provider(service_id)
    yesterday = day(-1)
    await branch.set_hours({weekday(yesterday): [("09:00", "10:00")]})
    answer = await branch.availability(service_id, yesterday, visible_days=2, explain=True, staff_id=provider)
    (explained,) = answer["explain"]
    assert list(explained["days"].values()) == [
        {"reason": None, "refused": [{"reason": "past", "from": "09:00", "to": "09:45"}]},
        {"reason": "no_working_hours", "refused": []},
    ]


async def test_an_explanation_of_what_is_too_long_for_all_providers_says_so(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(duration=1440), day(3)
    await branch.add_provider(service_id)
    await branch.set_hours({}, all_time=True)
    answer = await branch.availability(service_id, on, visible_days=30, quantity=8, explain=True)
    assert not any(answer["slots"].values())
    (explained,) = answer["explain"]
    everything = [{"reason": "outside_working_hours", "from": "00:00", "to": "23:45"}]
    assert [whole["refused"] for whole in explained["days"].values()] == [everything] * 30


async def test_an_inactive_service_is_refused_as_an_order_of_it_is(branch: BranchFixture) -> None:
    service_id = await branch.add_service(active=False)
    await branch.add_provider(service_id)
    body = {"service_id": str(service_id), "date": str(day(3)), "next_availability": True, "explain": True}
    answer = assert_error(await branch.shop.post("/availability", body), 422, "validation_error")
    assert answer["errors"] == {"service_id": ["is not available for sale"]}
    order = branch.order(line(service_id), start=start(day(3), "09:00"))
    answer = assert_error(await branch.shop.post("/orders", order), 422, "validation_error")
    assert answer["errors"] == {"items.0.id": ["is not available for sale"]}


async def test_a_search_from_a_date_long_past_begins_today(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    await branch.set_hours({weekday(day(3)): [("09:00", "10:00")]})
    for past in (date(1999, 1, 1), day(-200), day(-1)):
        found = await branch.slots(service_id, past, next_availability=True, visible_days=1)
        assert found == {str(day(3)): grid("09:00", "09:30")}
        assert not any((await branch.slots(service_id, past, visible_days=1)).values())
    nothing = await branch.add_service()
    assert await branch.slots(nothing, date(1999, 1, 1), next_availability=True, visible_days=1) == {str(day(0)): []}


# Refusals


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"service_id": str(uuid4())}, "service_id", "is not a service of this business"),
        ({"service_id": None}, "service_id", "must be a UUID"),
        ({"staff_id": str(uuid4())}, "staff_id", "is not a staff member of this business"),
        ({"staff_id": "Sara"}, "staff_id", "must be a UUID"),
        ({"date": None}, "date", "must be a date in the format YYYY-MM-DD"),
        ({"date": "2026-02-30"}, "date", "is not a valid date"),
        ({"date": "9999-12-31"}, "date", "must be between 1970 and 2200"),
        ({"date": "2026-02-03T10:00:00"}, "date", "must be a date in the format YYYY-MM-DD"),
        ({"quantity": 0}, "quantity", "must be at least 1"),
        ({"quantity": 1.5}, "quantity", "must be an integer"),
        ({"quantity": "1"}, "quantity", "must be an integer"),
        ({"visible_days": 0}, "visible_days", "must be at least 1"),
        ({"visible_days": 31}, "visible_days", "must be at most 30"),
        ({"visible_days": True}, "visible_days", "must be an integer"),
        ({"next_availability": "yes"}, "next_availability", "must be true or false"),
        ({"explain": 1}, "explain", "must be true or false"),
    ],
)
async def test_invalid_availability_requests_are_refused_by_field(
    branch: BranchFixture, change: dict[str, Any], field: str, message: str
) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    body = {"service_id": str(service_id), "date": str(day(3)), **change}
    answer = assert_error(await branch.shop.post("/availability", body), 422, "validation_error")
    assert answer["errors"] == {field: [message]}


async def test_availability_of_what_is_no_service_is_refused(branch: BranchFixture, other_shop: Shop) -> None:
    product = await branch.add_product()
    package = await branch.add_package({product: 1})
    (theirs,) = await other_shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND slug = 'haircut'")
    for service_id in (product, package, theirs["id"]):
        body = {"service_id": str(service_id), "date": str(day(3))}
        answer = assert_error(await branch.shop.post("/availability", body), 422, "validation_error")
        assert answer["errors"] == {"service_id": ["is not a service of this business"]}


async def test_availability_of_a_provider_who_does_not_perform_the_service_is_refused(
    branch: BranchFixture, other_shop: Shop
) -> None:
    service_id, another = await branch.add_service(), await branch.add_service()
    await branch.add_provider(service_id)
    (theirs,) = await other_shop.sql("SELECT id FROM staff WHERE tenant_id = $1 LIMIT 1")
    for staff_id, message in (
        (await branch.add_provider(another), "does not perform this service"),
        (await branch.add_provider(service_id, active=False), "is not a staff member of this business"),
        (theirs["id"], "is not a staff member of this business"),
    ):
        body = {"service_id": str(service_id), "staff_id": str(staff_id), "date": str(day(3))}
        answer = assert_error(await branch.shop.post("/availability", body), 422, "validation_error")
        assert answer["errors"] == {"staff_id": [message]}


async def test_a_calendar_that_cannot_be_read_in_time_is_a_failed_check(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    body = {"service_id": str(service_id), "date": str(day(3))}
    async with holding(branch.shop.dsn, "LOCK TABLE staff_busy_days IN ACCESS EXCLUSIVE MODE"):
        answer = await branch.shop.post("/availability", body)
    assert_error(answer, 502, "availability_check_failed")
    assert answer.headers["retry-after"] == "1"
    assert json_exact(await branch.shop.post("/availability", body))["data"]["slots"][str(day(3))] == OPEN
