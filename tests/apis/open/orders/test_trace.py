"""What the trace of an order says: where its prices come from, who performs it and why, and what settled it."""

from decimal import Decimal
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.types import LineType
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.factories.catalog import make_option
from tests.factories.changes import change_row, change_rows
from tests.factories.states import turn_into_draft
from tests.factories.users import make_user
from tests.support.acts import edit_order
from tests.support.branch import BranchFixture, day, line, method_of, start
from tests.support.connections import pooled_connection
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.till import Till

ON = day(3)


async def trace_of(branch: BranchFixture, order_id: str, **rest: object) -> Document:
    trace: Document = json_exact(await branch.shop.get(f"/orders/{order_id}/trace", **rest))["data"]
    assert trace["agrees"] is True
    return trace


def steps(line_: Document) -> list[tuple[str, float]]:
    return [(step["kind"], float(step["running"])) for step in line_["steps"]]


async def test_the_prices_are_those_of_the_time_of_the_order(branch: BranchFixture) -> None:
    cut = await branch.add_service(price="100", offer_price="90")
    senior = await branch.add_provider(cut, price="130")
    cream = await branch.add_product(price="20")
    jar = await make_option(branch.shop, cream, "50", offer_price="45", quantity=9)
    placed = await branch.place(
        line(cut, staff_id=senior),
        line(cream, "product", 2, option_id=jar),
        line(cream, "product", unit_amount=15, discount_amount=1),
        start=start(ON, "10:00"),
    )
    for item_id in (cut, cream):
        await change_row(branch.shop, "items", item_id, price=999, offer_price=None)
    first, second, third = (await trace_of(branch, placed["id"]))["lines"]
    assert steps(first) == [("catalog", 100), ("provider", 130)]
    assert first["prices"]["offer"] == 90
    assert steps(second) == [("catalog", 20), ("option", 50), ("option_offer", 45), ("quantity", 90)]
    assert second["option"]["id"] == jar
    assert steps(third) == [("catalog", 20), ("given", 15), ("line_discount", 14)]
    assert (third["priced"], third["discounted"]) == (None, None)


async def test_a_provider_is_chosen_by_a_rule_that_is_kept(branch: BranchFixture) -> None:
    cut = await branch.add_service(duration=60)
    busy, free = await branch.add_provider(cut), await branch.add_provider(cut)
    asked = await branch.place(line(cut, staff_id=busy), start=start(ON, "10:00"))
    provider = (await trace_of(branch, asked["id"]))["lines"][0]["provider"]
    assert (provider["staff_id"], provider["rule"], provider["others"]) == (str(busy), "requested", [])
    anyone = await branch.place(line(cut), start=start(ON, "14:00"))
    provider = (await trace_of(branch, anyone["id"]))["lines"][0]["provider"]
    assert (provider["staff_id"], provider["rule"]) == (str(free), "least_booked")
    assert (provider["booked_minutes"], provider["free_count"]) == (0, 2)
    assert provider["others"] == [{"staff_id": str(busy), "booked_minutes": 60, "price": None}]
    last = await branch.place(line(cut), start=start(ON, "10:00"))
    assert (await trace_of(branch, last["id"]))["lines"][0]["provider"]["rule"] == "only"


async def test_a_move_to_another_provider_says_who_chose_and_one_in_time_does_not(branch: BranchFixture) -> None:
    cut = await branch.add_service(duration=60)
    first, second = await branch.add_provider(cut), await branch.add_provider(cut)
    order = await branch.place(line(cut), start=start(ON, "10:00"))
    before = (await trace_of(branch, order["id"]))["lines"][0]["provider"]
    path = f"/orders/{order['id']}/reschedule"
    json_exact(await branch.shop.post(path, {"start": start(ON, "11:00")}))
    assert (await trace_of(branch, order["id"]))["lines"][0]["provider"] == before
    other = second if before["staff_id"] == str(first) else first
    line_id = (await branch.read(order["id"]))["items"][0]["line_id"]
    body = {"start": start(ON, "11:00"), "items": [{"line_id": line_id, "staff_id": str(other)}]}
    json_exact(await branch.shop.post(path, body))
    moved = (await trace_of(branch, order["id"]))["lines"][0]["provider"]
    assert (moved["staff_id"], moved["rule"]) == (str(other), "requested")
    assert moved["changed"]["changed_by"]["type"] == "app"


async def test_a_draft_has_the_provider_of_its_confirmation(branch: BranchFixture) -> None:
    cut = await branch.add_service(price="100")
    provider = await branch.add_provider(cut)
    draft = await branch.place(line(cut), start=start(ON, "10:00"))
    await turn_into_draft(branch, draft["id"], nobody_chosen=True)
    assert (await trace_of(branch, draft["id"]))["lines"][0]["provider"] is None
    await branch.move(draft["id"], "confirmed")
    chosen = (await trace_of(branch, draft["id"]))["lines"][0]["provider"]
    assert (chosen["staff_id"], chosen["rule"]) == (str(provider), "only")
    assert chosen["changed"]["changed_by"]["type"] == "app"


async def test_what_an_edit_changes_is_by_the_one_who_changed_it(branch: BranchFixture) -> None:
    cream, soap = await branch.add_product(price="20"), await branch.add_product(price="7")
    order = await branch.place(line(cream, "product", 2), line(soap, "product"))
    kept, other = (UUID(item["line_id"]) for item in (await branch.read(order["id"]))["items"])
    user_id, tea = await make_user(branch.shop, Role.MANAGER), await branch.add_product(price="9")
    changes = [
        LineChange(kept, LineType.PRODUCT, cream, 3),
        LineChange(other, LineType.PRODUCT, soap, 1, price=Decimal(5)),
        LineChange(None, LineType.PRODUCT, tea, 1),
    ]
    async with pooled_connection(branch.shop.dsn) as raw:
        actor = Actor("user", user_id)
        await edit_order(Connection(raw), await branch.shop.tenant(), UUID(order["id"]), _edit(changes), actor)
    first, second, third = (await trace_of(branch, order["id"]))["lines"]
    assert (steps(first), first["priced"]) == ([("catalog", 20), ("quantity", 60)], None)
    assert steps(second) == [("catalog", 7), ("given", 5)]
    assert steps(third) == [("catalog", 9)]
    assert [line_["priced"]["changed_by"]["id"] for line_ in (second, third)] == [str(user_id)] * 2


def _edit(changes: list[LineChange]) -> OrderEdit:
    return OrderEdit(1, changes, None, None)


async def test_the_parts_of_a_package_share_its_price(branch: BranchFixture) -> None:
    cream, cut = await branch.add_product(price="20"), await branch.add_service(price="60")
    package = await branch.add_package({cream: 2, cut: 1}, price="80")
    order = await branch.place(line(package, "package"))
    parts = (await trace_of(branch, order["id"]))["lines"][0]["package"]
    assert {part["item_id"]: part["share"] for part in parts} == {str(cream): 32, str(cut): 48}


async def test_money_that_was_taken_needs_its_own_scope(branch: BranchFixture) -> None:
    cream = await branch.add_product(price="20")
    payment = {"amount": 15, "payment_method_id": await method_of(branch.shop)}
    order = await branch.place(line(cream, "product"), line(cream, "product"), payment=payment)
    trace = await trace_of(branch, order["id"])
    assert [part["amount"] for part in trace["payments"][0]["settles"]] == [15]
    token = await branch.shop.new_token("orders:read")
    less = await trace_of(branch, order["id"], headers={"authorization": f"Bearer {token}"})
    assert (less["payments"], less["tips"]) == (None, None)
    assert less["lines"] == trace["lines"]


async def test_a_refund_is_named_and_has_a_trace_of_its_own(branch: BranchFixture) -> None:
    till, cream = Till(branch), await branch.add_product(price="20")
    sold = await till.ring_up("60", line(cream, "product", 3), payment_methods=[await till.paid("60")])
    child = await till.refund(sold["id"], (sold["items"][0]["line_id"], 1))
    (refund,) = (await trace_of(branch, sold["id"]))["refunds"]
    assert (refund["order_id"], refund["amount"], refund["lines"][0]["quantity"]) == (child["id"], 20, 1)
    own = await trace_of(branch, child["id"])
    assert (own["parent_id"], own["total"]) == (sold["id"], -20)
    assert own["lines"][0]["refunded_line_id"] == sold["items"][0]["line_id"]


async def test_an_order_from_before_says_what_was_not_recorded(branch: BranchFixture) -> None:
    cut = await branch.add_service(price="100")
    provider = await branch.add_provider(cut)
    order = await branch.place(line(cut), start=start(ON, "10:00"))
    await change_rows(branch.shop, "order_lines", {"order_id": UUID(order["id"])}, priced=None, chosen=None)
    (old,) = (await trace_of(branch, order["id"]))["lines"]
    assert (steps(old), old["prices"]) == ([("not_recorded", 100)], None)
    assert old["provider"] == {
        "staff_id": str(provider),
        "rule": None,
        "booked_minutes": None,
        "free_count": None,
        "others": [],
        "changed": None,
    }


async def test_the_trace_of_another_business_is_not_found(branch: BranchFixture, other_shop: Shop) -> None:
    order = await branch.place(line(await branch.add_product(), "product"))
    assert (await other_shop.get(f"/orders/{order['id']}/trace")).status_code == 404
