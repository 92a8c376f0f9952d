"""Which tenants keep the service busiest: the requests of each in the last whole minute.

A tenant as a label of an ordinary metric would stay for ever, so only the ten busiest are shown. What is counted in a
minute is bounded too: beyond a number of tenants those with the least load are forgotten.
"""

import json
import os
from collections.abc import Iterable
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

SHOWN = 10
MAX_COUNTED = 2000
_KEPT = 1000  # when there are more; also what a process tells the others
_FILE = "tenant-load-{}.json"


class Load(NamedTuple):
    requests: int
    seconds: float  # to answer them


class TenantLoad:
    """Of one process. Several processes write theirs into one folder each minute."""

    def __init__(self) -> None:
        self._minute = 0
        self._counting: dict[str, Load] = {}
        self._last: dict[str, Load] = {}

    def add(self, tenant_id: UUID, seconds: float) -> None:
        tenant = str(tenant_id)
        before = self._counting.get(tenant)
        if before is None:
            if len(self._counting) >= MAX_COUNTED:
                self._counting = busiest(self._counting, _KEPT)
            self._counting[tenant] = Load(1, seconds)
        else:
            self._counting[tenant] = Load(before.requests + 1, before.seconds + seconds)

    def end_minute(self, now: float, folder: str | None = None) -> None:
        """Called often; does something once a minute."""
        minute = int(now // 60)
        if minute == self._minute:
            return
        self._minute, self._last, self._counting = minute, self._counting, {}
        if folder is not None:
            file = Path(folder) / _FILE.format(os.getpid())
            written = file.with_suffix(".new")
            written.write_text(json.dumps([minute, busiest(self._last, _KEPT)]), "ascii")
            written.replace(file)

    def of_last_minute(self, now: float, folder: str | None = None) -> dict[str, Load]:
        """With `folder`, of all processes."""
        minute = int(now // 60)
        if folder is None:
            return busiest(self._last if self._minute == minute else {})
        found = [json.loads(file.read_text("ascii")) for file in Path(folder).glob(_FILE.format("*"))]
        return busiest(_added(loads for written_in, loads in found if minute - written_in in (0, 1)))


LOAD = TenantLoad()


def busiest(loads: dict[str, Load], count: int = SHOWN) -> dict[str, Load]:
    return dict(nlargest(count, loads.items(), key=lambda entry: entry[1].seconds))


def _added(processes: Iterable[dict[str, tuple[int, float]]]) -> dict[str, Load]:
    total: dict[str, Load] = {}
    for loads in processes:
        for tenant, (requests, seconds) in loads.items():
            before = total.get(tenant, Load(0, 0.0))
            total[tenant] = Load(before.requests + requests, before.seconds + seconds)
    return total
