"""A customer gets a message about a booking, its move or its cancellation as the user at the desk chose."""

from typing import Any
from uuid import UUID

import pytest

from frontdesk.values.ids import uuid7
from tests.factories.changes import change_rows
from tests.factories.orders import change_order
from tests.factories.people import make_customer
from tests.messages.test_sending import DAY, messages
from tests.support.branch import BranchFixture
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts


async def book(desk: DashboardClient, hair: BranchFixture, service: UUID, time: str, **more: Any) -> str:
    shown = {
        "id": str(uuid7()),
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": time,
        "service": [str(service)],
    }
    fields = form_fields((await desk.post("/calendar/new", shown | more)).text, "/calendar/new")
    answer = await desk.post("/calendar/new", fields | more | {"act": "book"})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].rpartition("order=")[2]


async def kinds(hair: BranchFixture) -> list[str]:
    return [row["kind"] for row in await messages(hair)]


async def chosen(hair: BranchFixture, order: str) -> list[tuple[str, object]]:
    rows = await hair.shop.sql(
        "SELECT action, after ->> 'notify' AS notify FROM activity "
        "WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id",
        UUID(order),
    )
    return [(row["action"], row["notify"]) for row in rows]


async def test_a_person_at_the_desk_chooses_what_the_customer_is_told(
    hair: BranchFixture, desk: DashboardClient, sara: UUID
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    quiet = await book(desk, hair, cut, "10:00", customer=str(sara), notify="no")
    page = f"/orders/{quiet}/move"
    checked = (await desk.get(page, params={"date": str(DAY), "time": "11:00"})).text
    moved = form_fields(checked, page)
    assert moved["notify"] == ["no", "yes"], "the business sends it by itself"
    answer = await desk.post(page, moved | {"notify": "no"})
    undo = form_fields((await desk.get(answer.headers["location"])).text, f"{page}/undo")
    assert undo["notify"] == ["no"]
    assert (await desk.post(f"{page}/undo", undo)).status_code == 303
    canceled = form_fields((await desk.get(f"/orders/{quiet}/cancel")).text, f"/orders/{quiet}/cancel")
    assert canceled["notify"] == ["no", "yes"]
    await desk.post(f"/orders/{quiet}/cancel", canceled | {"notify": "no"})
    assert await kinds(hair) == []
    made, changed, ended = "order.created", "order.rescheduled", "order.status_changed"
    assert await chosen(hair, quiet) == [(made, "false"), (changed, "false"), (changed, "false"), (ended, "false")]

    for version, kind in enumerate(("confirmation", "change", "cancellation")):
        await desk.post("/settings/notices/switch", {"version": str(version), "kind": kind, "on": "no"})
    loud = await book(desk, hair, cut, "10:00", customer=str(sara), notify="yes")
    await change_rows(hair.shop, "messages", state="sent")
    await desk.post(f"/orders/{loud}/move", {"date": str(DAY), "time": "12:00", "notify": "yes"})
    await change_order(hair.shop, UUID(loud), paid_amount=20)
    shown = form_fields((await desk.get(f"/orders/{loud}/cancel")).text, f"/orders/{loud}/cancel")
    assert shown["notify"] == ["no"], "the business does not send it by itself"
    await desk.post(f"/orders/{loud}/cancel", shown | {"notify": "yes"})
    assert await kinds(hair) == ["confirmation", "change", "cancellation"]
    message_page = await desk.get(f"/settings/notices/messages/{(await messages(hair))[-1]['id']}")
    assert "Paid SAR 20.00" in texts(message_page.text)
    silent = await book(desk, hair, cut, "13:00", customer=str(sara))  # as the business has set
    assert [notify for _, notify in await chosen(hair, silent)] == ["false"]
    assert len(await kinds(hair)) == 3


@pytest.mark.parametrize(("state", "expected"), [
    ("due", [("change", "dropped")]), ("kept", [("change", "dropped")]),
    ("sent", [("change", "sent"), ("change", "due")]),
])  # fmt: skip
async def test_an_undo_withdraws_the_message_of_the_move_unless_it_was_sent(
    hair: BranchFixture, desk: DashboardClient, sara: UUID, state: str, expected: list[tuple[str, str]]
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    order = await book(desk, hair, cut, "10:00", customer=str(sara), notify="no")
    page = f"/orders/{order}/move"
    answer = await desk.post(page, {"date": str(DAY), "time": "11:00", "notify": "yes"})
    await change_rows(hair.shop, "messages", state=state)
    undo = form_fields((await desk.get(answer.headers["location"])).text, f"{page}/undo")
    assert (await desk.post(f"{page}/undo", undo)).status_code == 303
    rows = await hair.shop.sql("SELECT kind, state FROM messages WHERE tenant_id = $1 AND kind = 'change' ORDER BY id")
    assert [(row["kind"], row["state"]) for row in rows] == expected


async def test_an_undo_leaves_the_message_of_an_earlier_move(
    hair: BranchFixture, desk: DashboardClient, sara: UUID
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    order = await book(desk, hair, cut, "10:00", customer=str(sara), notify="no")
    page = f"/orders/{order}/move"
    for time in ("11:00", "12:00"):
        answer = await desk.post(page, {"date": str(DAY), "time": time, "notify": "yes"})
    undo = form_fields((await desk.get(answer.headers["location"])).text, f"{page}/undo")
    assert (await desk.post(f"{page}/undo", undo)).status_code == 303
    rows = await hair.shop.sql("SELECT state FROM messages WHERE tenant_id = $1 AND kind = 'change'")
    assert [row["state"] for row in rows] == ["due"]


async def test_notifying_is_not_offered_for_customers_without_an_address(
    hair: BranchFixture, desk: DashboardClient, sara: UUID
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    order = await book(desk, hair, cut, "10:00", customer=str(await make_customer(hair.shop)))
    for page in (f"/orders/{order}/cancel", f"/orders/{order}/move?date={DAY}&time=11:00"):
        assert 'name="notify"' not in (await desk.get(page)).text
    assert await chosen(hair, order) == [("order.created", None)]
    walk_in = await book(desk, hair, cut, "10:30", who="new", first_name="Huda", email="huda@example.com")
    assert [(row["kind"], row["email"]) for row in await messages(hair)] == [("confirmation", "huda@example.com")]
    assert await chosen(hair, walk_in) == [("order.created", "true")]


async def test_a_series_can_be_canceled_without_a_message(
    hair: BranchFixture, desk: DashboardClient, sara: UUID
) -> None:
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    form = {
        "id": str(uuid7()),
        "branch": str(hair.branch_id),
        "date": str(DAY),
        "time": "10:00",
        "service": [str(cut)],
        "customer": str(sara),
        "every": "1",
        "times": "2",
        "notify": "no",
    }
    listed = form_fields(
        (await desk.post("/calendar/new/series", form | {"act": "preview"})).text, "/calendar/new/series"
    )
    booked = await desk.post("/calendar/new/series", listed | {"act": "book"})
    first = booked.headers["location"].rpartition("order=")[2]
    page = f"/orders/{first}/series/cancel"
    fields = form_fields((await desk.get(page)).text, page)
    assert fields["notify"] == ["no", "yes"]
    assert (await desk.post(page, fields | {"what": "following", "notify": "no"})).status_code == 303
    assert await kinds(hair) == []
    states = await hair.shop.sql("SELECT status FROM orders WHERE tenant_id = $1 AND customer_id = $2", sara)
    assert [row["status"] for row in states] == ["canceled", "canceled"]
