"""What an operator relies on: a listener for metrics, a modest database role, and one line for every wrong set-up."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import connect
from frontdesk.server.python_version import check_python
from tests.support.programs.commands import FRONTDESK, free_port, run, run_here, running_server, settings_environment
from tests.support.servers.clusters import connect_as_admin, in_database
from tests.support.service import running_service
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.both_servers

DESCRIPTION = "/.well-known/oauth-authorization-server"
WITHOUT_A_VALUE = ("frontdesk_replica_up", "frontdesk_last_write_timestamp_seconds")  # before the first read or write
AS_ROLE = "&options=-c%20role%3D"  # in an address of the superuser: asyncpg and PostgreSQL's own programs know it
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="changes user: run the tests as root to cover it")


@pytest.fixture
def place() -> Iterator[Path]:
    """Not tmp_path, whose parents are closed to other users."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def assert_refused(outcome: "subprocess.CompletedProcess[str]", *words: str) -> None:
    """One line on standard error, and exit status 2."""
    assert (outcome.returncode, outcome.stdout) == (2, ""), outcome.stderr
    assert outcome.stderr.startswith("frontdesk: ")
    assert outcome.stderr.count("\n") == 1, outcome.stderr
    for word in words:
        assert word in outcome.stderr


def get(port: int, path: str) -> httpx2.Response:
    return httpx2.get(f"http://127.0.0.1:{port}{path}", timeout=120, verify=NO_CERTIFICATES)


@pytest.mark.one_server
def test_metrics_of_all_server_processes_are_on_a_listener_of_their_own(place: Path, empty_dsn: str) -> None:
    metrics = free_port()
    settings: dict[str, Any] = {"database_url": empty_dsn, "metrics": f"127.0.0.1:{metrics}", "workers": 2}
    with running_server(place / "data", **settings) as service:
        asked = 30
        for _ in range(asked):
            assert get(service.port, DESCRIPTION).status_code == 200

        def counted() -> int:
            lines = get(metrics, "/metrics").text.splitlines()
            wanted = f'frontdesk_requests_total{{route="GET {DESCRIPTION}",status="200"}}'
            return sum(int(float(line.rsplit(" ", 1)[1])) for line in lines if line.startswith(wanted))

        wait_until(lambda: counted() == asked)
        scraped = get(metrics, "/metrics").text
        assert "frontdesk_deliveries_due" in scraped
        assert 'route="GET /health/' not in scraped  # it was asked until it was ready
        for name in WITHOUT_A_VALUE:
            assert f"\n{name} " not in scraped
        assert [get(metrics, f"/health/{kind}").status_code for kind in ("live", "ready")] == [200, 200]
        assert get(metrics, "/open-api/v1/items").status_code == 404
        public = get(service.port, "/metrics")
        assert "frontdesk_requests_total" not in public.text
        assert public.status_code == 404


@pytest.mark.one_server
def test_a_worker_has_metrics_and_health(place: Path, empty_dsn: str) -> None:
    metrics = free_port()
    settings = {"database_url": empty_dsn, "metrics": f"127.0.0.1:{metrics}", "data_dir": place / "data"}
    with (place / "log").open("wb") as log:
        worker = subprocess.Popen([FRONTDESK, "worker"], env=settings_environment(**settings), stderr=log)
    try:
        wait_until(lambda: worker.poll() is not None or "delivering" in (place / "log").read_text())
        assert get(metrics, "/health/live").json() == {"status": "ok"}
        assert get(metrics, "/health/ready").status_code == 200
        assert "frontdesk_deliveries_due" in get(metrics, "/metrics").text
    finally:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE_SECONDS) == 0


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_metrics_port_that_is_taken_is_one_line_and_starts_no_database(place: Path, command: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        outcome = run(command, data_dir=place / "data", port=free_port(), metrics=address)
    assert_refused(outcome, "address already in use", "FRONTDESK_METRICS")
    assert not (place / "data").exists()


@pytest.mark.parametrize("value", ["9100", "localhost", ":9100", "127.0.0.1:0", "127.0.0.1:65536", "::1:9100", "a:b"])
def test_a_metrics_address_that_cannot_be_meant_is_named(value: str) -> None:
    with pytest.raises(StartupError, match=r"^FRONTDESK_METRICS is "):
        read_settings({"FRONTDESK_METRICS": value})


def test_a_metrics_address_may_be_of_either_kind() -> None:
    assert read_settings({"FRONTDESK_METRICS": "[::1]:9100"}).metrics == ("::1", 9100)
    assert read_settings({"FRONTDESK_METRICS": "localhost:9100"}).metrics == ("localhost", 9100)
    assert read_settings({}).metrics is None


@pytest.mark.parametrize("command", ["serve", "worker", "migrate", "sandbox", "backup", "tenant"])
def test_a_misspelt_setting_is_named_with_the_nearest_one(place: Path, command: str) -> None:
    """In this process: that a refusal of a real one is one line is tested with other settings."""
    rest = {"backup": ["copy"], "tenant": ["list"]}.get(command, [])
    outcome = run_here(command, *rest, data_dir=place / "data", worker="2")
    assert_refused(outcome, "FRONTDESK_WORKER is not a setting", "did you mean FRONTDESK_WORKERS?")
    assert not (place / "data").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FRONTDESK_SMTP_URL", "http://mail:hidden@mail.example"),
        ("FRONTDESK_SMTP_URL", "smtp://mail:hidden@mail.example:many"),
        ("FRONTDESK_SMTP_URL", "smtp://"),
        ("FRONTDESK_MAIL_FROM", "Bookings"),
    ],
)
def test_a_mail_setting_that_cannot_be_meant_is_named_without_its_password(name: str, value: str) -> None:
    with pytest.raises(StartupError, match=f"^{name} is ") as refused:
        read_settings({name: value})
    assert "hidden" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(StartupError, match=r"^FRONTDESK_ZZZ is not a setting: see the settings in the guide"):
        read_settings({"FRONTDESK_ZZZ": "1"})


@pytest.fixture
async def modest_dsn(cluster_dsn: str, worker_id: str) -> AsyncIterator[str]:
    """An empty database that belongs to the superuser, as a role that may connect and nothing else."""
    role, name = f"modest_{worker_id}", f"modest_{worker_id}"
    admin = await connect_as_admin(cluster_dsn)
    await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await admin.execute(f"DROP ROLE IF EXISTS {role}")
    await admin.execute(f"CREATE ROLE {role} NOSUPERUSER")
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        yield f"{in_database(cluster_dsn, name)}{AS_ROLE}{role}"
    finally:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await admin.execute(f"DROP ROLE {role}")
        await admin.close()


async def _as_superuser(dsn: str, sql: str) -> None:
    raw = await connect(dsn.partition(AS_ROLE)[0])
    await raw.execute(sql)
    await raw.close()


@pytest.mark.one_server
async def test_a_role_that_is_no_superuser_and_owns_nothing_needs_one_grant(modest_dsn: str, place: Path) -> None:
    role = modest_dsn.partition(AS_ROLE)[2]
    settings: dict[str, Any] = {"database_url": modest_dsn, "secret_key": "k" * 40}
    for program, command in ((run_here, "migrate"), (run, "serve"), (run, "worker")):
        refused = await asyncio.to_thread(program, command, **settings, data_dir=place / "data", port=free_port())
        assert_refused(refused, f"role {role} cannot create tables", f"GRANT USAGE, CREATE ON SCHEMA public TO {role}")
    await _as_superuser(modest_dsn, f"GRANT USAGE, CREATE ON SCHEMA public TO {role}")
    await asyncio.to_thread(_serve_and_sell, place / "data", settings)


def _serve_and_sell(data: Path, settings: dict[str, Any]) -> None:
    with running_server(data, **settings) as service:
        made = run_here("sandbox", "--json", **settings, port=service.port)
        assert made.returncode == 0, made.stderr
        copied = run_here("backup", str(data.parent / "copy"), **settings)
        assert copied.returncode == 0, copied.stderr
        assert service.stop() == 0


@pytest.mark.one_server
async def test_a_role_that_may_not_use_the_tables_of_another_is_one_line(modest_dsn: str, place: Path) -> None:
    owner = modest_dsn.partition(AS_ROLE)[0]
    assert (await asyncio.to_thread(run_here, "migrate", database_url=owner)).returncode == 0
    role = modest_dsn.partition(AS_ROLE)[2]
    await _as_superuser(modest_dsn, f"GRANT SELECT ON schema_migrations TO {role}")
    refused = await asyncio.to_thread(run_here, "tenant", "list", database_url=modest_dsn)
    assert_refused(refused, f"role {role} has no access", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES")
    await _as_superuser(modest_dsn, f"REVOKE SELECT ON schema_migrations FROM {role}")
    assert_refused(await asyncio.to_thread(run_here, "migrate", database_url=modest_dsn), "permission denied")


@pytest.mark.one_server
async def test_a_replica_is_named_as_such(empty_dsn: str) -> None:
    outcome = await asyncio.to_thread(
        run_here, "sandbox", "--json", database_url=f"{empty_dsn}&default_transaction_read_only=on"
    )
    assert_refused(outcome, "read-only", "FRONTDESK_DATABASE_URL")


AS_NOBODY = """
import encodings.idna, os, sys
import frontdesk.cli.migrations
from frontdesk.cli.main import main
os.setgroups([]); os.setgid(65534); os.setuid(65534)
main(["migrate"])
"""


def _run_as_nobody(data: Path) -> "subprocess.CompletedProcess[str]":
    """Everything is imported before the user changes: the interpreter may lie in a folder only root can read."""
    return subprocess.run(
        [sys.executable, "-c", AS_NOBODY],
        env=settings_environment(data_dir=data),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@needs_root
@pytest.mark.parametrize(("mode", "path"), [(0o700, "data/below"), (0o555, "data")])
def test_a_data_folder_of_another_user_is_one_line(place: Path, mode: int, path: str) -> None:
    (place / "data").mkdir(mode=mode)
    assert_refused(_run_as_nobody(place / path), str(place / path), "FRONTDESK_DATA_DIR")


@needs_root
def test_a_database_of_another_user_is_one_line(place: Path) -> None:
    data = place / "data"
    with EmbeddedPostgres(data):
        pass
    for path in (data, *data.iterdir()):
        os.chown(path, 1, 1)
    data.chmod(0o777)
    assert_refused(_run_as_nobody(data), str(data))


def test_programs_that_are_not_postgresqls_are_one_line(place: Path) -> None:
    for name in ("postgres", "initdb"):
        (place / name).write_text("#!/bin/sh\necho nothing\n")
        (place / name).chmod(0o755)
    assert_refused(run_here("migrate", data_dir=place / "data", pg_bin=place), str(place), "FRONTDESK_PG_BIN")


@pytest.mark.one_server
async def test_hsts_is_sent_where_the_origin_is_https(dsn: str) -> None:
    async with running_service(dsn, origin="https://desk.example.com") as service:
        for path in ("/health/live", "/open-api/v1/items", "/sign-in", "/static/nothing"):
            assert "max-age=" in (await service.http.get(path)).headers["strict-transport-security"]
    async with running_service(dsn) as service:
        assert "strict-transport-security" not in (await service.http.get("/health/live")).headers


def test_a_python_that_is_not_released_is_named() -> None:
    assert check_python((3, 11, 2), "final") is None
    assert "pre-release" in (check_python((3, 15, 0), "beta") or "")
