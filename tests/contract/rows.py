"""Parameters of tests that go through the rows of a table."""

from collections.abc import Iterable
from typing import Any

import pytest


def row(name: str, *values: Any) -> Any:
    return pytest.param(*values, id=name.replace("::", ":"))


def rows(names: Iterable[str]) -> list[Any]:
    return [row(name, name) for name in names]
