"""How much is measured, in the full and in the quick form."""

from typing import NamedTuple


class Size(NamedTuple):
    rounds: int
    seconds: float  # of one turn
    tenants: int
    large_rows: int  # customers and orders of the large tenant
    memory_requests: int
    calendar_samples: int
    webhook_events: int
    visits: int  # of customers in the year that the reports are of
    imported_rows: int  # customers of one table; a tenth of them for comparison


FULL = Size(
    rounds=15,
    seconds=0.7,
    tenants=100,
    large_rows=1_000_000,
    memory_requests=100_000,
    calendar_samples=40,
    webhook_events=10_000,
    visits=600_000,
    imported_rows=100_000,
)
QUICK = Size(
    rounds=5,
    seconds=0.3,
    tenants=100,
    large_rows=20_000,
    memory_requests=5_000,
    calendar_samples=10,
    webhook_events=1_000,
    visits=60_000,
    imported_rows=10_000,
)
