"""Orders, receipts, invoices, credit notes, day closes and reports of one history agree to the minor unit."""

import csv
import io
import re
from datetime import date
from decimal import Decimal

import pytest
from asyncpg import Record

from frontdesk.auth.types import Role
from frontdesk.orders.tax import included_tax
from frontdesk.postgres.pool import Connection
from frontdesk.values.money import exact_sum, fits_currency
from tests.factories.users import make_user
from tests.reports.money_days import Books, MoneyDays, open_money_days
from tests.support.branch import day
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.invariants import broken_invariants
from tests.support.pagination import json_exact
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.torture

CURRENCIES = [("JPY", 0), ("SAR", 2), ("KWD", 3)]
DAYS = range(-1, 1)  # yesterday and today
ACTS = {
    *("place", "finish", "sell", "check_out", "pay", "edit", "refund", "exchange", "invoice", "move"),
    *("end_shift", "reopen"),
}
_STANDING = """
    FROM order_lines l JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id AND o.branch_id = $2
    JOIN orders s ON s.tenant_id = $1 AND s.id = coalesce(o.parent_id, o.id)
    WHERE l.tenant_id = $1 AND s.status NOT IN ('draft', 'canceled')"""


@pytest.mark.parametrize("seed", range(repetitions(3, long=60)))
async def test_everything_that_shows_money_agrees(
    service: Service, other_shop: Shop, conn: Connection, seed: int
) -> None:
    shop = await service.new_shop()
    books = Books(*CURRENCIES[seed % 3], prices_include_tax=bool(seed % 2))
    busy = await open_money_days(shop, conn, books, seed)
    await busy.steps(60)
    await busy.pass_day()
    await busy.change_rates()
    await busy.close(-1)
    await busy.steps(60)
    await busy.close(0)
    await busy.steps(30)
    assert seed > 2 or busy.done >= ACTS
    assert await broken_invariants(conn, shop.tenant_id) == []
    assert await orders_agree(busy) or seed > 2
    await day_closes_agree(busy)
    async with await dashboard_of(shop, await make_user(shop, Role.MANAGER)) as desk:
        await papers_agree(busy, desk)
        await reports_agree(busy, desk)
        await shifts_agree(busy, desk)
        for _ in range(2):
            await busy.step_of(busy.reopen)
            await day_closes_agree(busy)
            await shifts_agree(busy, desk)


async def select(busy: MoneyDays, sql: str, *more: object) -> list[Record]:
    """Of the branch that is $2."""
    return await busy.branch.shop.sql(sql, busy.branch.branch_id, *more)


async def orders_agree(busy: MoneyDays) -> int:
    """Lines make up the order; an invoice less its credit notes is what is left of it, as is the money.

    Returns how many orders have credit notes.
    """
    for line in await select(
        busy,
        """SELECT o.parent_id, l.price, l.quantity, l.discount_amount, l.total, l.tax_rate, l.tax_amount
        FROM order_lines l JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id AND o.branch_id = $2
        WHERE l.tenant_id = $1""",
    ):
        amounts = (line["price"], line["discount_amount"], line["total"], line["tax_amount"])
        assert all(fits_currency(amount, busy.decimals) for amount in amounts), line
        if line["parent_id"] is None:
            assert line["tax_amount"] == included_tax(line["total"], line["tax_rate"], busy.decimals)
    orders = await select(
        busy,
        """SELECT CASE o.status WHEN 'canceled' THEN 0 ELSE o.total + coalesce(r.total, 0) END AS total,
            CASE o.status WHEN 'canceled' THEN 0 ELSE o.tax_amount + coalesce(r.tax, 0) END AS tax,
            i.total - coalesce(c.total, 0) AS invoiced, i.tax_amount - coalesce(c.tax, 0) AS invoiced_tax,
            c.total AS credit,
            (SELECT sum((l->>'total')::numeric) FROM jsonb_array_elements(i.lines) l) - i.total AS of_lines,
            (SELECT sum((l->>'tax_amount')::numeric) FROM jsonb_array_elements(i.lines) l) - i.tax_amount AS of_taxes,
            o.paid_amount - o.refunded_amount AS kept, coalesce(t.amount, 0) + coalesce(r.paid, 0) AS money
        FROM orders o LEFT JOIN invoices i ON i.tenant_id = $1 AND i.order_id = o.id
        LEFT JOIN (SELECT invoice_id, sum(total) AS total, sum(tax_amount) AS tax FROM credit_notes
                   WHERE tenant_id = $1 GROUP BY 1) c ON c.invoice_id = i.id
        LEFT JOIN (SELECT order_id, sum(amount) AS amount FROM transactions
                   WHERE tenant_id = $1 GROUP BY 1) t ON t.order_id = o.id
        LEFT JOIN (SELECT parent_id, sum(total) AS total, sum(tax_amount) AS tax, sum((SELECT sum(amount)
                       FROM transactions t WHERE t.tenant_id = $1 AND t.order_id = b.id)) AS paid
                   FROM orders b WHERE tenant_id = $1 GROUP BY 1) r ON r.parent_id = o.id
        WHERE o.tenant_id = $1 AND o.branch_id = $2 AND o.parent_id IS NULL""",
    )
    for order in orders:
        assert order["kept"] == order["money"]
        if order["invoiced"] is not None:
            assert (order["invoiced"], order["invoiced_tax"]) == (order["total"], order["tax"])
            assert (order["of_lines"], order["of_taxes"]) == (0, 0)
    return sum(order["credit"] is not None for order in orders)


async def papers_agree(busy: MoneyDays, desk: DashboardClient) -> None:
    """Receipts, invoices and credit notes show the amounts of the order."""
    orders = await select(
        busy,
        """SELECT o.id, o.parent_id, o.total, o.tax_amount AS tax, o.total - o.paid_amount AS remaining,
            CASE WHEN i.id IS NOT NULL THEN 'invoice' WHEN c.id IS NOT NULL THEN 'credit-note' END AS paper,
            (SELECT coalesce(sum(amount), 0) FROM tips t WHERE t.tenant_id = $1 AND t.order_id = o.id) AS tip,
            (SELECT coalesce(sum(amount), 0) FROM transactions t WHERE t.tenant_id = $1 AND t.order_id = o.id) AS paid
        FROM orders o LEFT JOIN invoices i ON i.tenant_id = $1 AND i.order_id = o.id
        LEFT JOIN credit_notes c ON c.tenant_id = $1 AND c.order_id = o.id
        WHERE o.tenant_id = $1 AND o.branch_id = $2 AND o.status <> 'draft' ORDER BY o.order_number""",
    )
    for order in busy.rng.sample(orders, min(len(orders), repetitions(10, long=100))):
        receipt = await text_of(desk, f"/orders/{order['id']}/receipt")
        *lines, _ = receipt.partition("<hr>")[2].split("<hr>")
        assert exact_sum(figures(lines[0])) == order["total"]
        sums, _, paid = receipt.split("<hr>")[-1].partition('<hr class="dash">')
        assert figures(sums)[-1 - bool(order["tip"])] == order["total"]
        if order["tax"]:
            net, *taxes = figures(sums)[: -1 - bool(order["tip"])]
            assert (net, exact_sum(taxes)) == (order["total"] - order["tax"], order["tax"])
        amounts = figures(paid.partition("</dl>")[0])
        if order["parent_id"] is None:
            assert amounts.pop() == order["remaining"]
        assert exact_sum(amounts) == order["paid"] + order["tip"]
        if order["paper"]:
            paper = figures(
                (await text_of(desk, f"/orders/{order['id']}/{order['paper']}")).split('<dl class="sum">')[1]
            )
            assert paper[-1] == abs(order["total"])
            before = paper.index(paper[-1] - abs(order["tax"]))
            assert exact_sum(paper[before + 1 : -1]) == abs(order["tax"])


async def day_closes_agree(busy: MoneyDays) -> None:
    """What a close says of a method are its transactions; what it says of sales is the report of its day."""
    for on in map(day, DAYS):
        path = f"/pos/day-close?team_id={busy.branch.branch_id}&date={on}"
        rows = json_exact(await busy.branch.shop.key_call("GET", path))["data"]["cashiers"]
        closed = [
            (method["payment_method_id"], *(Decimal(method[name]) for name in ("paid", "refunded", "change")))
            for row in rows
            for method in row["methods"]
        ]
        taken = await select(
            busy,
            """
            SELECT t.payment_method_id::text, coalesce(sum(t.amount) FILTER (WHERE t.amount > 0), 0),
                   coalesce(sum(t.amount) FILTER (WHERE t.amount < 0), 0),
                   coalesce(sum(t.tendered_amount - t.amount), 0)
            FROM transactions t JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = $2
            WHERE t.tenant_id = $1 AND (t.created_at AT TIME ZONE 'Asia/Riyadh')::date = $3 GROUP BY 1
            """,
            on,
        )
        assert sorted(added(closed)) == sorted(tuple(row) for row in taken), on
        (sold,) = await select(
            busy,
            """
            SELECT coalesce(sum(total) FILTER (WHERE kind IN ('sale', 'cancellation', 'change')), 0),
                   coalesce(sum(total) FILTER (WHERE kind = 'refund'), 0)
            FROM sales_by_source WHERE tenant_id = $1 AND branch_id = $2 AND day = $3
            """,
            on,
        )
        sums = {name: exact_sum(Decimal(row[name]) for row in rows) for name in ("sold", "canceled", "refunded")}
        assert tuple(sold) == (sums["sold"] + sums["canceled"], sums["refunded"]), on


def added(methods: list[tuple[str, Decimal, Decimal, Decimal]]) -> list[tuple[str, Decimal, Decimal, Decimal]]:
    """What all cashiers together took by each method."""
    sums: dict[str, tuple[Decimal, Decimal, Decimal]] = {}
    for method, *amounts in methods:
        before = sums.get(method, (Decimal(0),) * 3)
        paid, refunded, change = (exact_sum(pair) for pair in zip(before, amounts, strict=True))
        sums[method] = (paid, refunded, change)
    return [(method, *amounts) for method, amounts in sums.items()]


async def shifts_agree(busy: MoneyDays, desk: DashboardClient) -> None:
    """The closes of a day that stand follow each other; with what is open they are the sums of its reports."""
    rows = await select(
        busy,
        """SELECT d.day, d.starts_at, lag(d.ends_at) OVER (PARTITION BY d.day ORDER BY d.close_number) AS last
        FROM day_closes d LEFT JOIN day_reopenings r ON r.tenant_id = $1 AND r.day_close_id = d.id
        WHERE d.tenant_id = $1 AND d.branch_id = $2 AND r.day_close_id IS NULL""",
    )
    assert all(row["last"] in (None, row["starts_at"]) for row in rows)
    for on in map(day, DAYS):
        page = await desk.get(f"/day-close?branch={busy.branch.branch_id}&date={on}", follow_redirects=True)
        if "The whole day" not in page.text:
            assert sum(row["day"] == on for row in rows) <= 1
            continue
        (received,), (net,) = (
            re.findall(rf'<dt>{label}</dt>\s*<dd><span class="number">([^<]*)<', page.text)
            for label in ("Received", "Net sales")
        )
        sales, payments = [(await report_rows(busy, desk, report, (on, on)))[-1] for report in ("sales", "payments")]
        paid = Decimal(payments["Paid"]) + Decimal(payments["Refunded"])
        assert [amount_of(received), amount_of(net)] == [paid, Decimal(sales["Net sales"])], on


def amount_of(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))


async def reports_agree(busy: MoneyDays, desk: DashboardClient) -> None:
    """The reports are sums over the lines, the payments and the tips."""
    (ledger,) = await select(busy, f"SELECT sum(l.total) AS total, sum(l.tax_amount) AS tax {_STANDING}")
    for report in ("sales", "items", "categories", "providers", "applications", "tax"):
        *rows, total = await report_rows(busy, desk, report)
        for column, expected in (("Net sales", ledger["total"]), ("Tax", ledger["tax"])):
            assert exact_sum(Decimal(row[column]) for row in rows) == Decimal(total[column]) == expected, report
        assert all(Decimal(row["Net sales"]) - Decimal(row["Tax"]) == Decimal(row["Without tax"]) for row in rows)
    by_rate = [
        (Decimal(row["Rate"]), Decimal(row["Net sales"]), Decimal(row["Tax"]))
        for row in (await report_rows(busy, desk, "tax"))[:-1]
    ]
    rates = await select(
        busy, f"SELECT l.tax_rate, sum(l.total), sum(l.tax_amount) {_STANDING} GROUP BY 1 ORDER BY 1 DESC"
    )
    assert [row for row in by_rate if any(row[1:])] == [tuple(row) for row in rates if any(row[1:])]
    (money,) = await select(
        busy,
        """SELECT sum(t.amount) FILTER (WHERE t.amount > 0) AS paid, sum(t.amount) FILTER (WHERE t.amount < 0) AS back,
            (SELECT sum(p.amount) FROM tips p JOIN orders o ON o.tenant_id = $1 AND o.id = p.order_id
             AND o.branch_id = $2 WHERE p.tenant_id = $1) AS tips
        FROM transactions t JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = $2
        WHERE t.tenant_id = $1""",
    )
    payments, tips = (await report_rows(busy, desk, "payments"))[-1], (await report_rows(busy, desk, "tips"))[-1]
    shown = [Decimal(payments["Paid"]), Decimal(payments["Refunded"]), Decimal(tips["Amount"])]
    assert shown == [money["paid"], money["back"], money["tips"]]


async def report_rows(
    busy: MoneyDays, desk: DashboardClient, report: str, days: tuple[date, date] | None = None
) -> list[dict[str, str]]:
    first, last = days or (day(DAYS[0]), day(DAYS[-1]))
    path = f"/reports/{report}.csv?from={first}&to={last}&branch={busy.branch.branch_id}"
    return list(csv.DictReader(io.StringIO((await text_of(desk, path)).lstrip("\ufeff"))))


async def text_of(desk: DashboardClient, path: str) -> str:
    answer = await desk.get(path)
    assert answer.status_code == 200, path
    return answer.text


def figures(html: str) -> list[Decimal]:
    """Every amount in a cell of its own."""
    found = re.findall(r'<dd><(?:span|bdi) (?:class="(?:number|ltr)"|dir="ltr")[^>]*>([^<]*)<', html)
    return [amount_of(text) for text in found]
