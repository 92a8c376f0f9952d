"""The demo data itself is tested at its full length."""

from collections.abc import Iterator

import pytest

from frontdesk.demo_data import history, photos

_VISITS = photos.VISITS  # before the tests have none


@pytest.fixture(scope="package", autouse=True)
def full_demo_history() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "PAST_DAYS", 21)
        patch.setattr(history, "FUTURE_DAYS", 14)
        patch.setattr(photos, "VISITS", _VISITS)
        yield
