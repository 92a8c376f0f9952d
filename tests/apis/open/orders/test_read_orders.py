"""Reading orders: the list with its filters, and one order whole."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.factories.changes import change_row
from tests.support.acts import refund_order
from tests.support.branch import BranchFixture, day, line, local, method_of, start
from tests.support.events import NO_CUSTOM_DATA, as_in_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, ids, json_exact, read_all, utc
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

SYSTEM = Actor("system", None)


async def _sale(branch: BranchFixture, **more: Any) -> Document:
    """An order of 130: a service, and two pieces of a product at 10 less."""
    cut, cream = await branch.add_service(), await branch.add_product()
    provider = await branch.add_provider(cut)
    placed = await branch.place(
        line(cut), line(cream, "product", 2, discount_amount=10), start=start(day(3), "10:00"), **more
    )
    return {**placed, "cut": str(cut), "cream": str(cream), "provider": str(provider)}


async def _listed(branch: BranchFixture, order_id: str) -> Document:
    page = json_exact(await branch.shop.get("/orders"))["data"]
    found: Document = next(order for order in page if order["id"] == order_id)
    return found


async def _kept(branch: BranchFixture, order_id: str) -> Any:
    (row,) = await branch.shop.sql("SELECT * FROM orders WHERE tenant_id = $1 AND id = $2", UUID(order_id))
    return row


async def test_a_listed_order_has_exactly_these_fields(branch: BranchFixture) -> None:
    sale = await _sale(branch)
    kept = await _kept(branch, sale["id"])
    (phone,) = await branch.shop.sql("SELECT phone FROM customers WHERE tenant_id = $1 AND id = $2", branch.customer_id)
    assert await _listed(branch, sale["id"]) == {
        "id": sale["id"],
        "order_number": str(kept["order_number"]),
        "parent_id": None,
        "status": "confirmed",
        "payment_status": "unpaid",
        "source": "api",
        "customer": {
            "id": str(branch.customer_id),
            "first_name": "Sara",
            "last_name": "Buyer",
            "phone": phone["phone"],
        },
        "branch": {"id": str(branch.branch_id), "name": "Bare"},
        "items": _items(sale, with_staff=False),
        "currency": "SAR",
        "total": Decimal("130.00"),
        "discount_amount": Decimal("10.00"),
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
        **NO_CUSTOM_DATA,
    }


def _items(sale: Document, *, with_staff: bool) -> list[Document]:
    service = {"id": sale["cut"], "type": "service", "quantity": 1, "staff_id": sale["provider"]}
    product = {"id": sale["cream"], "type": "product", "quantity": 2, "staff_id": None}
    amounts = [("100.00", "0.00", "100.00"), ("20.00", "10.00", "30.00")]
    items = [
        {
            **item,
            "name": "شيء",
            "price": Decimal(price),
            "discount_amount": Decimal(discount),
            "total": Decimal(total),
            "option": None,
        }
        for item, (price, discount, total) in zip((service, product), amounts, strict=True)
    ]
    return items if with_staff else [{k: v for k, v in item.items() if k != "staff_id"} for item in items]


async def _line_ids(branch: BranchFixture, order_id: str) -> list[str]:
    rows = await branch.shop.sql(
        "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2 ORDER BY position", UUID(order_id)
    )
    return [str(row["id"]) for row in rows]


async def test_an_order_in_detail_has_exactly_these_fields(branch: BranchFixture) -> None:
    sale = await _sale(branch, note="Hello", payment={"amount": 30, "payment_method_type": "cash"})
    kept = await _kept(branch, sale["id"])
    detail = await branch.read(sale["id"])
    booking, transaction, change = (detail[name][0] for name in ("bookings", "transactions", "status_history"))
    customer = as_in_events(json_exact(await branch.shop.get(f"/customers/{branch.customer_id}"))["data"])
    branches = json_exact(await branch.shop.get("/branches?per_page=100"))["data"]
    listed = await _listed(branch, sale["id"])
    assert detail == {
        **listed,
        "customer": customer,
        "branch": next(row for row in branches if row["id"] == str(branch.branch_id)),
        "items": [
            {**item, "line_id": line_id}
            for item, line_id in zip(_items(sale, with_staff=True), await _line_ids(branch, sale["id"]), strict=True)
        ],
        "payment_status": "partially_paid",
        "tax_amount": Decimal("16.95"),
        "paid_amount": Decimal("30.00"),
        "refunded_amount": Decimal("0.00"),
        "remaining_amount": Decimal("100.00"),
        "start": f"{day(3)}T10:00:00+03:00",
        "note": "Hello",
        "refund_ids": [],
        "bookings": [
            {
                "id": booking["id"],
                "reference": f"BK-{kept['order_number']:06}",
                "start": f"{day(3)}T10:00:00+03:00",
                "end": f"{day(3)}T10:30:00+03:00",
                "status": "confirmed",
                "service_id": sale["cut"],
                "staff_id": sale["provider"],
            }
        ],
        "status_history": [
            {
                "from": None,
                "to": "confirmed",
                "note": None,
                "previous_start": None,
                "new_start": None,
                "changed_by": change["changed_by"],
                "created_at": detail["created_at"],
            }
        ],
        "transactions": [json_exact(await branch.shop.get(f"/transactions/{sale['transaction']['id']}"))["data"]],
    }
    assert transaction["booking"] == booking


async def test_amounts_are_numbers_with_the_currencys_decimals(branch: BranchFixture) -> None:
    sale = await _sale(branch)
    text = (await branch.shop.get(f"/orders/{sale['id']}")).text.replace('" : ', '":')
    for amount in ('"total":130.00', '"discount_amount":10.00', '"remaining_amount":130.00', '"paid_amount":0.00'):
        assert amount in text


async def test_a_walk_in_has_no_customer(branch: BranchFixture) -> None:
    sale = await _sale(branch)
    await change_row(branch.shop, "orders", UUID(sale["id"]), customer_id=None)
    assert (await _listed(branch, sale["id"]))["customer"] is None
    assert (await branch.read(sale["id"]))["customer"] is None


async def test_an_order_of_another_business_does_not_exist(shop: Shop, other_shop: Shop) -> None:
    (theirs,) = await other_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 LIMIT 1")
    for unknown in (theirs["id"], uuid4(), "1"):
        assert_error(await shop.get(f"/orders/{unknown}"), 404, "not_found")
    mine, others = set(ids(await read_all(shop, "/orders", 100))), set(ids(await read_all(other_shop, "/orders", 100)))
    assert not mine & others


# Refunds


async def test_a_refund_is_an_order_below_the_sale_with_negative_amounts(
    own_branch: BranchFixture, conn: Connection
) -> None:
    sale = await _sale(own_branch, payment={"amount": 130, "payment_method_type": "cash"})
    business = await own_branch.shop.tenant()
    product_line = (
        await own_branch.shop.sql(
            "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2 AND type = 'product'", UUID(sale["id"])
        )
    )[0]["id"]
    first = str(
        await refund_order(conn, business, UUID(sale["id"]), RefundRequest({product_line: 1}, restock=True), SYSTEM)
    )
    part = await own_branch.read(sale["id"])
    assert (part["payment_status"], part["refunded_amount"], part["refund_ids"]) == ("partially_refunded", 15, [first])
    rest = str(await refund_order(conn, business, UUID(sale["id"]), RefundRequest(None, restock=False), SYSTEM))
    whole = await own_branch.read(sale["id"])
    assert (whole["payment_status"], whole["refund_ids"]) == ("refunded", [first, rest])
    assert (whole["total"], whole["paid_amount"], whole["parent_id"]) == (130, 130, None)
    child = await own_branch.read(first)
    assert (child["parent_id"], child["status"], child["total"], child["discount_amount"]) == (
        sale["id"],
        "completed",
        -15,
        -5,
    )
    (item,) = child["items"]
    assert (item["id"], item["quantity"], item["price"], item["total"]) == (sale["cream"], -1, 20, -15)
    (transaction,) = child["transactions"]
    assert (transaction["amount"], child["refund_ids"]) == ("-15.00", [])
    newest = json_exact(await own_branch.shop.get("/orders?per_page=3"))["data"]
    assert [(order["id"], order["parent_id"]) for order in newest] == [
        (rest, sale["id"]),
        (first, sale["id"]),
        (sale["id"], None),
    ]
    assert sum(order["total"] for order in newest) == 0


# Filters and pages


async def _by_hand(shop: Shop, condition: str, *args: object) -> list[str]:
    rows = await shop.sql(
        f"SELECT id FROM orders WHERE tenant_id = $1 AND {condition} ORDER BY order_number DESC", *args
    )
    return [str(row["id"]) for row in rows]


async def test_orders_come_newest_first_and_each_once_from_both_ends(shop: Shop, other_shop: Shop) -> None:
    expected = await _by_hand(shop, "true")
    assert len(expected) > 20
    for per_page in (7, 20):
        for backward in (False, True):
            assert ids(await read_all(shop, "/orders", per_page, backward=backward)) == expected
    records = await read_all(shop, "/orders", 100)
    assert [r["created_at"] for r in records] == sorted((r["created_at"] for r in records), reverse=True)


@pytest.mark.parametrize("status", ["confirmed", "in-progress", "completed", "canceled", "draft"])
async def test_orders_are_filtered_by_status(own_branch: BranchFixture, status: str) -> None:
    (some,) = await own_branch.shop.sql("SELECT id FROM orders WHERE tenant_id = $1 ORDER BY order_number LIMIT 1")
    await change_row(own_branch.shop, "orders", some["id"], status=status)
    expected = await _by_hand(own_branch.shop, "status = $2", status)
    assert expected
    for per_page, backward in ((3, False), (3, True), (100, False)):
        found = await read_all(own_branch.shop, f"/orders?status={status}", per_page, backward=backward)
        assert ids(found) == expected
        assert {order["status"] for order in found} == {status}


async def _around_midnight(shop: Shop) -> tuple[date, str, str]:
    """A local day, the order placed in the last microsecond before it and the one at its very beginning."""
    for row in await shop.sql(
        """
        SELECT id, lead(id) OVER w AS next_id, (created_at AT TIME ZONE 'Asia/Riyadh')::date AS on_day,
            (lead(created_at) OVER w AT TIME ZONE 'Asia/Riyadh')::date AS next_day
        FROM orders WHERE tenant_id = $1 WINDOW w AS (ORDER BY order_number)
        """
    ):
        if row["next_day"] and row["on_day"] < row["next_day"]:
            midnight = local(row["next_day"], "00:00")
            await change_row(shop, "orders", row["id"], created_at=midnight - timedelta(microseconds=1))
            await change_row(shop, "orders", row["next_id"], created_at=midnight)
            return row["next_day"], str(row["id"]), str(row["next_id"])
    raise AssertionError("all orders were placed on one day")


async def test_from_and_to_are_whole_local_days(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    on, before, at = await _around_midnight(shop)
    since = ids(await read_all(shop, f"/orders?from={on}", 100))
    assert (at in since, before in since) == (True, False)
    until = ids(await read_all(shop, f"/orders?to={on - timedelta(days=1)}", 100))
    assert (at in until, before in until) == (False, True)
    local_day = "(created_at AT TIME ZONE 'Asia/Riyadh')::date"
    for first, last in ((on, on), (on - timedelta(days=3), on), (on, on + timedelta(days=2))):
        expected = await _by_hand(shop, f"{local_day} BETWEEN $2 AND $3", first, last)
        for per_page, backward in ((2, False), (2, True), (100, False)):
            found = await read_all(shop, f"/orders?from={first}&to={last}", per_page, backward=backward)
            assert ids(found) == expected
    done = await _by_hand(shop, f"{local_day} <= $2 AND status = 'completed'", on)
    assert ids(await read_all(shop, f"/orders?to={on}&status=completed", 3)) == done


async def test_a_period_without_orders_is_one_empty_page(shop: Shop) -> None:
    for query in ("from=2199-01-01", "to=1971-01-01", "from=2000-01-01&to=2000-01-31", "to=1971-01-01&status=draft"):
        page = json_exact(await shop.get(f"/orders?{query}"))
        assert page["data"] == []
        assert page["meta"] == {"current_page": 1, "last_page": 1, "per_page": 25, "total": 0}


async def test_a_page_past_the_last_is_empty_and_links_keep_the_filters(shop: Shop) -> None:
    first, last = day(-400), day(0)
    query = f"from={first}&to={last}&status=completed"
    page = json_exact(await shop.get(f"/orders?{query}&page=999&per_page=10"))
    assert page["data"] == []
    assert page["links"]["next"] is None
    for name in ("first", "last", "prev"):
        link = parse_qs(urlsplit(page["links"][name]).query)
        assert {k: v[0] for k, v in link.items()} == {
            "from": str(first),
            "to": str(last),
            "status": "completed",
            "per_page": "10",
            "page": {"first": "1"}.get(name, str(page["meta"]["last_page"])),
        }


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("status=cancelled", {"status": ["must be one of draft, confirmed, in-progress, completed, canceled"]}),
        ("status=", {"status": ["must be one of draft, confirmed, in-progress, completed, canceled"]}),
        ("from=2026-02-02&to=2026-02-01", {"from": ["must not be after to"]}),
        ("from=01/02/2026", {"from": ["must be a date in the format YYYY-MM-DD"]}),
        ("to=2026-02-30", {"to": ["is not a valid date"]}),
        ("to=2026-02-01T00:00:00", {"to": ["must be a date in the format YYYY-MM-DD"]}),
        ("page=0", {"page": ["must be at least 1"]}),
        ("per_page=101", {"per_page": ["must be at most 100"]}),
        ("per_page=1.0", {"per_page": ["must be an integer"]}),
    ],
)
async def test_a_wrong_filter_is_refused(
    shop: Shop, other_shop: Shop, query: str, errors: dict[str, list[str]]
) -> None:
    for path in ("/orders", "/transactions") if "status" not in query else ("/orders",):
        assert assert_error(await shop.get(f"{path}?{query}"), 422, "validation_error")["errors"] == errors


async def test_every_payment_status_is_published(own_branch: BranchFixture) -> None:
    cream, cash = await own_branch.add_product(price="10"), await method_of(own_branch.shop)
    seen = []
    placed = await own_branch.place(line(cream, "product"))
    for amount in (0, 4, 6):
        if amount:
            body = {"amount": amount, "payment_method_id": cash}
            json_exact(await own_branch.shop.post(f"/orders/{placed['id']}/payments", body), 201)
        seen.append((await own_branch.read(placed["id"]))["payment_status"])
    assert seen == ["unpaid", "partially_paid", "paid"]
