"""Reading payments and refunds."""

from datetime import timedelta
from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.factories.changes import change_row
from tests.support.acts import refund_order
from tests.support.branch import BranchFixture, day, line, local, method_of, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, ids, json_exact, read_all, utc
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def _two_bookings(branch: BranchFixture) -> Document:
    """An order of 200 with two bookings, paid in two parts."""
    cut = await branch.add_service()
    await branch.add_provider(cut)
    placed = await branch.place(
        line(cut), line(cut), start=start(day(3), "10:00"), payment={"amount": 50, "payment_method_type": "cash"}
    )
    body = {"amount": 150, "payment_method_id": await method_of(branch.shop, "card"), "note": "The rest"}
    json_exact(await branch.shop.post(f"/orders/{placed['id']}/payments", body), 201)
    return await branch.read(placed["id"])


async def test_a_transaction_has_exactly_these_fields(branch: BranchFixture) -> None:
    order = await _two_bookings(branch)
    (kept,) = await branch.shop.sql(
        "SELECT * FROM transactions WHERE tenant_id = $1 AND order_id = $2 AND amount = 150", UUID(order["id"])
    )
    first, _ = order["bookings"]
    expected = {
        "id": str(kept["id"]),
        "transaction_no": kept["transaction_no"],
        "amount": "150.00",
        "currency": "SAR",
        "status": "confirmed",
        "is_deposit": False,
        "note": "The rest",
        "reference_number": None,
        "date": kept["date"].astimezone(local(day(0), "00:00").tzinfo).isoformat(timespec="seconds"),
        "payment_method": {
            "id": await method_of(branch.shop, "card"),
            "name": {"ar": "بطاقة", "en": "Card"},
            "slug": "card",
        },
        "order": {"id": order["id"], "order_number": int(order["order_number"])},
        "booking": first,
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
    }
    assert json_exact(await branch.shop.get(f"/transactions/{kept['id']}"))["data"] == expected
    assert json_exact(await branch.shop.get("/transactions?per_page=1"))["data"] == [expected]


async def test_a_booking_finds_the_payments_of_its_order_whichever_it_is(branch: BranchFixture) -> None:
    order = await _two_bookings(branch)
    await _two_bookings(branch)
    expected = [transaction["id"] for transaction in reversed(order["transactions"])]
    assert len(order["bookings"]) == 2
    for booking in order["bookings"]:
        page = json_exact(await branch.shop.get(f"/transactions?booking_id={booking['id']}"))
        assert (ids(page["data"]), page["meta"]["total"]) == (expected, 2)
    assert ids(json_exact(await branch.shop.get(f"/transactions?order_id={order['id']}"))["data"]) == expected
    both = f"/transactions?order_id={order['id']}&booking_id={order['bookings'][1]['id']}&status=confirmed"
    assert ids(json_exact(await branch.shop.get(both))["data"]) == expected


async def test_a_booking_is_as_far_along_as_its_order(branch: BranchFixture) -> None:
    order = await _two_bookings(branch)
    await branch.move(order["id"], "canceled")
    for transaction in json_exact(await branch.shop.get(f"/transactions?order_id={order['id']}"))["data"]:
        assert transaction["booking"]["status"] == "canceled"


async def test_an_order_without_payments_has_none_and_an_unknown_one_is_refused(
    branch: BranchFixture, other_shop: Shop
) -> None:
    placed = await branch.place(line(await branch.add_product(), "product"))
    assert json_exact(await branch.shop.get(f"/transactions?order_id={placed['id']}"))["data"] == []
    (theirs,) = await other_shop.sql("SELECT order_id, id FROM bookings WHERE tenant_id = $1 LIMIT 1")
    for query, errors in (
        (f"order_id={theirs['order_id']}", {"order_id": ["is not an order of this business"]}),
        (f"order_id={uuid4()}", {"order_id": ["is not an order of this business"]}),
        (f"booking_id={theirs['id']}", {"booking_id": ["is not a booking of this business"]}),
        ("order_id=5", {"order_id": ["must be a UUID"]}),
        ("booking_id=x", {"booking_id": ["must be a UUID"]}),
        ("status=paid", {"status": ["must be one of pending, confirmed, refused, canceled, refunded"]}),
    ):
        assert (
            assert_error(await branch.shop.get(f"/transactions?{query}"), 422, "validation_error")["errors"] == errors
        )


async def _taken(shop: Shop, *order_ids: object) -> Decimal:
    """The sum of the confirmed amounts of these orders."""
    pages = [json_exact(await shop.get(f"/transactions?order_id={id_}&status=confirmed")) for id_ in order_ids]
    return sum((Decimal(transaction["amount"]) for page in pages for transaction in page["data"]), Decimal(0))


async def test_a_refund_is_a_transaction_and_confirmed_amounts_add_up(branch: BranchFixture, conn: Connection) -> None:
    order = await _two_bookings(branch)
    business, system = await branch.shop.tenant(), Actor("system", None)
    (sold, _) = await branch.shop.sql(
        "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2 ORDER BY position", UUID(order["id"])
    )
    half = await refund_order(conn, business, UUID(order["id"]), RefundRequest({sold["id"]: 1}, restock=False), system)
    child = await branch.read(half)
    assert [transaction["amount"] for transaction in child["transactions"]] == ["-100.00"]
    for given in child["transactions"]:
        assert (given["order"]["id"], given["booking"], given["is_deposit"]) == (str(half), None, False)
        assert json_exact(await branch.shop.get(f"/transactions/{given['id']}"))["data"] == given
    assert [t["status"] for t in (await branch.read(order["id"]))["transactions"]] == ["confirmed", "confirmed"]
    assert await _taken(branch.shop, order["id"], half) == 100
    rest = await refund_order(conn, business, UUID(order["id"]), RefundRequest(None, restock=False), system)
    assert {t["status"] for t in (await branch.read(order["id"]))["transactions"]} == {"refunded"}
    assert await _taken(branch.shop, order["id"], half, rest) == 0


async def test_transactions_come_newest_first_and_each_once_from_both_ends(shop: Shop, other_shop: Shop) -> None:
    rows = await shop.sql("SELECT id FROM transactions WHERE tenant_id = $1 ORDER BY transaction_no DESC")
    expected = [str(row["id"]) for row in rows]
    assert len(expected) > 15
    for per_page, backward in ((7, False), (7, True), (100, False)):
        assert ids(await read_all(shop, "/transactions", per_page, backward=backward)) == expected
    assert json_exact(await shop.get("/transactions"))["meta"]["per_page"] == 25


@pytest.mark.parametrize("status", ["pending", "confirmed", "refused", "canceled", "refunded"])
async def test_transactions_are_filtered_by_status(own_branch: BranchFixture, status: str) -> None:
    shop = own_branch.shop
    some = "SELECT id FROM transactions WHERE tenant_id = $1 AND status <> 'refunded' ORDER BY transaction_no"
    for row in (await shop.sql(some))[:4]:
        await change_row(shop, "transactions", row["id"], status=status)
    rows = await shop.sql(
        "SELECT id FROM transactions WHERE tenant_id = $1 AND status = $2 ORDER BY transaction_no DESC", status
    )
    assert rows
    found = await read_all(shop, f"/transactions?status={status}", 3)
    assert ids(found) == [str(row["id"]) for row in rows]
    assert {transaction["status"] for transaction in found} == {status}


async def test_from_and_to_are_whole_local_days_of_their_making(shop: Shop) -> None:
    made = "(created_at AT TIME ZONE 'Asia/Riyadh')::date"
    (span,) = await shop.sql(f"SELECT min({made}) AS first, max({made}) AS last FROM transactions WHERE tenant_id = $1")
    middle = span["first"] + (span["last"] - span["first"]) / 2
    for first, last in ((span["first"], middle), (middle, middle), (middle + timedelta(days=1), span["last"])):
        rows = await shop.sql(
            f"""
            SELECT id FROM transactions WHERE tenant_id = $1 AND {made} BETWEEN $2 AND $3
            ORDER BY transaction_no DESC
            """,
            first,
            last,
        )
        found = await read_all(shop, f"/transactions?from={first}&to={last}", 5)
        assert ids(found) == [str(row["id"]) for row in rows]
    assert json_exact(await shop.get(f"/transactions?to={span['first'] - timedelta(days=1)}"))["data"] == []


async def test_a_transaction_of_another_business_does_not_exist(shop: Shop, other_shop: Shop) -> None:
    (theirs,) = await other_shop.sql("SELECT id FROM transactions WHERE tenant_id = $1 LIMIT 1")
    for unknown in (theirs["id"], uuid4(), "1"):
        assert_error(await shop.get(f"/transactions/{unknown}"), 404, "not_found")


async def test_the_reference_number_of_a_payment_can_be_read_again(branch: BranchFixture) -> None:
    cream = await branch.add_product(price="50")
    order = await branch.place(line(cream, "product"))
    payment = {"amount": 20, "payment_method_id": await method_of(branch.shop), "reference_number": "TERM-1"}
    paid = json_exact(await branch.shop.post(f"/orders/{order['id']}/payments", payment), 201)["data"]
    await branch.shop.post(f"/orders/{order['id']}/payments", {**payment, "reference_number": None})
    listed = json_exact(await branch.shop.get("/transactions", params={"order_id": order["id"]}))["data"]
    detail = (await branch.read(order["id"]))["transactions"]
    assert paid["reference_number"] == "TERM-1"
    assert [one["reference_number"] for one in listed] == [None, "TERM-1"]
    assert [one["reference_number"] for one in detail] == ["TERM-1", None]
    inline = await branch.place(line(cream, "product"), payment={**payment, "reference_number": "TERM-2"})
    (found,) = (await branch.read(inline["id"]))["transactions"]
    assert found["reference_number"] == "TERM-2"
