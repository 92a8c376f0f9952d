"""A balance is paid once, and an order is not both canceled and invoiced."""

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.change_status import SettableStatus
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import SYSTEM, RaceFixture, RequestSpec, codes, open_race_fixture, statuses
from tests.races.unlocked import NO_VERSION, LockFixture, change_function, open_lock_fixture
from tests.support.acts import change_status, create_order, issue_invoice, pay_order, refund_order
from tests.support.problems import code_of

CROWD = 50


async def test_a_balance_is_paid_once(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    [placed] = await race.send_all([race.order(race.service_line())])
    order_id = placed.json()["data"]["id"]
    whole = RequestSpec(f"/orders/{order_id}/payments", {"amount": 100, "payment_method_id": str(race.method_id)})
    answers = await race.send_all([whole] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"validation_error"}
    assert {str(answer.json()["details"]["remaining"]) for answer in answers if answer.status_code == 422} == {"0.00"}
    order = (await race.shop.get(f"/orders/{order_id}")).json()["data"]
    assert (order["payment_status"], len(order["transactions"])) == ("paid", 1)
    assert await race.broken_invariants() == []


async def test_concurrent_partial_payments_end_at_the_balance(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    [placed] = await race.send_all([race.order(race.service_line())])
    order_id = placed.json()["data"]["id"]
    part = RequestSpec(f"/orders/{order_id}/payments", {"amount": 7.5, "payment_method_id": str(race.method_id)})
    answers = await race.send_all([part] * CROWD)
    assert statuses(answers) == {201: 13, 422: CROWD - 13}
    assert await race.broken_invariants() == []


async def two_payments(locks: LockFixture, race: RaceFixture) -> list[bytes | BaseException]:
    """Both have got as far as the locks let them before either is numbered."""
    placed = await create_order(locks.command, race.tenant, race.order_request(race.service_line()))
    counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'transaction_no' FOR NO KEY UPDATE"
    async with locks.holding(counter, race.tenant_id):
        whole = race.payment_request(Decimal(100))
        both = [asyncio.create_task(pay_order(w, race.tenant, placed.id, whole)) for w in locks.writers]
    return await asyncio.gather(*both, return_exceptions=True)


async def test_the_lock_on_the_order_refuses_the_second_payment(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        outcomes = await two_payments(locks, race)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, Problem)
    assert code_of(refusal) == "validation_error"
    assert await race.broken_invariants() == []


async def test_without_the_lock_the_check_refuses_the_second_payment(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn, unlocked=True) as locks:
        outcomes = await two_payments(locks, race)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, asyncpg.CheckViolationError)
    assert await race.broken_invariants() == []


async def test_without_lock_and_check_the_balance_is_paid_twice(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn, unlocked=True) as locks:
        await drop_checks(locks.command, "orders", "paid_amount")
        outcomes = await two_payments(locks, race)
    assert all(isinstance(outcome, bytes) for outcome in outcomes)
    assert any(broken.startswith("what is paid") for broken in await race.broken_invariants())


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


async def invoice_against_cancel(locks: LockFixture, race: RaceFixture) -> list[Any]:
    """The invoice is written and not committed when the cancelation comes; it is held at the invoice's counter."""
    first, placed = [
        await create_order(locks.command, race.tenant, race.order_request(race.service_line(), slot=slot))
        for slot in range(2)
    ]
    assert await issue_invoice(locks.command, race.tenant, first.id, None) == 1
    counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'invoice_number' FOR NO KEY UPDATE"
    async with locks.holding(counter, race.tenant_id):
        invoicing = asyncio.create_task(issue_invoice(locks.writers[0], race.tenant, placed.id, None))
        await locks.until_waiting(1)
        canceling = asyncio.create_task(cancel(locks.writers[1], race, placed.id))
    return list(await asyncio.gather(invoicing, canceling, return_exceptions=True))


async def cancel(conn: Connection, race: RaceFixture, order_id: UUID) -> None:
    await change_status(conn, race.tenant, order_id, SettableStatus.CANCELED, None, SYSTEM)


async def test_an_order_that_is_being_invoiced_cannot_be_canceled(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        number, refusal = await invoice_against_cancel(locks, race)
    assert number == 2
    assert isinstance(refusal, Problem)
    assert code_of(refusal) == "order_has_invoice"
    assert await race.broken_invariants() == []


async def test_without_the_version_check_an_invoiced_order_is_canceled(empty_dsn: str) -> None:
    """What was read before the wait for the order's lock is out of date."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await change_function(locks.command, *NO_VERSION)
        number, canceled = await invoice_against_cancel(locks, race)
    assert (number, canceled) == (2, None)
    assert any(
        broken.startswith("an invoice and its credit notes add up to what the order is worth")
        for broken in await race.broken_invariants()
    )


@pytest.mark.parametrize("locked", [True, False])
async def test_an_order_is_refunded_once(empty_dsn: str, locked: bool) -> None:
    """The order's lock makes the second see the first; without it the constraint on the amounts rejects the second."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn, unlocked=not locked) as locks:
        placed = await create_order(locks.command, race.tenant, race.order_request(race.service_line()))
        await pay_order(locks.command, race.tenant, placed.id, race.payment_request(Decimal(100)))
        counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number' FOR NO KEY UPDATE"
        async with locks.holding(counter, race.tenant_id):
            both = [
                asyncio.create_task(refund_order(w, race.tenant, placed.id, RefundRequest(None, restock=False), SYSTEM))
                for w in locks.writers
            ]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, Problem if locked else asyncpg.CheckViolationError)
    assert await race.broken_invariants() == []
