"""The service as a whole: what it says and does when it starts, ends, is killed, or cannot start at all."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import httpx2
import pytest

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.service_role import service_address
from tests.factories.installation import insert_later_migration
from tests.postgres.server_owner import fetch, lives, postmaster
from tests.support.programs.commands import ServerProcess, free_port, run, run_here, running_server
from tests.support.repetitions import share
from tests.support.servers.clusters import in_database
from tests.support.servers.refusing_server import server_of_version, server_that_refuses_passwords
from tests.support.waiting import PATIENCE_SECONDS, eventually, wait_until

pytestmark = pytest.mark.both_servers

REPORT_KEYS = [
    *("base_url", "key_api_base_url", "origin", "tenant_id", "timezone", "currency"),
    *("client_id", "client_secret", "api_key", "dashboard_url", "email", "password"),
]


Program = Callable[..., "subprocess.CompletedProcess[str]"]


class FirstRun(NamedTuple):
    data: Path
    stderr: str
    status: int


@pytest.fixture
def place() -> Iterator[Path]:
    """Not tmp_path, whose parents are closed to the user that root's server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def first_run() -> Iterator[FirstRun]:
    """What a newcomer sees; the data it leaves is copied by the other tests, to save them the making."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    with running_server(folder / "data", "--sandbox") as service:
        status = service.stop(signal.SIGINT)
    yield FirstRun(folder / "data", service.stderr, status)
    shutil.rmtree(folder)


@pytest.fixture
def copied(first_run: FirstRun) -> Callable[[Path], Path]:
    def copy(folder: Path) -> Path:
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", first_run.data, folder], check=True)
        return folder

    return copy


@pytest.fixture
def data(place: Path, copied: Callable[[Path], Path]) -> Path:
    return copied(place / "data")


def tenants(data: Path) -> int:
    with EmbeddedPostgres(data) as dsn:
        count: int = fetch(dsn, "SELECT count(*) FROM tenants")
        return count


def values(output: str) -> dict[str, str]:
    """The `name  value` lines of a first run."""
    pairs = [line.split() for line in output.splitlines()]
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def token_status(origin: str, report: dict[str, str]) -> int:
    body = {name: report[name] for name in ("client_id", "client_secret")}
    return httpx2.post(
        f"{origin}/open-api/v1/oauth/token", json={"grant_type": "client_credentials", **body}, timeout=120
    ).status_code


def test_the_first_run_shows_the_addresses_and_how_to_reach_its_sandbox(first_run: FirstRun) -> None:
    assert first_run.status == 0
    shown = values(first_run.stderr)
    assert shown.keys() >= set(REPORT_KEYS)
    assert "migrating 1/" in first_run.stderr
    assert "Traceback" not in first_run.stderr
    assert "Aborted" not in first_run.stderr
    for address in ("/open-api/v1", "/api/v1", "/health/ready"):
        assert f"{shown['origin']}{address}" in first_run.stderr


def test_requests_are_served_by_a_role_that_cannot_change_what_is_final(data: Path) -> None:
    with EmbeddedPostgres(data) as dsn:
        service = service_address(dsn)
        assert fetch(service, "SELECT current_user || ' ' || session_user") == "frontdesk_service frontdesk_service"
        for statement in (
            "UPDATE activity SET subject = NULL",
            "DELETE FROM activity",
            "TRUNCATE activity",
            "DROP TABLE activity",
            "CREATE TEMPORARY TABLE activity (tenant_id uuid, subject_id uuid)",
            "CREATE TRIGGER t BEFORE INSERT ON activity EXECUTE FUNCTION forbid_change()",
            "SET session_replication_role = replica",
            "SET SESSION AUTHORIZATION postgres",
            "ALTER TABLE activity DISABLE TRIGGER ALL",
            "UPDATE invoices SET total = 0",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                fetch(service, statement)
        assert fetch(service, "SELECT delete_old_activity(1)") == 0


def test_a_second_start_has_what_was_made_before_and_shows_no_secrets(data: Path, first_run: FirstRun) -> None:
    """By the first run, and by a command while no service ran."""
    made = run("sandbox", "--scopes", "orders:read items:read", data_dir=data)
    assert made.returncode == 0
    assert list(values(made.stdout)) == REPORT_KEYS
    with running_server(data, "--sandbox") as service:
        assert "client_secret" not in service.stderr
        assert "migrating" not in service.stderr
        for report in (values(first_run.stderr), values(made.stdout)):
            assert token_status(service.origin, report) == 200
        assert service.stop() == 0
    assert tenants(data) == 2


@pytest.mark.torture
@pytest.mark.parametrize("number", share([signal.SIGTERM, signal.SIGINT], 0, 2))
def test_a_stop_drains_what_is_under_way_and_leaves_no_process(
    data: Path, first_run: FirstRun, number: signal.Signals
) -> None:
    with running_server(data) as service, EmbeddedPostgres(data) as dsn:
        database = postmaster(data)
        key = {"x-api-key": values(first_run.stderr)["api_key"]}
        answers: list[int] = []

        def ask() -> None:
            answers.append(httpx2.get(f"{service.origin}/api/v1/items", headers=key, timeout=120).status_code)

        async def stop_while_waiting() -> None:
            blocker = await connect(dsn)
            async with blocker.transaction():
                await blocker.execute("LOCK TABLE items")
                asking.start()
                await eventually(lambda: blocker.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"))
                service.process.send_signal(number)
                await eventually(lambda: not service.is_ready())
                assert not answers
            await blocker.close()

        asking = threading.Thread(target=ask)
        asyncio.run(stop_while_waiting())
        asking.join()
        assert answers == [200]
        assert service.process.wait(PATIENCE_SECONDS) == 0
    assert not lives(database)
    assert "Traceback" not in service.stderr
    assert tenants(data) == 1


def test_a_stop_while_starting_leaves_nothing_behind(place: Path) -> None:
    service = ServerProcess(place / "data")
    wait_until((place / "data" / "lock").exists)
    assert service.stop(signal.SIGINT) == 0
    assert "Traceback" not in service.stderr
    with running_server(place / "data"):
        pass


def test_two_server_processes_answer_and_one_that_is_killed_is_replaced(data: Path) -> None:
    with running_server(data, workers=2) as service:
        wait_until(lambda: len(service.workers()) == 2)
        first, second = service.workers()
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: len(set(service.workers()) - {first}) == 2)
        assert second in service.workers()
        service.wait_until_ready()
        everyone = [*service.workers(), postmaster(data)]
        os.killpg(service.process.pid, signal.SIGINT)  # as Ctrl-C in a terminal does
        assert service.process.wait(PATIENCE_SECONDS) == 0
    assert not any(map(lives, everyone))
    assert "Traceback" not in service.stderr


@pytest.mark.torture
@pytest.mark.parametrize("workers", share([2, 1], 0, 2))
def test_a_start_after_a_kill_recovers_and_no_process_outlives_its_parent(data: Path, workers: int) -> None:
    with running_server(data, "--sandbox", workers=workers) as service:
        database, *others = [postmaster(data), *service.workers()]
        service.stop(signal.SIGKILL)
    with running_server(data, workers=workers, port=service.port) as again:
        assert again.origin == service.origin
        wait_until(
            lambda: not any(map(lives, (database, *others)))
        )  # a process that ended is there until it is awaited
    assert tenants(data) == 1


def test_a_service_that_joined_the_database_of_another_command_takes_it_over(data: Path) -> None:
    other = EmbeddedPostgres(data)
    other.start()
    with running_server(data) as service:
        other.stop()
        wait_until(lambda: "restarting it" in service.stderr)
        service.wait_until_ready()
        assert service.stop() == 0


def test_the_service_stops_if_its_database_cannot_be_restarted(data: Path) -> None:
    with running_server(data) as service:
        said = len(service.stderr.splitlines())
        (data / "pg" / "PG_VERSION").write_text("12\n")
        os.kill(postmaster(data), signal.SIGKILL)
        assert service.process.wait(PATIENCE_SECONDS) == 2
    began, reason = service.stderr.splitlines()[said:]
    assert began == "the database stopped; restarting it"
    assert reason.startswith("frontdesk: the database stopped and cannot be restarted: ")


def test_a_sandbox_made_beside_a_running_service_works_at_once_and_a_killed_database_is_started_again(
    place: Path, copied: Callable[[Path], Path]
) -> None:
    """In a data folder with spaces and a long path."""
    data = copied(place / ("a folder with spaces/" + "long" * 20 + "/" + "longer" * 20))
    with running_server(data) as service:
        made = run("sandbox", "--json", "--rate-limit", "7", data_dir=data, port=service.port)
        assert (made.returncode, made.stderr) == (0, "")
        report = json.loads(made.stdout)
        assert list(report) == REPORT_KEYS
        assert (report["origin"], report["base_url"]) == (service.origin, f"{service.origin}/open-api/v1")
        assert token_status(service.origin, report) == 200
        key = {"x-api-key": report["api_key"]}
        answer = httpx2.get(f"{report['key_api_base_url']}/items", headers=key, timeout=120)
        assert (answer.status_code, answer.headers["x-ratelimit-limit"]) == (200, "7")
        killed = postmaster(data)
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: "restarting it" in service.stderr)
        service.wait_until_ready()
        assert postmaster(data) != killed
        assert token_status(service.origin, report) == 200
        assert service.stop() == 0
    assert tenants(data) == 2


def assert_refused(outcome: subprocess.CompletedProcess[str], *words: str) -> None:
    """One line that says what is wrong, on standard error, and exit status 2."""
    assert outcome.returncode == 2, outcome.stderr
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("frontdesk: ")
    assert outcome.stderr.endswith("\n")
    assert outcome.stderr.count("\n") == 1
    for word in words:
        assert word in outcome.stderr


@pytest.mark.parametrize(
    ("program", "name", "value"),
    [
        ((run, "serve"), "EMAIL_RESOLVER", "dns.example.com"),
        ((run, "serve"), "HOST", "192.0.2.7"),
        ((run_here, "migrate"), "DATABASE_URL", "postgresql://user:pass/word@localhost/frontdesk"),
        ((run_here, "migrate"), "PG_BIN", "/nonexistent"),
    ],
)
def test_a_wrong_setting_is_one_line(place: Path, program: tuple[Program, str], name: str, value: str) -> None:
    settings: dict[str, Any] = {"data_dir": place / "data", "port": free_port(), name.lower(): value}
    started, command = program
    outcome = started(command, **settings)
    assert_refused(outcome, f"FRONTDESK_{name}")
    assert "pass/word" not in outcome.stderr
    assert not (place / "data" / "pg").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("PORT", value) for value in ("0", "65536", "9" * 5000, "-1", "http")),
        *(("WORKERS", value) for value in ("0", "65", "two")),
        *(("RATE_LIMIT", value) for value in ("0", "1.5")),
        *(("EMAIL_DNS", "yes"), ("WEBHOOK_ALLOW_PRIVATE", "1"), ("ORIGIN", "desk.example.com")),
        *(("ORIGIN", f"https://{rest}") for rest in ("", "a/b", "u@a", "a?b", "a#b", "a:b", "a b", "[1")),
        *(("DATABASE_URL", "localhost"), ("TRUSTED_PROXIES", "proxy.example.com")),
    ],
)
def test_a_setting_that_cannot_be_meant_is_named(name: str, value: str) -> None:
    with pytest.raises(StartupError, match=f"^FRONTDESK_{name} is "):
        read_settings({f"FRONTDESK_{name}": value})


def test_settings_that_are_not_given_or_empty_have_their_defaults() -> None:
    settings = read_settings({"FRONTDESK_PORT": " ", "FRONTDESK_HOST": "[::1]"})
    assert (settings.port, settings.workers, settings.rate_limit, settings.email_dns) == (8000, 1, 60, True)
    assert settings.address == "http://[::1]:8000"


def test_a_port_that_is_taken_is_one_line_and_starts_no_database(place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert_refused(run("serve", data_dir=place / "data", port=port), str(port), "FRONTDESK_PORT")
    assert not (place / "data").exists()


def test_a_data_folder_that_is_a_file_is_one_line(place: Path) -> None:
    (place / "data").touch()
    assert_refused(run_here("migrate", data_dir=place / "data"), str(place / "data"), "FRONTDESK_DATA_DIR")


def test_a_data_folder_that_cannot_be_made_is_one_line() -> None:
    assert_refused(run_here("migrate", data_dir="/proc/frontdesk"), "/proc/frontdesk", "FRONTDESK_DATA_DIR")


@pytest.mark.parametrize(("program", "command"), [(run, "serve"), (run_here, "sandbox")], ids=["serve", "sandbox"])
def test_a_database_that_is_not_there_is_one_line(program: Program, command: str, place: Path) -> None:
    with socket.socket() as unheard:  # bound, but nobody listens
        unheard.bind(("127.0.0.1", 0))
        url = f"postgresql://desk:s3cr%2Fet@127.0.0.1:{unheard.getsockname()[1]}/desk"
        outcome = program(command, database_url=url, data_dir=place / "data", port=free_port())
    assert_refused(outcome, "cannot reach the database", "FRONTDESK_DATABASE_URL")
    assert "s3cr" not in outcome.stderr


def test_a_refused_password_is_one_line_that_does_not_show_it(place: Path) -> None:
    with server_that_refuses_passwords("desk") as port:
        url = f"postgresql://desk:s3cr%2Fet@127.0.0.1:{port}/desk"
        outcome = run_here("migrate", database_url=url, data_dir=place / "data")
    assert_refused(outcome, 'password authentication failed for user "desk"', "FRONTDESK_DATABASE_URL")
    assert "s3cr" not in outcome.stderr


@pytest.mark.one_server
def test_a_database_of_an_unknown_name_is_one_line(cluster_dsn: str) -> None:
    outcome = run_here("migrate", database_url=in_database(cluster_dsn, "nowhere"))
    assert_refused(outcome, '"nowhere" does not exist', "FRONTDESK_DATABASE_URL")


def test_a_postgresql_that_is_too_old_is_one_line(place: Path) -> None:
    with server_of_version("14.9") as port:
        outcome = run_here("migrate", database_url=f"postgresql://desk@127.0.0.1:{port}/desk", data_dir=place / "data")
    assert_refused(outcome, "PostgreSQL 14", "15 or newer")


@pytest.mark.one_server
async def test_a_database_that_is_newer_than_the_program_is_one_line(empty_dsn: str) -> None:
    raw = await connect(empty_dsn)
    await insert_later_migration(Connection(raw))
    await raw.close()
    outcome = await asyncio.to_thread(run_here, "migrate", database_url=empty_dsn)
    assert_refused(outcome, "the database needs 99.0.0 or newer", "9999_later.sql")


@pytest.mark.parametrize(
    "options", [("--plan", "gold"), ("--rate-limit", "0"), ("--scopes", "orders:read everything"), ("--bogus",)]
)
def test_a_wrong_option_of_a_sandbox_makes_nothing(place: Path, options: tuple[str, ...]) -> None:
    outcome = run_here("sandbox", "--json", *options, data_dir=place / "data")
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert options[-1].split()[-1] in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not (place / "data").exists()
