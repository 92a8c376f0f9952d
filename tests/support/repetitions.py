"""How often the long tests repeat: a few times in `make test`, many times in `make torture`.

They are marked `torture`, so that `make torture` selects them.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

LONG_SECONDS = int(os.environ.get("FRONTDESK_TEST_LONG", "0"))

T = TypeVar("T")


def share(choices: Sequence[T], part: int, parts: int) -> list[T]:
    """One part of the choices in `make test`, so that the parts together cover all; everything in `make torture`."""
    return list(choices) if LONG_SECONDS else list(choices[part::parts])


def repetitions(short: int, *, long: int) -> int:
    return long if LONG_SECONDS else short
