"""Why a start is not offered: with whom, by which rule, and without a name for those who may not read it."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import make_branch
from tests.factories.changes import change_rows
from tests.factories.people import assign_service, make_staff
from tests.support.branch import BranchFixture, day, grid, line, local, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.subscriber import subscriber
from tests.support.waiting import eventually

pytestmark = pytest.mark.both_servers


async def explain(branch: BranchFixture, service_id: UUID, at: str, **more: Any) -> Document:
    body = {"service_id": str(service_id), "start": at, **{name: str(value) for name, value in more.items()}}
    found: Document = json_exact(await branch.shop.post("/availability/explain", body))["data"]
    return found


def reasons_of(found: Document, staff_id: UUID) -> list[Document]:
    (reasons,) = [one["reasons"] for one in found["staff"] if one["staff"]["id"] == str(staff_id)]
    return [{name: value for name, value in reason.items() if value not in (None, [])} for reason in reasons]


def codes(found: Document, staff_id: UUID) -> list[str]:
    return [reason["code"] for reason in reasons_of(found, staff_id)]


async def test_exactly_the_slots_of_a_day_have_no_reason(branch: BranchFixture) -> None:
    service_id = await branch.add_service(duration=45)
    await change_rows(branch.shop, "items", {"id": service_id}, buffer_after=15)
    ada, bea = await branch.add_provider(service_id), await branch.add_provider(service_id)
    await branch.take_off(ada, local(day(3), "09:00"), local(day(3), "12:00"))
    await branch.place(line(service_id, staff_id=bea), start=start(day(3), "10:00"))
    offered = await branch.starts(service_id, day(3))
    of_ada = await branch.starts(service_id, day(3), staff_id=ada)
    for at in [*grid("08:30", "13:00", 30), "09:07", "16:15", "16:30"]:
        found = await explain(branch, service_id, start(day(3), at))
        assert found["bookable"] == (at in offered)
        assert {one["staff"]["id"]: one["bookable"] for one in found["staff"]}[str(ada)] == (at in of_ada)
        assert found["start"] == start(day(3), at)


async def test_a_booking_is_named_with_its_order_and_customer(branch: BranchFixture) -> None:
    service_id = await branch.add_service(duration=30)
    await change_rows(branch.shop, "items", {"id": service_id}, buffer_after=15)
    ada = await branch.add_provider(service_id)
    placed = await branch.place(line(service_id), start=start(day(3), "10:00"))
    order = await branch.read(placed["id"])
    customer = {name: order["customer"][name] for name in ("id", "first_name", "last_name")}
    named = {"id": placed["id"], "order_number": placed["order_number"], "customer": customer}
    found = await explain(branch, service_id, start(day(3), "10:15"))
    (booked,) = reasons_of(found, ada)
    times = {"start": start(day(3), "10:00"), "end": start(day(3), "10:30")}
    assert booked == {"code": "booked", "message": booked["message"], **times, "order": named}
    (near,) = reasons_of(await explain(branch, service_id, start(day(3), "10:30")), ada)
    assert (near["code"], near["minutes"], near["order"]) == ("buffer", 15, named)
    (before,) = reasons_of(await explain(branch, service_id, start(day(3), "09:30")), ada)
    assert (before["code"], before["minutes"]) == ("buffer", 15)
    assert [one["start"] for one in found["nearest"]] == [start(day(3), at) for at in ("09:15", "10:45", "11:00")]


async def test_an_application_reads_no_names_that_it_may_not_read_and_is_counted_for_the_others(
    branch: BranchFixture,
) -> None:
    service_id = await branch.add_service()
    ada = await branch.add_provider(service_id)
    placed = await branch.place(line(service_id), start=start(day(3), "10:00"))
    customer_id = (await branch.read(placed["id"]))["customer"]["id"]
    body = {"service_id": str(service_id), "start": start(day(3), "10:00")}
    seen, callers = {}, []
    for scopes in (
        ("orders:write",),
        ("orders:write", "customers:read"),
        ("orders:write", "orders:read"),
        ("orders:write", "orders:read", "customers:read", "staff:read"),
    ):
        client = await subscriber(branch.shop, *scopes)
        callers.append(client.client.id)
        answer = json_exact(await client.request("POST", "/availability/explain", body))["data"]
        (booked,) = answer["staff"][0]["reasons"]
        assert booked["start"] == start(day(3), "10:00")
        seen[scopes] = (
            booked["order"] is not None,
            bool(booked["order"] and booked["order"]["customer"]),
            answer["staff"][0]["staff"]["name"] is not None,
        )
        assert answer["staff"][0]["staff"]["id"] == str(ada)
    assert list(seen.values()) == [(False, False, False)] * 2 + [(True, False, False), (True, True, True)]

    async def is_counted() -> bool:
        rows = await branch.shop.sql(
            "SELECT caller_id, fields FROM customer_reads"
            " WHERE tenant_id = $1 AND customer_id = $2 AND caller_id = ANY($3)",
            customer_id,
            callers,
        )
        return [tuple(row.values()) for row in rows] == [(callers[-1], "orders")]

    await eventually(is_counted)


async def test_hours_days_and_the_grid_are_named(branch: BranchFixture) -> None:
    service_id = await branch.add_service(duration=60)
    ada = await branch.add_provider(service_id)
    await branch.close(day(4))
    (early,) = reasons_of(await explain(branch, service_id, start(day(3), "08:00")), ada)
    assert early["code"] == "outside_opening_hours"
    assert early["hours"] == [{"from": start(day(3), "09:00"), "to": start(day(3), "17:00")}]
    (late,) = reasons_of(await explain(branch, service_id, start(day(3), "16:30")), ada)
    assert (late["code"], late["until"], late["minutes"]) == ("crosses_closing", start(day(3), "17:00"), 60)
    (closed,) = reasons_of(await explain(branch, service_id, start(day(4), "10:00")), ada)
    assert (closed["code"], closed["date"]) == ("closed_day", str(day(4)))
    (between,) = reasons_of(await explain(branch, service_id, start(day(3), "10:07")), ada)
    assert (between["code"], between["minutes"]) == ("off_grid", 15)
    assert between["starts"] == [start(day(3), "10:00"), start(day(3), "10:15")]
    assert codes(await explain(branch, service_id, start(day(-1), "10:00")), ada) == ["past"]
    await branch.set_hours({n: [("12:00", "14:00")] for n in range(7)}, staff_id=ada)
    assert codes(await explain(branch, service_id, start(day(3), "10:00")), ada) == ["outside_own_hours"]
    await branch.take_off(ada, local(day(3), "13:00"), local(day(5), "00:00"))
    (away,) = reasons_of(await explain(branch, service_id, start(day(3), "12:30")), ada)
    assert (away["code"], away["end"]) == ("time_off", f"{day(5)}T00:00:00")


async def test_who_does_not_perform_it_is_told_apart_from_who_left(branch: BranchFixture) -> None:
    service_id, other = await branch.add_service(), await branch.add_service()
    ada, bea, eve = [await branch.add_provider(id_) for id_ in (service_id, other, service_id)]
    await change_rows(branch.shop, "staff", {"id": eve}, active=False)
    elsewhere = await make_staff(branch.shop, branch_id=await make_branch(branch.shop))
    await assign_service(branch.shop, elsewhere, service_id)
    found = await explain(branch, service_id, start(day(3), "10:00"))
    said = {one["staff"]["id"]: [reason["code"] for reason in one["reasons"]] for one in found["staff"]}
    assert said == {
        str(ada): [],
        str(bea): ["not_performed"],
        str(eve): ["inactive"],
        str(elsewhere): ["other_branch"],
    }
    assert found["bookable"]
    alone = await explain(branch, service_id, start(day(3), "10:00"), staff_id=bea)
    assert [one["staff"]["id"] for one in alone["staff"]] == [str(bea)]
    assert not alone["bookable"]
    await change_rows(branch.shop, "items", {"id": service_id}, status=False)
    assert codes(await explain(branch, service_id, start(day(3), "10:00")), ada) == ["not_for_sale"]


async def test_a_hold_of_another_client_is_named_until_it_ends(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    ada = await branch.add_provider(service_id)
    hold = {"service_id": str(service_id), "start": start(day(3), "10:00")}
    json_exact(await branch.shop.post("/holds", hold), 201)
    (held,) = reasons_of(await explain(branch, service_id, start(day(3), "10:00")), ada)
    assert (held["code"], held["start"]) == ("held", start(day(3), "10:00"))
    assert held["until"] < f"{day(0) + timedelta(days=2)}"


async def test_what_is_unknown_is_refused(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    body = {"service_id": str(service_id), "start": start(day(3), "10:00")}
    for field in ("service_id", "staff_id", "option_id"):
        answer = await branch.shop.post("/availability/explain", {**body, field: str(uuid4())})
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]
