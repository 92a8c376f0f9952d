"""A balance is paid once, and an order is not both canceled and invoiced."""

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from frontdesk.errors import Code, WireError
from frontdesk.orders.change_status import SettableStatus, change_status
from frontdesk.orders.create import create_order
from frontdesk.orders.invoice import issue_invoice
from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.pay import pay_order
from frontdesk.orders.refund import refund_order
from frontdesk.postgres.pool import Connection
from tests.races.conftest import OpenYard
from tests.races.fixture import SYSTEM, Sent, Yard, codes, open_yard, statuses
from tests.races.unlocked import Bench, Unlocked, open_bench

CROWD = 50


async def test_a_balance_is_paid_once(new_yard: OpenYard) -> None:
    yard = await new_yard()
    [placed] = await yard.rush([yard.order(yard.service_line())])
    order_id = placed.json()["data"]["id"]
    whole = Sent(f"/orders/{order_id}/payments", {"amount": 100, "payment_method_id": str(yard.method_id)})
    answers = await yard.rush([whole] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"validation_error"}
    assert {str(answer.json()["details"]["remaining"]) for answer in answers if answer.status_code == 422} == {"0.00"}
    order = (await yard.shop.get(f"/orders/{order_id}")).json()["data"]
    assert (order["payment_status"], len(order["transactions"])) == ("paid", 1)
    assert await yard.broken() == []


async def test_parts_are_taken_until_nothing_is_left(new_yard: OpenYard) -> None:
    yard = await new_yard()
    [placed] = await yard.rush([yard.order(yard.service_line())])
    order_id = placed.json()["data"]["id"]
    part = Sent(f"/orders/{order_id}/payments", {"amount": 7.5, "payment_method_id": str(yard.method_id)})
    answers = await yard.rush([part] * CROWD)
    assert statuses(answers) == {201: 13, 422: CROWD - 13}
    assert await yard.broken() == []


async def two_payments(bench: Bench, yard: Yard) -> list[str | BaseException]:
    """Both have got as far as the locks let them before either is numbered."""
    placed = await create_order(bench.command, yard.tenant, yard.asked(yard.service_line()))
    counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'transaction_no' FOR NO KEY UPDATE"
    async with bench.holding(counter, yard.tenant_id):
        whole = yard.asked_payment(Decimal(100))
        both = [asyncio.create_task(pay_order(w, yard.tenant, placed.id, whole)) for w in bench.writers]
    return await asyncio.gather(*both, return_exceptions=True)


async def test_the_lock_on_the_order_refuses_the_second_payment(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        outcomes = await two_payments(bench, yard)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, WireError)
    assert refusal.code is Code.VALIDATION_ERROR
    assert await yard.broken() == []


async def test_without_the_lock_the_check_is_the_last_line(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn, Unlocked) as bench:
        outcomes = await two_payments(bench, yard)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, asyncpg.CheckViolationError)
    assert await yard.broken() == []


async def test_without_lock_and_check_the_balance_is_paid_twice(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn, Unlocked) as bench:
        await drop_checks(bench.command, "orders", "paid_amount")
        outcomes = await two_payments(bench, yard)
    assert all(isinstance(outcome, str) for outcome in outcomes)
    assert any(told.startswith("what is paid") for told in await yard.broken())


async def drop_checks(conn: Connection, table: str, about: str) -> None:
    found = await conn.fetch(
        """
        SELECT conname FROM pg_constraint
        WHERE conrelid = $1::text::regclass AND contype = 'c' AND strpos(pg_get_constraintdef(oid), $2) > 0
        """,
        table,
        about,
    )
    assert found
    for row in found:
        await conn.execute(f"ALTER TABLE {table} DROP CONSTRAINT {row['conname']}")


async def invoice_against_cancel(bench: Bench, yard: Yard) -> list[Any]:
    """The invoice is written and not committed when the cancelation comes; it is held at the invoice's counter."""
    placed = await create_order(bench.command, yard.tenant, yard.asked(yard.service_line()))
    await bench.command.execute(
        "INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'invoice_number', 0)", yard.tenant_id
    )
    counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'invoice_number' FOR NO KEY UPDATE"
    async with bench.holding(counter, yard.tenant_id):
        invoicing = asyncio.create_task(issue_invoice(bench.writers[0], yard.tenant, placed.id, None))
        await bench.until_waiting(1)
        canceling = asyncio.create_task(cancel(bench.writers[1], yard, placed.id))
    return list(await asyncio.gather(invoicing, canceling, return_exceptions=True))


async def cancel(conn: Connection, yard: Yard, order_id: UUID) -> None:
    await change_status(conn, yard.tenant, order_id, SettableStatus.CANCELED, None, SYSTEM)


async def test_an_order_that_is_being_invoiced_cannot_be_canceled(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        number, refusal = await invoice_against_cancel(bench, yard)
    assert number == 1
    assert isinstance(refusal, WireError)
    assert refusal.code is Code.ORDER_HAS_INVOICE
    assert await yard.broken() == []


class ReadWhileWaiting(Connection):
    """Asks for an order's lock and for what else is known of it at once, as one statement."""

    async def execute(self, sql: str, *args: object) -> str:
        return "" if sql.startswith("SELECT FROM orders") else await super().execute(sql, *args)

    async def fetchrow(self, sql: str, *args: object) -> asyncpg.Record | None:
        return await super().fetchrow(f"{sql} FOR NO KEY UPDATE OF o" if " AS invoiced" in sql else sql, *args)


async def test_read_in_the_statement_that_waits_the_invoice_is_missed(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn, ReadWhileWaiting) as bench:
        number, canceled = await invoice_against_cancel(bench, yard)
    assert (number, canceled) == (1, None)
    assert any(
        told.startswith("a canceled order with an invoice had all its money given back") for told in await yard.broken()
    )


@pytest.mark.parametrize("kind", [Connection, Unlocked])
async def test_an_order_is_given_back_once(empty_dsn: str, kind: type[Connection]) -> None:
    """The order's lock makes the second see the first; without it the constraint on the amounts refuses the second."""
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn, kind) as bench:
        placed = await create_order(bench.command, yard.tenant, yard.asked(yard.service_line()))
        await pay_order(bench.command, yard.tenant, placed.id, yard.asked_payment(Decimal(100)))
        counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number' FOR NO KEY UPDATE"
        async with bench.holding(counter, yard.tenant_id):
            both = [
                asyncio.create_task(refund_order(w, yard.tenant, placed.id, RefundRequest(None, restock=False), SYSTEM))
                for w in bench.writers
            ]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, WireError if kind is Connection else asyncpg.CheckViolationError)
    assert await yard.broken() == []
