"""Tools that write: nothing happens before a call was tried, and what was tried is done once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client as Assistant

from frontdesk.mcp_server import confirmation
from tests.factories.credentials import make_client
from tests.mcp_server.assistants import assistant_here, call, refusal
from tests.support.branch import BranchFixture, day, method_of, open_branch, start
from tests.support.service import Service

SUNDAY = day(7)


@pytest.fixture
async def branch(service: Service) -> BranchFixture:
    return await open_branch(await service.new_shop())


@asynccontextmanager
async def assistant_of(branch: BranchFixture) -> AsyncIterator[Assistant]:
    async with assistant_here(await make_client(branch.shop)) as assistant:
        yield assistant


async def agreed(assistant: Assistant, tool: str, **arguments: object) -> Any:
    """Tries a call, and does what was tried."""
    tried = await call(assistant, tool, **arguments)
    return await call(assistant, tool, **arguments, confirm=tried["confirm"])


async def appointment(branch: BranchFixture, hour: str = "10:00") -> dict[str, object]:
    service_id = await branch.add_service(price="150.00")
    await branch.add_provider(service_id)
    names = {"branch_id": branch.branch_id, "customer_id": branch.customer_id, "service_id": service_id}
    return {**{name: str(record) for name, record in names.items()}, "start": start(SUNDAY, hour)}


async def test_a_customer_is_made_and_booked_moved_paid_and_cancelled(branch: BranchFixture) -> None:
    async with assistant_of(branch) as assistant:
        customer = await agreed(assistant, "create_customer", first_name="Huda", phone="0501112233", phone_country="SA")
        booked = await agreed(
            assistant, "book_appointment", **{**await appointment(branch), "customer_id": customer["id"]}
        )
        order = {"order_id": booked["id"]}
        moved = await agreed(assistant, "move_appointment", **order, start=start(SUNDAY, "11:30"))
        assert moved["bookings"][0]["start"].startswith(start(SUNDAY, "11:30"))
        paid = await agreed(
            assistant, "record_payment", **order, amount=50.5, payment_method_id=await method_of(branch.shop)
        )
        assert paid["amount"] == "50.50"
        started = await agreed(assistant, "change_order_status", **order, status="in-progress")
        assert (started["status"], started["customer"]["first_name"]) == ("in-progress", "Huda")
        canceled = await agreed(assistant, "cancel_order", **order, note="Ill")
        assert canceled["status"] == "canceled"


async def test_a_trial_changes_nothing_and_its_code_does_it_once(branch: BranchFixture) -> None:
    arguments = await appointment(branch)
    async with assistant_of(branch) as assistant:
        tried = await call(assistant, "book_appointment", **arguments)
        assert (tried["would_be"]["total"], tried["would_emit"]) == (150, ["order.created"])
        assert await orders(branch) == []
        first = await call(assistant, "book_appointment", **arguments, confirm=tried["confirm"])
        assert await call(assistant, "book_appointment", **arguments, confirm=tried["confirm"]) == first
        assert await orders(branch) == [first["id"]]
        taken = await refusal(assistant, "book_appointment", {**arguments})
    assert taken.startswith("timeslot_unavailable")


async def test_a_code_stands_for_one_call_of_one_client_for_an_hour(
    branch: BranchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = await appointment(branch)
    async with assistant_of(branch) as assistant, assistant_of(branch) as other_client:
        code = (await call(assistant, "book_appointment", **arguments))["confirm"]
        wrong: list[tuple[Assistant, str, dict[str, object]]] = [
            (assistant, "book_appointment", {**arguments, "start": start(SUNDAY, "12:00"), "confirm": code}),
            (assistant, "create_customer", {"first_name": "Huda", "confirm": code}),
            (assistant, "book_appointment", {**arguments, "confirm": "yes"}),
            (assistant, "book_appointment", {**arguments, "confirm": f"f{code}"}),
            (other_client, "book_appointment", {**arguments, "confirm": code}),
        ]
        for who, tool, sent in wrong:
            assert "belongs to another tool or to other arguments" in await refusal(who, tool, sent)
        monkeypatch.setattr(confirmation, "VALID_SECONDS", -1)
        assert "is older than an hour" in await refusal(assistant, "book_appointment", {**arguments, "confirm": code})
    assert await orders(branch) == []


async def test_programs_are_told_which_tools_write(branch: BranchFixture) -> None:
    async with assistant_of(branch) as assistant:
        tools = {tool.name: tool.annotations for tool in (await assistant.list_tools()).tools}
    writing = {name for name, told in tools.items() if told is not None and not told.read_only_hint}
    assert writing == {
        "book_appointment",
        "move_appointment",
        "change_order_status",
        "cancel_order",
        "record_payment",
        "create_customer",
    }
    assert {name for name, told in tools.items() if told is not None and told.destructive_hint} == {"cancel_order"}


async def orders(branch: BranchFixture) -> list[str]:
    return [
        order["id"]
        for order in (await branch.shop.get("/orders", params={"branch_id": str(branch.branch_id)})).json()["data"]
    ]
