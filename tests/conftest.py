"""One cluster of each PostgreSQL for the whole run, one database of each per test process, one service on each."""

import asyncio
import gc
import os
import random
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import chain, islice
from pathlib import Path

import pytest
import uvloop
from argon2 import PasswordHasher
from hypothesis import HealthCheck, settings as hypothesis_settings
from playwright.async_api import Browser

from frontdesk.demo_data import history, photos
from frontdesk.postgres import connection_guard
from frontdesk.postgres.pool import Connection
from frontdesk.security import passwords
from tests.support.connections import pooled_connection
from tests.support.only_read import only_read
from tests.support.pages.browser import running_browser
from tests.support.pages.compiled_templates import share_compiled_templates
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers import citus
from tests.support.servers.clusters import Cluster, cloned_database, start_clusters
from tests.support.service import Service, running_service
from tests.support.shop import Shop

_TESTS = Path(__file__).parent
_DISTRIBUTED = _TESTS / "distributed"
_RACES = _TESTS / "races"
_CLUSTERS = pytest.StashKey[list[Cluster]]()
_ONLY_CITUS = os.environ.get("FRONTDESK_TEST_SERVER") == citus.NAME  # runs any test on the cluster
_ADDRESSES = "FRONTDESK_TEST_CLUSTERS"  # name=address pairs, handed from the first process to the others
_ORDER = "FRONTDESK_TEST_ORDER"  # the seed of the order, any text, handed on in the same way
_ORDER_OF_FILES = "files"
_TEMPLATES = "FRONTDESK_TEST_TEMPLATES"  # the folder of compiled templates, handed on in the same way

connection_guard.STRICT = True  # a handler that waits for the network while it holds a connection answers 500

hypothesis_settings.register_profile(
    "house",
    deadline=None,
    database=None,
    derandomize=not LONG_SECONDS,  # `make test` tries the same examples each time, `make torture` others
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
hypothesis_settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "one_server: a refusal of wrong requests, in a file for both servers")
    config.addinivalue_line("markers", "every_statement: also runs on Debian's PostgreSQL 15")
    config.addinivalue_line("markers", "both_servers: also runs on Debian's PostgreSQL 15 in `make torture`")
    config.addinivalue_line("markers", "torture: `make torture` runs its long form")
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        os.environ[_ORDER] = os.environ.get(_ORDER) or str(random.randrange(10**6))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # dozens of processes import the same modules
        if _ADDRESSES in os.environ:
            return  # servers that are running already
        folder = Path(tempfile.mkdtemp(prefix="frontdesk-tests-"))
        os.environ[_TEMPLATES] = str(folder / "templates")
        config.stash[_CLUSTERS] = start_clusters(folder, with_citus=_wants_citus(config))
        os.environ[_ADDRESSES] = "\n".join(f"{c.name} {c.dsn}" for c in config.stash[_CLUSTERS])
    if _TEMPLATES in os.environ:
        share_compiled_templates(Path(os.environ[_TEMPLATES]))


def _wants_citus(config: pytest.Config) -> bool:
    """Its three servers are started for a run that includes their tests."""
    if _ONLY_CITUS:
        return True
    return any(path.is_relative_to(_DISTRIBUTED) or _DISTRIBUTED.is_relative_to(path) for path in _paths(config))


def _paths(config: pytest.Config) -> list[Path]:
    return [(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args]


def pytest_sessionstart(session: pytest.Session) -> None:
    _write_order(session.config)


def pytest_terminal_summary(config: pytest.Config) -> None:
    _write_order(config)


def _write_order(config: pytest.Config) -> None:
    """Says how to repeat the run. Only the first process has a terminal."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and _ORDER in os.environ:
        terminal.ensure_newline()
        terminal.write_line(f"order of the tests: {_ORDER}={os.environ[_ORDER]}")


def pytest_unconfigure(config: pytest.Config) -> None:
    clusters = config.stash.get(_CLUSTERS, [])
    for cluster in clusters:
        cluster.stop()
    if clusters:
        shutil.rmtree(clusters[0].folder.parent, ignore_errors=True)


def pytest_collection(session: pytest.Session) -> None:
    """Each test process begins with its share of the files, so that each file is compiled by one of them.

    What is imported and collected stays, so to look for garbage among it is wasted.
    """
    gc.disable()
    worker = getattr(session.config, "workerinput", None)
    if worker is None or _TESTS not in _paths(session.config):
        return
    files = sorted(_TESTS.rglob("test_*.py"))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # it is reported when the file is collected
            import_module(".".join(file.relative_to(_TESTS.parent).with_suffix("").parts))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def _runs_on_both_servers(metafunc: pytest.Metafunc) -> bool:
    """`make test` runs every operation and every page on both servers: the tests that go through all of them see to it.

    What else depends on the server runs on both in `make torture`, as do races: locks and constraints are the same on
    both. The subject of the rest is HTTP, pages, texts or programs, and no server makes a difference to it.
    """
    marked = metafunc.definition.get_closest_marker
    if marked("one_server"):
        return False
    is_race = metafunc.definition.path.is_relative_to(_RACES)
    return bool(marked("every_statement") or (LONG_SECONDS and (is_race or marked("both_servers"))))


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.path.is_relative_to(_RACES) or (LONG_SECONDS and _server_of(item)):
        item.add_marker(pytest.mark.torture)


# The longest tests that use no browser. A file or folder stays together: its tests may share what takes long to start.
_LONG = (
    "apis/open/test_database_deadlines.py",
    "apis/open/test_database_outage.py",
    "apis/openapi/test_schemathesis.py",
    "apis/openapi/test_typescript.py",
    "architecture/test_wheel.py",
    "architecture",
    "client_ts/test_typescript_client.py",
    "examples/test_till.py",
    "messages/test_kills.py",
    "postgres/test_embedded.py",
    "races",
    "server/test_logging.py",
    "server/test_operation.py",
    "server/test_start.py",
    "server/test_stop.py",
    "storage",
    "webhooks/test_kills.py",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each test process begins with its share of the long tests, so that none of them runs alone at the end.

    xdist cuts the list into equal parts, one for each process; later, a process without work takes from the end of
    another's part.
    """
    order = os.environ.get(_ORDER, _ORDER_OF_FILES)
    if order != _ORDER_OF_FILES:
        _shuffle(items, random.Random(order))
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if processes == 1:
        return
    long: dict[str, list[pytest.Item]] = {}
    for item in items:
        if _uses_browser(item):
            long[item.nodeid] = [item]
        elif group := _long_group(item):
            long.setdefault(f"{group} {_server_of(item)}", []).append(item)
    groups = list(long.values())
    firsts = [list(chain.from_iterable(groups[number::processes])) for number in range(processes)]
    first_ones = set(chain.from_iterable(groups))
    rest = iter([item for item in items if item not in first_ones])
    ends = [len(items) * number // processes for number in range(processes + 1)]
    parts = [(first, ends[number + 1] - ends[number]) for number, first in enumerate(firsts)]
    if all(len(first) <= size for first, size in parts):
        items[:] = [item for first, size in parts for item in (*first, *islice(rest, size - len(first)))]


def _shuffle(items: list[pytest.Item], chance: random.Random) -> None:
    """Files in another order, and the tests in each of them. Each test process does the same."""
    files: dict[tuple[str, Path], list[pytest.Item]] = {}
    for item in items:
        files.setdefault((_server_of(item), item.path), []).append(item)
    groups = list(files.items())
    chance.shuffle(groups)
    groups.sort(key=lambda group: group[0][0])
    items[:] = [item for _, tests in groups for item in chance.sample(tests, len(tests))]


def _uses_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


def _long_group(item: pytest.Item) -> str | None:
    path = item.path.relative_to(_TESTS)
    return next((name for name in _LONG if path.is_relative_to(name)), None)


def _server_of(item: pytest.Item) -> str:
    """Tests on one PostgreSQL follow one another, because each change starts another service."""
    return "postgres15" if "[postgres15" in item.nodeid else ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cluster_dsn" in metafunc.fixturenames:
        found = dict(line.split(" ", 1) for line in os.environ.get(_ADDRESSES, "").splitlines())
        metafunc.parametrize(
            "cluster_dsn",
            [pytest.param(found[name], id=name) for name in _servers(metafunc, list(found))]
            or [pytest.param("", id=citus.NAME, marks=pytest.mark.skip(reason=citus.MISSING))],
            indirect=True,
            scope="session",
        )


def _servers(metafunc: pytest.Metafunc, names: list[str]) -> list[str]:
    if _ONLY_CITUS or metafunc.definition.path.is_relative_to(_DISTRIBUTED):
        return [name for name in names if name == citus.NAME]
    plain = [name for name in names if name != citus.NAME]
    return plain if _runs_on_both_servers(metafunc) else plain[:1]


@pytest.fixture(scope="session")
def _asyncio_loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """Of pytest-asyncio, whose hook for it gives synchronous tests another loop. The service runs on uvloop too."""
    return uvloop.new_event_loop


@pytest.fixture(scope="session")
def cluster_dsn(request: pytest.FixtureRequest) -> str:
    """The address of a migrated template database in one of the clusters."""
    address: str = request.param
    return address


@pytest.fixture(scope="session")
async def dsn(cluster_dsn: str, worker_id: str) -> AsyncIterator[str]:
    """A database of this test process's own, cloned from the template."""
    async with cloned_database(cluster_dsn, f"tests_{worker_id}") as address:
        yield address


@pytest.fixture
async def empty_dsn(cluster_dsn: str, worker_id: str) -> AsyncIterator[str]:
    """A migrated database with nothing in it, for this test alone."""
    async with cloned_database(cluster_dsn, f"empty_{worker_id}") as address:
        yield address


@pytest.fixture
async def conn(dsn: str) -> AsyncIterator[Connection]:
    async with pooled_connection(dsn) as raw:
        yield Connection(raw)


@pytest.fixture(scope="session")
async def service(dsn: str) -> AsyncIterator[Service]:
    async with running_service(dsn) as running:
        yield running


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium per test process: to start it costs as much as a short test. Each test opens pages of its own."""
    async with running_browser() as running:
        yield running


@pytest.fixture(scope="session")
async def shop(service: Service) -> AsyncIterator[Shop]:
    """A business that tests only read from; a test that changes something creates its own."""
    async with only_read(service) as shop:
        yield shop


@pytest.fixture(scope="session")
async def other_shop(service: Service) -> AsyncIterator[Shop]:
    """A second business in the same database, whose records nobody else may ever see. Tests only read from it too."""
    async with only_read(service) as shop:
        yield shop


@pytest.fixture(scope="session", autouse=True)
def real_hasher() -> Iterator[PasswordHasher]:
    """What the tests of passwords themselves use.

    All the others hash quickly: each business has an owner with a password, and at its real cost that alone would be
    minutes of the suite.
    """
    real = passwords._HASHER
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield real


@pytest.fixture(scope="session", autouse=True)
def short_demo_history() -> Iterator[None]:
    """Gives every sandbox of the tests ten days of orders instead of five weeks, most of its cost, and no photos."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "PAST_DAYS", 6)
        patch.setattr(history, "FUTURE_DAYS", 3)
        patch.setattr(photos, "VISITS", ())
        yield


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("FRONTDESK_") and name != _ADDRESSES:
            monkeypatch.delenv(name)
