"""The time of an order that books nobody."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories.people import make_hour_exception
from tests.support.branch import EVERY_DAY, BranchFixture, books, day, line, start, weekday
from tests.support.http_errors import assert_error
from tests.support.till import Till


@pytest.mark.parametrize("kind", ["product", "package"])
async def test_an_order_without_services_is_not_for_the_past_or_a_closed_day(branch: BranchFixture, kind: str) -> None:
    """In both APIs; no provider is booked for it, so nothing else looks at its time."""
    sold = await branch.add_product(price="20")
    sold = await branch.add_package({sold: 1}, price="20") if kind == "package" else sold
    closed, other = day(7), day(8)
    await branch.close(closed)
    weekly = day(10)  # a weekday without opening hours
    await branch.set_hours({on: [("09:00", "17:00")] for on in EVERY_DAY if on != weekday(weekly)})
    await make_hour_exception(branch.shop, day(9), [], branch_id=branch.branch_id)
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    past = ["must not be in the past"]
    shut = ["is on a day on which the branch is closed"]
    cases = [
        (start(day(-1), "10:00"), past),
        (hour_ago.isoformat(), past),
        (start(closed, "10:00"), shut),
        (f"{day(6)}T21:30:00Z", shut),  # half past midnight
        (start(day(9), "10:00"), shut),
        (start(other, "10:00"), None),
        (start(other, "22:00"), None),
        (start(weekly, "10:00"), None),
        (datetime.now(UTC).isoformat(), None),
        (None, None),
    ]
    before = await books(branch.shop)
    for at, errors in cases:
        answers = [
            await branch.shop.post("/orders", branch.order(line(sold, kind), start=at)),
            await Till(branch).try_to_ring_up("20.00", line(sold, kind), start=at),
        ]
        for answer in answers:
            if errors is None:
                assert answer.status_code == 201, (at, answer.text)
            else:
                assert assert_error(answer, 422, "validation_error")["errors"] == {"start": errors}, at
        if errors is not None:
            assert await books(branch.shop) == before
    draft = await Till(branch).try_to_ring_up("20.00", line(sold, kind), start=start(closed, "10:00"), isDraft=True)
    assert draft.status_code == 201
