"""Two server processes on one database, as an operator would run them; a new business for every test."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.races.fixture import RaceFixture, open_race_fixture
from tests.support.programs.commands import running_server
from tests.support.servers.citus import NAME, is_citus

OpenRaceFixture = Callable[..., Awaitable[RaceFixture]]


@pytest.fixture(scope="package")
def origins(dsn: str) -> Iterator[list[str]]:
    """Two server processes, stopped after these tests: their workers deliver the webhooks of the whole database."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        places = [Path(folder) / name / "data" for name in ("first", "second")]
        for place in places:
            place.parent.mkdir()
        distributed = NAME if is_citus(dsn) else ""
        servers = [running_server(place, database_url=dsn, distributed=distributed) for place in places]
        yield [stack.enter_context(server).origin for server in servers]


@pytest.fixture
def new_race(dsn: str, origins: list[str]) -> OpenRaceFixture:
    """Opens a business in the database that the server processes share."""

    async def open_here(providers: int = 1) -> RaceFixture:
        return await open_race_fixture(dsn, origins, providers)

    return open_here
