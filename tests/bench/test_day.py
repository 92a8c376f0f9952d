"""The simulated day: who comes when, and in `make torture` a short day from the first request to the report."""

from collections import Counter
from pathlib import Path

import pytest

from bench.day.plan import DAY_SECONDS, Kind, plan_day
from bench.day.report import report_lines
from bench.day.simulate import Size, simulate
from frontdesk.postgres.embedded.temporary import temporary_server
from frontdesk.server.database import migrate_now
from tests.support.repetitions import LONG_SECONDS


def test_every_business_has_its_orders_within_the_day_and_closes_in_the_last_hour() -> None:
    arrivals = plan_day(businesses=3, orders=200, speed=60)
    counts = Counter((arrival.business, arrival.kind) for arrival in arrivals)
    assert counts == {(business, kind): kind.often for business in range(3) for kind in Kind}
    makes_order = (Kind.API_BOOKING, Kind.DESK_BOOKING, Kind.ONLINE_BOOKING, Kind.TILL_SALE)
    assert sum(kind.often for kind in makes_order) == 200
    assert sorted(arrivals, key=lambda arrival: arrival.at) == arrivals
    assert 0 <= arrivals[0].at <= arrivals[-1].at <= DAY_SECONDS / 60
    closes = [arrival.at for arrival in arrivals if arrival.kind is Kind.DAY_CLOSE]
    assert min(closes) >= (DAY_SECONDS - 3600) / 60


def test_the_same_day_comes_again_and_a_faster_one_is_shorter() -> None:
    day, fast = plan_day(2, 20, speed=60), plan_day(2, 20, speed=120)
    assert day == plan_day(2, 20, speed=60)
    assert [arrival.at for arrival in fast] == pytest.approx([arrival.at / 2 for arrival in day])


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="make torture: starts a database, a service and a worker")
def test_a_short_day_is_played_and_counted(tmp_path: Path) -> None:
    """On a busy machine some visitors are turned away, so only what the day says of itself is compared."""
    with temporary_server(None) as dsn:
        migrate_now(dsn)
        day = simulate(dsn, tmp_path, Size(businesses=2, orders=20, speed=2160))
    assert 0 < day.orders == day.tables["orders"].rows <= 40
    assert day.arrived.webhooks >= day.orders
    assert day.arrived.mails > 0
    assert f"2 businesses, 20 orders each, 2160 times as fast: {day.orders} orders" in report_lines(day)[0]
