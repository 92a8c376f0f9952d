"""A change of hours says which coming bookings it leaves outside the hours, as the dashboard does before it asks."""

from typing import Any
from uuid import uuid4

from tests.support.branch import NINE_TO_FIVE, BranchFixture, day, line, local, start
from tests.support.pagination import json_exact
from tests.support.shop import Shop

DRY = {"frontdesk-dry-run": "true"}


async def _send(shop: Shop, change: tuple[str, str, dict[str, Any]], **headers: str) -> Any:
    method, path, body = change
    answer = await shop.request(method, path, json=body, headers=headers)
    assert answer.status_code in (200, 201), answer.text
    return json_exact(answer, answer.status_code)


async def test_a_change_of_hours_tells_which_bookings_it_leaves_outside(own_branch: BranchFixture) -> None:
    """The dry run tells the same, and what is affected already is not told again."""
    shop, cut = own_branch.shop, await own_branch.add_service(duration=60)
    staff_id = await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    mine, branch = f"/staff/{staff_id}", f"/branches/{own_branch.branch_id}"
    orders = [await own_branch.place(line(cut), start=start(day(n), "16:00")) for n in (1, 2, 3, 4, 5, 6)]
    told = [
        {
            "order_id": order["id"],
            "order_number": order["order_number"],
            "staff_id": str(staff_id),
            "start": local(day(n), "16:00").isoformat(),
            "end": local(day(n), "17:00").isoformat(),
        }
        for n, order in enumerate(orders, 1)
    ]
    day_off = {"start": f"{day(3)}T00:00:00", "end": f"{day(4)}T00:00:00"}
    asked = await _send(shop, ("POST", f"{mine}/time-off", {**day_off, "status": "requested"}))
    assert "affected_bookings" not in asked
    half_day = [{"from": "09:00", "to": "16:30"}]
    week = [{"day": name, **half_day[0]} for name in ("sun", "mon", "tue", "wed", "thu", "fri", "sat")]
    evening = {"start": start(day(4), "16:30"), "end": start(day(4), "18:00")}
    changes: list[tuple[tuple[str, str, dict[str, Any]], list[int]]] = [
        (("PUT", f"{mine}/hour-exceptions", {"day": str(day(1)), "intervals": half_day}), [1]),
        (("PUT", f"{branch}/hour-exceptions", {"day": str(day(1)), "intervals": half_day}), []),
        (("POST", f"{branch}/closed-days", {"from": str(day(1)), "to": str(day(2))}), [2]),
        (("POST", f"/time-off/{asked['data']['id']}/approve", {}), [3]),
        (("POST", f"{mine}/time-off", evening), [4]),
        (("PUT", f"{mine}/working-hours", {"intervals": week}), [5, 6]),
        (("PUT", f"{branch}/working-hours", {"intervals": week}), []),
    ]
    for change, affected in changes:
        expected = {"total": len(affected), "bookings": [told[n - 1] for n in affected]} if affected else None
        tried = await _send(shop, change, **DRY)
        assert tried.get("affected_bookings") == expected, change
        assert tried["dry_run"]["events"], change
        key = str(uuid4())
        saved = await _send(shop, change, **{"idempotency-key": key})
        assert saved.get("affected_bookings") == expected, change
        assert await _send(shop, change, **{"idempotency-key": key}) == saved
    assert (await own_branch.read(orders[0]["id"]))["status"] == "confirmed"
