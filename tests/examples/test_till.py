"""The example till on a bad line: what it rang up and what the service booked are the same, to the minor unit."""

import asyncio
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

from examples.till.books import Books, Receipt, Tender, differences
from frontdesk.postgres.pool import Connection
from tests.factories.changes import change_rows
from tests.support.flaky import flaky_proxy
from tests.support.invariants import broken_invariants
from tests.support.programs.process import running_process
from tests.support.service import Service
from tests.support.shop import Shop

ROOT = Path(__file__).parents[2]


async def run_till(origin: str, shop: Shop, cashier: str, customers: int, seed: int) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "examples.till", "--origin", origin, "--api-key", shop.sandbox.api_key),
        *("--cashier", cashier, "--customers", str(customers), "--seed", str(seed)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    assert errors.decode().endswith("the totals agree\n")
    report: dict[str, Any] = json.loads(output)
    return report


async def test_two_tills_on_a_bad_line_lose_and_double_nothing(
    service: Service, other_shop: Shop, dsn: str, conn: Connection, tmp_path: Path
) -> None:
    shop = await service.new_shop()
    await change_rows(shop, "items", {"stock": 20}, stock=40)  # for most who want it
    async with running_process(dsn, tmp_path) as running, flaky_proxy(running.origin, seed=11) as line:
        reports = await asyncio.gather(
            run_till(line.origin, shop, "One", 42, seed=1), run_till(line.origin, shop, "Two", 42, seed=2)
        )
    assert min(line.lost_requests, line.lost_answers) >= 10
    assert sum(report["lost"] for report in reports) == line.lost_requests + line.lost_answers
    for cashier, report in zip(("One", "Two"), reports, strict=True):
        (booked,) = await shop.sql(_BOOKED, cashier)
        assert (booked["sales"], booked["refunds"]) == (report["sales"] + report["drafts"], report["refunds"])
        assert booked["given_up"] == report["given_up"]
        assert booked["taken"] == _taken(report)
    assert sum(report["sales"] for report in reports) >= 60
    assert all(report["drafts"] and report["refunds"] for report in reports)
    assert await broken_invariants(conn, shop.tenant_id) == []


async def test_a_second_run_on_the_same_day_agrees_as_well(service: Service, other_shop: Shop) -> None:
    shop = await service.new_shop()
    for seed in (3, 4):
        report = await run_till(service.origin, shop, "One", 6, seed)
        assert (report["lost"], report["drafts"]) == (0, 1)


def test_totals_that_differ_by_the_smallest_coin_are_not_equal() -> None:
    own, theirs = Books(), Books()
    tender = Tender("m", is_cash=True, amount=Decimal(10), tendered=Decimal(20), left=Decimal(10))
    own.sold(Decimal(10), [tender])
    theirs.sold(Decimal(10), [tender])
    assert differences(own.sums, theirs.sums) == {}
    theirs.refunded(Receipt("o", [], [tender]), Decimal("0.01"))
    assert differences(own.sums, theirs.sums) == {
        "expected_cash": (Decimal(10), Decimal("9.99")),
        "refunded": (Decimal(0), Decimal("-0.01")),
        "refunded m": (Decimal(0), Decimal("-0.01")),
        "refunds": (Decimal(0), Decimal(1)),
    }


_BOOKED = """
    SELECT count(*) FILTER (WHERE parent_id IS NULL) AS sales, count(*) FILTER (WHERE parent_id IS NOT NULL) AS refunds,
        count(*) FILTER (WHERE status = 'canceled') AS given_up,
        (SELECT sum(amount) FROM transactions t WHERE t.tenant_id = $1 AND t.cashier = $2) AS taken
    FROM orders WHERE tenant_id = $1 AND cashier = $2
"""


def _taken(report: dict[str, Any]) -> Decimal:
    moved = [Decimal(amount) for name, amount in report["books"].items() if name.startswith(("paid ", "refunded "))]
    return sum(moved, Decimal(0))
