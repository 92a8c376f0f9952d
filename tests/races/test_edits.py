"""Lines of an order that change while it is paid, changed by another user, or while the same provider is booked."""

import asyncio
from collections.abc import Coroutine
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.pay import PayOrder
from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.problems import Problem, SharedProblem
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture
from tests.races.test_slots import NO_EXCLUSION
from tests.races.unlocked import NO_VERSION, LockFixture, change_function, open_lock_fixture
from tests.support.acts import create_order, edit_order
from tests.support.problems import code_of


async def booked(locks: LockFixture, race: RaceFixture, *more: OrderLineRequest) -> UUID:
    request = race.order_request(race.service_line(race.staff[0]), *more)
    return (await create_order(locks.command, race.tenant, request)).id


async def lines_of(race: RaceFixture, order_id: UUID) -> list[LineChange]:
    rows = await race.shop.sql(
        "SELECT * FROM order_lines WHERE tenant_id = $1 AND order_id = $2 ORDER BY position", order_id
    )
    return [LineChange(r["id"], LineType(r["type"]), r["item_id"], r["quantity"], r["staff_id"]) for r in rows]


async def edited(
    conn: Connection, race: RaceFixture, order_id: UUID, lines: list[LineChange], version: int = 1
) -> None:
    await edit_order(conn, race.tenant, order_id, OrderEdit(version, lines, None, race.start()), SYSTEM)


async def paid(conn: Connection, race: RaceFixture, order_id: UUID, amount: int) -> None:
    payment = race.payment_request(Decimal(amount))
    await run(conn, race.tenant, PayOrder(order_id, payment), actor=SYSTEM)


async def at_once(
    locks: LockFixture, sql: str, held: UUID, acts: list[Coroutine[Any, Any, Any]]
) -> list[BaseException]:
    """Both stand before the same lock when it is released."""
    async with locks.holding(sql, held):
        both = [asyncio.create_task(act) for act in acts]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    return [outcome for outcome in outcomes if isinstance(outcome, BaseException)]


ORDER = "SELECT FROM orders WHERE id = $1 FOR UPDATE"
STAFF = "SELECT FROM staff WHERE id = $1 FOR UPDATE"


async def test_an_order_that_is_paid_while_a_line_is_taken_away(empty_dsn: str) -> None:
    """Either the payment is too much, or the new total is too little; never are both written."""
    race = await open_race_fixture(empty_dsn)
    product = await race.add_product(5)
    async with open_lock_fixture(empty_dsn) as locks:
        order_id = await booked(locks, race, OrderLineRequest(product, LineType.PRODUCT, 1))
        lines = await lines_of(race, order_id)
        payer, editor = locks.writers
        [refusal] = await at_once(
            locks, ORDER, order_id, [paid(payer, race, order_id, 110), edited(editor, race, order_id, lines[:1])]
        )
    assert isinstance(refusal, Problem)
    assert code_of(refusal) in ("validation_error", "version_conflict")  # of the payment, or of the outdated lines
    [order] = await race.shop.sql("SELECT total, paid_amount FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    assert (order["total"], order["paid_amount"]) in ((110, 110), (100, 0))
    assert await race.broken_invariants() == []


@pytest.mark.parametrize("guarded", [True, False])
async def test_two_who_change_one_order(empty_dsn: str, guarded: bool) -> None:
    """The second gets the error that the order has changed. Without the version the first one's line is lost."""
    race = await open_race_fixture(empty_dsn)
    product = await race.add_product(5)
    async with open_lock_fixture(empty_dsn) as locks:
        if not guarded:
            await change_function(locks.command, *NO_VERSION)
        order_id = await booked(locks, race)
        lines = await lines_of(race, order_id)
        more = [[*lines, LineChange(None, LineType.PRODUCT, product, units)] for units in (1, 2)]
        acts = [edited(one, race, order_id, lines) for one, lines in zip(locks.writers, more, strict=True)]
        refusals = await at_once(locks, ORDER, order_id, acts)
    assert [getattr(refusal, "kind", None) for refusal in refusals] == ([SharedProblem.OUTDATED] if guarded else [])
    changes = await race.shop.sql(
        "SELECT new_total FROM order_status_history WHERE tenant_id = $1 AND order_id = $2 AND new_total IS NOT NULL",
        order_id,
    )
    assert len(changes) == (1 if guarded else 2)
    assert await race.broken_invariants() == []


@pytest.mark.parametrize("guarded", [True, False])
async def test_an_order_that_grows_into_a_time_that_is_being_booked(empty_dsn: str, guarded: bool) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        if not guarded:
            await locks.command.execute(NO_EXCLUSION)
        order_id = await booked(locks, race)
        more = [
            *await lines_of(race, order_id),
            LineChange(None, LineType.SERVICE, race.service_id, 1, race.staff[0]),
        ]
        editor, booker = locks.writers
        request = race.order_request(race.service_line(race.staff[0]), slot=1)
        acts = [edited(editor, race, order_id, more), create_order(booker, race.tenant, request)]
        refusals = await at_once(locks, STAFF, race.staff[0], acts)
    codes = [code_of(refusal) for refusal in refusals if isinstance(refusal, Problem)]
    assert codes == (["timeslot_unavailable"] if guarded else [])
    assert (await race.broken_invariants() == []) is guarded
