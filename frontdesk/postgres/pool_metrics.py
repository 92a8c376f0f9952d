"""What the metrics say about the pools of this process."""

from collections import Counter
from collections.abc import Hashable
from typing import Protocol
from weakref import WeakSet

from prometheus_client import Gauge, Histogram

from frontdesk.runtime.turns import Turns


class MeasuredPool(Protocol):
    name: str
    turns: Turns[Hashable]


WAIT_SECONDS = Histogram(
    "frontdesk_pool_wait_seconds",
    "How long those waited that found no free connection",
    ["pool"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 10),
)
measured: WeakSet[MeasuredPool] = WeakSet()
_size = Gauge("frontdesk_pool_size", "Connections that the pool may open", ["pool"], multiprocess_mode="livesum")
_in_use = Gauge("frontdesk_pool_in_use", "Connections that are in use", ["pool"], multiprocess_mode="livesum")
_waiting = Gauge("frontdesk_pool_waiting", "Who waits for a connection", ["pool"], multiprocess_mode="livesum")


def measure_pools() -> None:
    """Several pools of one name are added up. Called from time to time: a number for each statement would cost more."""
    size, in_use, waiting = Counter[str](), Counter[str](), Counter[str]()
    for pool in list(measured):
        size[pool.name] += pool.turns.slots
        in_use[pool.name] += pool.turns.slots - pool.turns.free
        waiting[pool.name] += pool.turns.all_waiting
    for name in size:
        _size.labels(name).set(size[name])
        _in_use.labels(name).set(in_use[name])
        _waiting.labels(name).set(waiting[name])
