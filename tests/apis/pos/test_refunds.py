"""Money given back at the till: the sale's own amounts, in whatever steps, and never more than was paid."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from tests.factories.catalog import make_option
from tests.support.branch import books, line
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.till import Till, option_stock

pytestmark = pytest.mark.both_servers


async def sell(
    till: Till, price: str, quantity: int, *, discount: float = 0, slugs: tuple[str, ...] = ("cash",)
) -> Document:
    """So many pieces of one product, paid in equal parts; the last part takes the rest."""
    cream = await till.branch.add_product(price=price, stock=100)
    sub_total = Decimal(price) * quantity
    total = sub_total - Decimal(str(discount))
    part = round(total / len(slugs), 2)
    amounts = [part] * (len(slugs) - 1) + [total - part * (len(slugs) - 1)]
    payments = [await till.paid(str(amount), slug) for amount, slug in zip(amounts, slugs, strict=True)]
    return await till.ring_up(
        str(total),
        line(cream, "product", quantity),
        sub_total=str(sub_total),
        payment_methods=payments,
        discount={"type": "fixed", "amount": discount, "apply_all": True},
        customer_id=str(till.branch.customer_id),
    )


def line_id(sale: Document, place: int = 0) -> str:
    found: str = sale["items"][place]["line_id"]
    return found


async def refusal(till: Till, order_id: str, *lines: tuple[str, int], **more: Any) -> Document:
    before = await books(till.shop)
    answer = assert_error(await till.try_to_refund(order_id, *lines, **more), 422, "validation_error")
    assert await books(till.shop) == before
    return answer


async def test_a_whole_sale_is_given_back_as_an_order_of_its_own(till: Till) -> None:
    sale = await sell(till, "20", 3, discount=10)
    child = await till.refund(sale["id"], reason="broken", cashier="Noor", cashier_code="9")
    assert (child["status"], child["cashier"], str(child["total"]), str(child["discount_amount"])) == (
        "completed",
        "Noor",
        "-50.00",
        "-10.00",
    )
    assert int(child["order_number"]) > int(sale["order_number"])
    assert [(item["quantity"], str(item["total"])) for item in child["items"]] == [(-3, "-50.00")]
    assert [t["amount"] for t in child["transactions"]] == ["-50.00"]
    order, refund = await till.branch.read(sale["id"]), await till.branch.read(child["id"])
    assert (order["payment_status"], str(order["refunded_amount"]), order["refund_ids"]) == (
        "refunded",
        "50.00",
        [child["id"]],
    )
    assert (refund["parent_id"], refund["source"], refund["customer"]["id"]) == (
        sale["id"],
        "pos",
        str(till.branch.customer_id),
    )
    assert {t["status"] for t in [*order["transactions"], *refund["transactions"]]} == {"refunded"}


@pytest.mark.parametrize(
    ("price", "quantity", "discount", "steps"),
    [
        ("10", 3, 0.01, [1, 1, 1]),
        ("10", 3, 10, [1, 1, 1]),
        ("33.33", 7, 0.05, [3, 1, 2, 1]),
        ("0.99", 10, 3.33, [4, 4, 2]),
        ("1.00", 6, 0.05, [5, 1]),
    ],
)
async def test_partial_refunds_add_up_to_the_sale(
    till: Till, price: str, quantity: int, discount: float, steps: list[int]
) -> None:
    sale = await sell(till, price, quantity, discount=discount, slugs=("cash", "card", "mizan-pay"))
    children = []
    for step in steps:
        children.append(await till.refund(sale["id"], (line_id(sale), step)))
        order = await till.branch.read(sale["id"])
        given = sum(-child["total"] for child in children)
        assert order["refunded_amount"] == given
        whole = len(children) == len(steps)
        assert order["payment_status"] == ("refunded" if whole else "partially_refunded")
    for name in ("total", "discount_amount", "sub_total"):
        assert sum(child[name] for child in children) == -sale[name]
    by_method = {t["payment_method"]["slug"]: Decimal(t["amount"]) for t in sale["transactions"]}
    for child in children:
        for t in child["transactions"]:
            by_method[t["payment_method"]["slug"]] += Decimal(t["amount"])
    assert set(by_method.values()) == {Decimal(0)}
    assert {t["status"] for t in order["transactions"]} == {"refunded"}
    assert_error(await till.try_to_refund(sale["id"]), 422, "validation_error")


async def test_what_was_paid_last_is_given_back_first_and_its_status_follows(till: Till) -> None:
    sale = await sell(till, "20", 2, slugs=("card", "cash"))
    for quantity, expected in ((1, ["confirmed", "refunded"]), (1, ["refunded", "refunded"])):
        child = await till.refund(sale["id"], (line_id(sale), quantity))
        assert len(child["transactions"]) == 1
        order = await till.branch.read(sale["id"])
        assert [t["status"] for t in order["transactions"]] == expected
        assert [t["amount"] for t in order["transactions"]] == ["20.00", "20.00"]


async def test_the_confirmed_amounts_add_up_to_what_the_business_really_took(till: Till) -> None:
    sale = await sell(till, "20", 5, slugs=("card", "cash"))
    child = await till.refund(sale["id"], (line_id(sale), 3))
    confirmed = Decimal(0)
    for order_id in (sale["id"], child["id"]):
        listed = json_exact(await till.shop.get("/transactions", params={"order_id": order_id, "status": "confirmed"}))
        confirmed += sum(Decimal(t["amount"]) for t in listed["data"])
    assert confirmed == 40


async def test_the_rest_of_a_sale_is_given_back_when_no_lines_are_named(till: Till) -> None:
    sale = await sell(till, "20", 3)
    await till.refund(sale["id"], (line_id(sale), 1))
    assert str((await till.refund(sale["id"]))["total"]) == "-40.00"


async def test_a_refund_is_never_more_than_was_sold_or_paid(till: Till) -> None:
    sale = await sell(till, "20", 3)
    assert list((await refusal(till, sale["id"], (line_id(sale), 4)))["errors"]) == ["lines.0.quantity"]
    await till.refund(sale["id"], (line_id(sale), 2))
    assert list((await refusal(till, sale["id"], (line_id(sale), 2)))["errors"]) == ["lines.0.quantity"]
    await till.refund(sale["id"], (line_id(sale), 1))
    assert list((await refusal(till, sale["id"]))["errors"]) == ["whole"]
    cream = await till.branch.add_product(price="20")
    part = await till.ring_up("60.00", line(cream, "product", 3), payment_methods=[await till.paid("30")])
    answer = await refusal(till, part["id"], (line_id(part), 3))
    assert (list(answer["errors"]), answer["details"]) == (["lines"], {"remaining": "30.00"})
    await till.refund(part["id"], (line_id(part), 1))
    assert (await refusal(till, part["id"], (line_id(part), 1)))["details"] == {"remaining": "10.00"}
    unpaid = await till.ring_up("20.00", line(cream, "product"))
    assert (await refusal(till, unpaid["id"]))["details"] == {"remaining": "0.00"}


async def test_lines_are_named_once_and_belong_to_the_sale(till: Till) -> None:
    sale, other = await sell(till, "20", 3), await sell(till, "20", 3)
    own = (line_id(sale), 1)
    answer = await refusal(till, sale["id"], own, (line_id(other), 1), (str(uuid4()), 1))
    assert list(answer["errors"]) == ["lines.1.line_id", "lines.2.line_id"]
    assert list((await refusal(till, sale["id"], own, own))["errors"]) == ["lines.1.line_id"]
    for lines, field in (
        ([], "lines"),
        ([{}], "lines.0.line_id"),
        ([{"line_id": own[0], "quantity": 0}], "lines.0.quantity"),
    ):
        malformed = await till.request("POST", f"/pos/orders/{sale['id']}/refunds", {"lines": lines})
        assert field in assert_error(malformed, 422, "validation_error")["errors"]


async def test_a_refund_returns_stock_only_if_requested(till: Till) -> None:
    branch = till.branch
    shampoo, mask = await branch.add_product(price="60", stock=20), await branch.add_product(price="5", stock=20)
    large, cut = await make_option(branch.shop, shampoo, "90", quantity=10), await branch.add_service(price="50")
    package = await branch.add_package({mask: 2, cut: 1}, price="70")
    lines = [
        line(shampoo, "product", 4, option_id=[large]),
        line(package, "package", 3),
        line(mask, "product"),
        line(cut),
    ]

    async def shelf() -> tuple[int, int, int]:
        return await branch.stock(shampoo), await option_stock(branch, large), await branch.stock(mask)

    sale = await till.ring_up("625.00", *lines, payment_methods=[await till.paid("625", "card")])
    assert await shelf() == (16, 6, 13)
    await till.refund(sale["id"], (line_id(sale, 0), 1), (line_id(sale, 1), 1), restock=False)
    assert await shelf() == (16, 6, 13)
    await till.refund(sale["id"], (line_id(sale, 0), 2), (line_id(sale, 1), 1), restock=True)
    assert await shelf() == (18, 8, 15)
    await till.refund(sale["id"], restock=True)
    assert await shelf() == (19, 9, 18)


async def test_stock_of_a_canceled_sale_is_returned_once(till: Till) -> None:
    sale = await sell(till, "20", 3)
    await till.move(sale["id"], "canceled")
    product = sale["items"][0]["id"]
    (before,) = await till.shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2::text::uuid", product)
    await till.refund(sale["id"], restock=True)
    (after,) = await till.shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2::text::uuid", product)
    assert (before["stock"], after["stock"]) == (100, 100)


async def test_neither_a_refunded_sale_nor_a_refund_can_be_canceled_or_refunded_away(till: Till) -> None:
    sale = await sell(till, "20", 3)
    child = await till.refund(sale["id"], (line_id(sale), 1))
    for order_id in (sale["id"], child["id"]):
        assert_error(await till.try_to_move(order_id, "canceled"), 422, "invalid_status_transition")
    await refusal(till, child["id"])
    assert (await till.move(sale["id"], "completed"))["status"] == "completed"


async def test_a_refund_is_made_once_however_often_the_request_comes(till: Till) -> None:
    sale = await sell(till, "20", 3)
    body = {"lines": [{"line_id": line_id(sale), "quantity": 1}]}
    path, key = f"/pos/orders/{sale['id']}/refunds", {"idempotency-key": str(uuid4())}
    first, again = [await till.request("POST", path, body, headers=key) for _ in range(2)]
    assert (first.status_code, first.content) == (201, again.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert str((await till.branch.read(sale["id"]))["refunded_amount"]) == "20.00"


async def test_the_cents_of_every_line_come_back_when_a_discount_was_spread(till: Till) -> None:
    cream = await till.branch.add_product(price="10", stock=100)
    sale = await till.ring_up(
        "53.32",
        *[line(cream, "product", quantity) for quantity in (1, 2, 3)],
        sub_total="60.00",
        discount={"type": "fixed", "amount": 6.68, "apply_all": True},
        payment_methods=[await till.paid("53.32")],
    )
    back = []
    for place, quantity in ((2, 1), (0, 1), (2, 2), (1, 1), (1, 1)):
        child = await till.refund(sale["id"], (line_id(sale, place), quantity))
        back.append(-child["total"])
        assert back[-1] > 0
    assert sum(back) == sale["total"] == Decimal("53.32")


async def test_a_whole_refund_must_be_requested_explicitly(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sale = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("20")])
    bodies: list[Document] = [{}, {"line": []}, {"whole": False}]
    for body in bodies:
        answer = await till.request("POST", f"/pos/orders/{sale['id']}/refunds", body)
        assert set(assert_error(answer, 422, "validation_error")["errors"]) == {"lines"}
