"""Every bound of the benchmark. bench/README.md says what each number is."""

from typing import NamedTuple


class Bound(NamedTuple):
    limit: float
    is_minimum: bool  # the lowest value that is ok; otherwise a value must stay below

    def allows(self, value: float) -> bool:
        return value >= self.limit if self.is_minimum else value < self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.is_minimum else 'below'} {self.limit:g}"


def _at_least(limit: float) -> Bound:
    return Bound(limit, is_minimum=True)


def _below(limit: float) -> Bound:
    return Bound(limit, is_minimum=False)


# By call and callers, requests per second, of those of the full reference: what the service must reach. For the list a
# guard: docs/performance.md says what it does beyond the reference.
READS_OF_FULL = {
    "GET /orders": {1: _at_least(0.65), 8: _at_least(0.62)},
    "GET /orders/{uuid}": {1: _at_least(0.8), 8: _at_least(0.8)},
}
# POST /orders with a key. For one caller a guard: docs/performance.md says what an order does beyond the reference.
ORDERS_OF_FULL = {1: _at_least(0.45), 8: _at_least(0.6)}
# By call and callers, the CPU time that the bare reference takes, of what the service takes. Guards: a tenth below what
# was measured, in CPU time, since they must also tell on a machine that does other work.
OF_BARE = {
    ("GET /orders", 1): _at_least(0.51),
    ("GET /orders", 8): _at_least(0.55),
    ("GET /orders/{uuid}", 1): _at_least(0.48),
    ("GET /orders/{uuid}", 8): _at_least(0.54),
    ("POST /availability", 1): _at_least(0.27),
    ("POST /availability", 8): _at_least(0.25),
    ("POST /orders", 1): _at_least(0.21),
    ("POST /orders", 8): _at_least(0.31),
}

TENANTS = _at_least(1.1)  # orders of many tenants to those of one
PROCESSES = _at_least(0.95)  # reads of two processes to those of one; on two cores little is left for the second
CALENDARS = _below(6)  # 50 providers × 30 days to 1 × 7
BUSY_DAY = _below(4)  # CPU time of the page to that of its JSON
BOOKING_PAGE_CPU_MS = _below(60)
BOOKING_PAGE_OTHERS_P99_MS = _below(100)
LIST_PAGES = _below(4)  # CPU time of the page to that of its JSON
LIST_PAGES_MS = _below(8)  # on idle cores
LIST_PAGES_STATEMENTS = _below(5)
MEMORY = _below(1.2)  # after many requests to after a thousand

FAIRNESS_P50_MS = {20: _below(10), 100: _below(40), 400: _below(40)}  # by callers of the flood
FAIRNESS_P99_MS = _below(120)
FAIRNESS_RATE = _at_least(0.9)  # of the flood, to that of a few callers
FAIRNESS_MEMORY = _below(1.25)

IMPORT_SECONDS = {100_000: _below(60), 10_000: _below(10)}  # by rows
IMPORT_MEMORY = _below(1.25)  # of the peak of an import of a tenth
WEBHOOKS_ARRIVED = _at_least(1)
WEBHOOKS_DELAY_SECONDS = _below(1)
OPEN_PAGES_CORES = _below(0.05)
OPEN_PAGES_DELAY_SECONDS = _below(1)
PEOPLE_MORE_SECONDS = _below(0.3)  # than alone
PEOPLE_SOLD_TWICE = _below(1)
PEOPLE_REFUSED = _at_least(1)  # otherwise nothing was wanted twice
REPORTS_CPU_SECONDS = _below(1)
PAGES = _below(1.2)  # the slowest to the fastest
