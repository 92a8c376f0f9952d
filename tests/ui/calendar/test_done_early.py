"""An appointment that is done before its end: the rest of its time can be booked again."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from frontdesk.postgres.pool import Connection
from tests.factories.orders import move_order
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop


async def begun(branch: BranchFixture, *services: UUID, provider: UUID) -> tuple[str, datetime]:
    """An appointment that began ten minutes ago, with its services of two hours each."""
    placed = await branch.place(*[line(one, staff_id=provider) for one in services], start=start(day(3), "10:00"))
    at = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=10)
    await move_order(branch.shop, placed["id"], at)
    return placed["id"], at


async def held(branch: BranchFixture, order_id: str) -> list[tuple[datetime | None, datetime]]:
    """Until when each booking holds its time, and until when it was sold."""
    rows = await branch.shop.sql(
        "SELECT upper(busy), upper(during) FROM bookings WHERE tenant_id = $1 AND order_id = $2 ORDER BY during",
        UUID(order_id),
    )
    return [tuple(row) for row in rows]


async def test_what_is_done_early_frees_the_rest_of_its_time(own_shop: Shop, conn: Connection) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=120)
    provider = await branch.add_provider(cut)
    await branch.set_hours({}, staff_id=provider, all_time=True)
    order_id, at = await begun(branch, cut, cut, provider=provider)
    sold = [at + timedelta(hours=2), at + timedelta(hours=4)]
    assert await held(branch, order_id) == [(end, end) for end in sold]
    await branch.move(order_id, "in-progress")
    await branch.move(order_id, "completed")
    (first, second) = await held(branch, order_id)
    assert first[0] is not None
    assert at + timedelta(minutes=10) < first[0] < sold[0]
    assert (second[0], [first[1], second[1]]) == (None, sold), "what was sold stays"
    assert await broken_invariants(conn, own_shop.tenant_id) == []
    await branch.move(order_id, "in-progress")
    assert await held(branch, order_id) == [(end, end) for end in sold], "it is not done after all"
    assert await broken_invariants(conn, own_shop.tenant_id) == []
    await branch.move(order_id, "completed")
    ended = (await held(branch, order_id))[0][0]
    soon = (at + timedelta(hours=1, minutes=15)).replace(minute=0)
    taken = await branch.place(line(cut, staff_id=provider), start=soon.isoformat())
    await branch.move(order_id, "in-progress")
    assert (await held(branch, order_id))[0][0] == ended, "another one has the time now"
    assert await held(branch, taken["id"]) == [(soon + timedelta(hours=2),) * 2]
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_what_has_not_begun_keeps_its_time(own_shop: Shop) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=60)
    provider = await branch.add_provider(cut)
    placed = await branch.place(line(cut, staff_id=provider), start=start(day(3), "10:00"))
    await branch.move(placed["id"], "completed")
    assert "10:00" not in await branch.starts(cut, day(3))
