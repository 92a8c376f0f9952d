"""The tests of this folder run on a Citus cluster; most of them are tests of other folders, collected here again."""

import os
from pathlib import Path

import pytest

from tests.races.conftest import new_race, origins
from tests.support.servers import citus

__all__ = ["new_race", "origins"]


class _MissingCluster(pytest.Module):
    """One skipped file instead of a thousand skipped tests."""

    def collect(self) -> list[pytest.Item]:
        pytest.skip(citus.MISSING, allow_module_level=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    if "POST /sandbox/clock" in item.name:
        item.add_marker(pytest.mark.skip(reason="sandboxes have no clock of their own where data is on several nodes"))


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    names = [line.split(" ", 1)[0] for line in os.environ.get("FRONTDESK_TEST_CLUSTERS", "").splitlines()]
    return None if citus.NAME in names else _MissingCluster.from_parent(parent, path=module_path)
