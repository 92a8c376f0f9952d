"""Two server processes on one database, as an operator would run them; a new business for every test."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.races.fixture import RaceFixture, open_race_fixture
from tests.support.commands import running_server

OpenRaceFixture = Callable[..., Awaitable[RaceFixture]]


@pytest.fixture(scope="package")
def origins(dsn: str) -> Iterator[list[str]]:
    """Two server processes, stopped after these tests: their workers deliver the webhooks of the whole database."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        places = [Path(folder) / name / "data" for name in ("first", "second")]
        for place in places:
            place.parent.mkdir()
        yield [stack.enter_context(running_server(place, database_url=dsn)).origin for place in places]


@pytest.fixture
def new_race(dsn: str, origins: list[str]) -> OpenRaceFixture:
    """Opens a business in the database that the server processes share."""

    async def open_here(providers: int = 1) -> RaceFixture:
        return await open_race_fixture(dsn, origins, providers)

    return open_here
