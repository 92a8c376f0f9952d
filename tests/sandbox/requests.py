"""Requests about a sandbox: its clock, its faults and its snapshots."""

from tests.factories.changes import delete_rows
from tests.support.set_up_requests import Request
from tests.support.shop import Shop


async def move_clock(_shop: Shop) -> Request:
    return Request("/sandbox/clock", {"advance": "PT0S"})


async def add_fault(shop: Shop) -> Request:
    await _forget_snapshots(shop)
    return Request("/sandbox/faults", {"kind": "webhook_late", "seconds": 0})


async def keep_snapshot(shop: Shop) -> Request:
    await _forget_snapshots(shop)
    return Request("/sandbox/snapshots", {"name": "As it was"})


async def _forget_snapshots(shop: Shop) -> None:
    """A sandbox has room for few, and for few faults."""
    await delete_rows(shop, "sandbox_snapshots")
    await delete_rows(shop, "sandbox_faults")


async def _snapshot(shop: Shop) -> str:
    await _forget_snapshots(shop)
    kept = await shop.post("/sandbox/snapshots", {"name": "As it was"})
    return f"/sandbox/snapshots/{kept.json()['data']['id']}"


async def restore_snapshot(shop: Shop) -> Request:
    return Request(f"{await _snapshot(shop)}/restore", {})


async def delete_snapshot(shop: Shop) -> Request:
    return Request(await _snapshot(shop))
