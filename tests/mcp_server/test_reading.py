"""Tools that read answer as the Open API does, in the digits of its amounts, and say what is wrong with a call."""

import re
from decimal import Decimal

import pytest

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server.toolbox import TOOLS, missing_scopes
from tests.factories.credentials import make_client
from tests.mcp_server.assistants import assistant_here, call, refusal, tool_names
from tests.support.branch import day
from tests.support.shop import Shop

LISTS = {
    "list_orders": "/orders",
    "list_catalogue": "/items",
    "list_staff": "/staff",
    "list_branches": "/branches",
    "list_payment_methods": "/payment-methods",
    "find_customer": "/customers",
}
RECORDS = {
    "read_order": ("/orders", "order_id"),
    "read_item": ("/items", "item_id"),
    "read_customer": ("/customers", "customer_id"),
}


async def test_lists_and_records_are_those_of_the_api(shop: Shop) -> None:
    async with assistant_here(await make_client(shop)) as assistant:
        for tool, path in LISTS.items():
            answer = (await shop.get(path)).json()
            assert await call(assistant, tool) == {"data": answer["data"], "meta": answer["meta"]}
        for tool, (path, argument) in RECORDS.items():
            record = await shop.first(path)
            answer = (await shop.get(f"{path}/{record['id']}")).json()
            assert await call(assistant, tool, **{argument: record["id"]}) == answer["data"]


async def test_a_day_is_summed_up_and_its_appointments_stand_in_their_order(shop: Shop) -> None:
    orders = (await shop.get("/orders", params={"per_page": 100, "status": "confirmed"})).json()["data"]
    details = [(await shop.get(f"/orders/{order['id']}")).json()["data"] for order in orders[:20]]
    detail = next(one for one in details if one["bookings"])
    date = detail["bookings"][0]["start"][:10]
    of_day = (await shop.get("/orders", params={"starts_from": date, "starts_to": date, "per_page": 100})).json()[
        "data"
    ]
    visits = [order for order in of_day if order["status"] not in ("canceled", "draft")]
    async with assistant_here(await make_client(shop)) as assistant:
        overview = await call(assistant, "day_overview", date=date)
        assert await call(assistant, "day_overview", date="2001-01-01") == {
            "date": "2001-01-01",
            "orders": 0,
            "by_status": {},
            "by_payment_status": {},
            "total": 0,
            "currency": None,
            "appointments": [],
            "last_page": 1,
        }
    assert (overview["orders"], sum(overview["by_status"].values())) == (len(of_day), len(of_day))
    assert Decimal(str(overview["total"])) == sum(Decimal(str(order["total"])) for order in visits)
    starts = [appointment["start"] for appointment in overview["appointments"]]
    assert starts == sorted(starts)
    assert {start[:10] for start in starts} == {date}
    assert detail["id"] in {appointment["order_id"] for appointment in overview["appointments"]}


async def test_free_times_are_found(shop: Shop) -> None:
    services = (await shop.get("/items", params={"type": "service"})).json()["data"]
    asked = {"service_id": services[0]["id"], "date": str(day(3)), "visible_days": 3}
    async with assistant_here(await make_client(shop)) as assistant:
        found = await call(assistant, "search_availability", **asked)
    assert found == (await shop.post("/availability", asked)).json()["data"]


async def test_amounts_keep_their_digits(shop: Shop) -> None:
    async with assistant_here(await make_client(shop)) as assistant:
        result = await assistant.call_tool("list_catalogue", {"type": "product"})
    assert re.search(r'"price":[0-9]+[.][0-9]{2},', result.content[0].text)  # type: ignore[union-attr]
    assert result.structured_content["data"][0]["type"] == "product"


@pytest.mark.parametrize("scope", Scope)
async def test_a_token_has_the_tools_of_its_scopes(shop: Shop, scope: Scope) -> None:
    async with assistant_here(await make_client(shop, scopes=[scope])) as assistant:
        allowed = {name for name, kind in TOOLS.items() if not missing_scopes(kind, [scope])}
        assert await tool_names(assistant) == allowed
        for name in sorted(TOOLS.keys() - allowed)[:1]:
            assert (await refusal(assistant, name, {})).startswith(f"insufficient_scope: {name} needs ")


async def test_every_tool_explains_itself_and_its_arguments(shop: Shop) -> None:
    async with assistant_here(await make_client(shop)) as assistant:
        tools = (await assistant.list_tools()).tools
    assert {tool.name for tool in tools} == set(TOOLS)
    for tool in tools:
        assert tool.description
        assert tool.title
        properties = tool.input_schema["properties"]
        assert [name for name, schema in properties.items() if not schema.get("description")] == [], tool.name
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("find_customer", {"nme": "Sara"}, ("unknown field `nme`", "Arguments of find_customer: name, phone, email")),
        ("read_order", {}, ("missing required field `order_id`",)),
        ("list_orders", {"status": "booked"}, ("$.status", "booked")),
        ("list_orders", {"customer_id": "Sara"}, ("validation_error", "customer_id: ", "request_id: ")),
        ("day_overview", {"date": "tomorrow"}, ("$.date",)),
        ("day_overview", {"date": "2026-02-30"}, ("validation_error", "request_id: ")),
        ("read_order", {"order_id": "../customers"}, ("not_found", "request_id: ")),
        ("read_order", {"order_id": "01920000-0000-7000-8000-000000000001"}, ("not_found",)),
        ("delete_everything", {}, ("is not a tool", "find_customer")),
    ],
)
async def test_a_wrong_call_is_told_what_is_wrong(
    shop: Shop, tool: str, arguments: dict[str, object], words: tuple[str, ...]
) -> None:
    async with assistant_here(await make_client(shop)) as assistant:
        said = await refusal(assistant, tool, arguments)
    assert [word for word in words if word not in said] == [], said
