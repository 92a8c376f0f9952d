"""After a load: what was acknowledged and is not there, and what is there and must not be."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from frontdesk.postgres.pool import Connection, connect
from tests.faults.load import CUSTOMER, Load
from tests.support.invariants import broken_invariants
from tests.support.waiting import eventually

_ARRIVAL_SECONDS = 180.0  # longer than the lease of a worker that was killed


class Findings(NamedTuple):
    lost: list[str]
    broken: list[str]


async def check(load: Load, runs: int) -> Findings:
    raw = await connect(load.site.dsn, settings={"statement_timeout": "0"})
    try:
        orders = await raw.fetch(
            """
            SELECT o.id::text AS id, c.email FROM orders o LEFT JOIN customers c
                ON (c.tenant_id, c.id) = (o.tenant_id, o.customer_id)
            WHERE o.tenant_id = $1 AND o.branch_id = $2
            """,
            load.shop.tenant_id,
            load.branch.branch_id,
        )
        customers = await raw.fetch(
            "SELECT phone FROM customers WHERE tenant_id = $1 AND first_name = $2 AND email IS NULL",
            load.shop.tenant_id,
            CUSTOMER,
        )
        broken = await broken_invariants(Connection(raw), load.shop.tenant_id)
    finally:
        await raw.close()
    booked = {row["id"]: row["email"] for row in orders if row["email"] is not None}
    sold = [row["id"] for row in orders if row["email"] is None]
    found = [
        _compare("order", load.orders, sold),
        _compare("booking", load.bookings, list(booked.values())),
        _compare("customer", load.customers, [row["phone"] for row in customers]),
        await _arrivals("event of order", [*load.orders, *booked], lambda: _delivered_orders(load)),
        await _arrivals("mail to", load.bookings, lambda: _mailed(load)),
    ]
    broken += [f"{times} × {answer}" for answer, times in load.unexpected.items()]
    broken += _sent_again(load, runs)
    return Findings(
        [one for each in found for one in each.lost], broken + [one for each in found for one in each.broken]
    )


def _compare(kind: str, acknowledged: Sequence[str], there: Sequence[str]) -> Findings:
    """Each acknowledged one is there once, and no other."""
    expected, counted = Counter(acknowledged), Counter(there)
    lost = [f"{kind} {one}" for one in expected - counted]
    return Findings(lost, [f"{kind} {one} is there too often" for one in counted - expected])


async def _arrivals(kind: str, expected: Sequence[str], look: Callable[[], list[str]]) -> Findings:
    with suppress(TimeoutError):
        await eventually(lambda: set(expected) <= set(look()), _ARRIVAL_SECONDS)
    there = set(look())
    return Findings([f"{kind} {one}" for one in expected if one not in there], [])


def _sent_again(load: Load, runs: int) -> list[str]:
    """A mail may arrive twice if its end had left the killed process and its mark had not: one for each kill."""
    counted = Counter(str(mail["Message-ID"]) for mail in load.site.mail.received)
    twice = counted.total() - len(counted)
    return [f"{twice} mails arrived again after {runs} faults"] if twice > runs else []


def _delivered_orders(load: Load) -> list[str]:
    return [one.event["data"]["order"]["id"] for one in load.site.receiver.received]  # type: ignore[index]


def _mailed(load: Load) -> list[str]:
    return [address.addr_spec for mail in load.site.mail.received for address in mail["To"].addresses]
