"""`frontdesk doctor`: a healthy installation, and one with each fault."""

import asyncio
import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from frontdesk.postgres.health import Archiving
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.sending import hold_sending
from frontdesk.server.doctor_archive import examine_embedded
from tests.support.programs.commands import free_port, invoke
from tests.support.servers.faulty_proxy import faulty_proxy


async def _examine(dsn: str | None, status: int = 0, **settings: object) -> dict[str, tuple[str, str]]:
    """By subject: the state and the text."""
    given = {f"FRONTDESK_{name.upper()}": str(value) for name, value in settings.items()}
    outcome = await asyncio.to_thread(invoke, ["doctor"], {**given, **({"FRONTDESK_DATABASE_URL": dsn} if dsn else {})})
    assert outcome.exit_code == status, outcome.output
    findings = {}
    for line in outcome.stdout.splitlines():
        state, _, rest = line.partition(" ")
        subject, _, text = rest.strip().partition(": ")
        findings[subject] = (state, text)
    return findings


async def test_doctor_finds_nothing_wrong_with_a_healthy_installation(empty_dsn: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mail:
        found = await _examine(
            empty_dsn,
            data_dir=tmp_path,
            origin="https://desk.example",
            trusted_proxies="10.0.0.1",
            secret_key="k" * 40,
            smtp_url=f"smtp://127.0.0.1:{mail.getsockname()[1]}",
        )
    assert {state for subject, (state, _) in found.items() if subject != "disk"} == {"ok"}
    assert {"database", "schema", "connections", "clock", "sending", "webhooks", "mail"} <= set(found)


async def test_doctor_names_a_database_that_does_not_answer(tmp_path: Path) -> None:
    found = await _examine(f"postgresql://desk:secret@127.0.0.1:{free_port()}/desk", 1, data_dir=tmp_path)
    state, text = found["database"]
    assert state == "fail"
    assert "FRONTDESK_DATABASE_URL" in text
    assert "secret" not in text


async def test_doctor_names_a_mail_server_that_does_not_answer(empty_dsn: str, tmp_path: Path) -> None:
    found = await _examine(empty_dsn, 1, data_dir=tmp_path, smtp_url=f"smtp://127.0.0.1:{free_port()}")
    assert found["mail"][0] == "fail"


@pytest.mark.parametrize("is_there", [True, False])
async def test_doctor_names_a_replica_that_is_none_or_does_not_answer(
    empty_dsn: str, tmp_path: Path, is_there: bool
) -> None:
    replica = empty_dsn if is_there else f"postgresql://desk:secret@127.0.0.1:{free_port()}/desk"
    state, text = (await _examine(empty_dsn, data_dir=tmp_path, read_database_url=replica))["replica"]
    assert state == "warn"
    assert ("it accepts writes" if is_there else "does not answer (ConnectionRefusedError)") in text


async def test_doctor_names_the_privilege_that_the_lag_of_replicas_needs(empty_dsn: str, tmp_path: Path) -> None:
    raw = await connect(empty_dsn)
    await raw.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO pg_signal_backend")
    await raw.close()
    modest = f"{empty_dsn}&options=-c%20role%3Dpg_signal_backend"
    found = await _examine(modest, data_dir=tmp_path, read_database_url=empty_dsn)
    assert found["replication"] == ("warn", "the lag cannot be read: GRANT pg_monitor TO pg_signal_backend")
    assert (await _examine(empty_dsn, data_dir=tmp_path, read_database_url=empty_dsn))["replication"][0] == "ok"


async def test_doctor_tells_what_is_not_set(tmp_path: Path) -> None:
    found = await _examine(None, data_dir=tmp_path / "none")
    assert {found[subject][0] for subject in ("FRONTDESK_ORIGIN", "mail", "database")} == {"warn"}
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("mode", "state"), [(0o700, "ok"), (0o711, "ok"), (0o755, "warn")])
async def test_doctor_names_a_data_folder_that_others_can_read(
    empty_dsn: str, tmp_path: Path, mode: int, state: str
) -> None:
    os.chmod(tmp_path, mode)
    assert (await _examine(empty_dsn, data_dir=tmp_path))["data folder"][0] == state


async def test_doctor_names_a_data_folder_that_cannot_be_written() -> None:
    """Not even by root: what PostgreSQL and the mode of a folder would allow does not matter."""
    found = await _examine(None, 1, data_dir="/sys")
    state, text = found["data folder"]
    assert state == "fail"
    assert text.startswith("/sys cannot be written (")
    assert ("mount its disk for writing" in text) == ("Read-only" in text)


async def test_doctor_names_the_primary_and_the_host_that_does_not_answer(empty_dsn: str, tmp_path: Path) -> None:
    async with faulty_proxy(empty_dsn) as proxy:
        gone = free_port()
        found = await _examine(proxy.through(str(gone), str(proxy.port)), data_dir=tmp_path)
    assert found[f"host 127.0.0.1:{proxy.port}"] == ("ok", "is the primary")
    state, text = found[f"host 127.0.0.1:{gone}"]
    assert (state, "does not answer (ConnectionRefusedError)" in text) == ("warn", True)
    assert found["database"][0] == "ok"


async def test_doctor_names_standbys(empty_dsn: str, tmp_path: Path) -> None:
    raw = await connect(empty_dsn)
    name = await raw.fetchval("SELECT current_database()")
    await raw.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await raw.close()
    async with faulty_proxy(empty_dsn) as first, faulty_proxy(empty_dsn) as second:
        found = await _examine(first.through(str(first.port), str(second.port)), 1, data_dir=tmp_path)
    for port in (first.port, second.port):
        assert found[f"host 127.0.0.1:{port}"] == ("ok", "is a standby, which accepts no writes")
    assert "no host accepts writes" in found["database"][1]


async def test_doctor_tells_that_another_postgresql_has_no_archive(empty_dsn: str, tmp_path: Path) -> None:
    state, text = (await _examine(empty_dsn, data_dir=tmp_path))["archive"]
    assert state == "ok"
    assert text.startswith("is off")


NOW, BASE = datetime.now(UTC), datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("archiving", "base", "state", "words"),
    [
        (Archiving(False, None, None, 0), BASE, "fail", "runs without FRONTDESK_ARCHIVE_DIR"),
        (Archiving(True, NOW, None, 0), None, "warn", "`frontdesk backup base`"),
        (Archiving(True, NOW, None, 2), BASE, "ok", "s ago; the last base backup is of 2026-11-01"),
        (Archiving(True, None, None, 0), BASE, "ok", "nothing was written since"),
        (Archiving(True, NOW, NOW, 2), BASE, "fail", "cannot be written since"),
        (Archiving(True, NOW, None, 40), BASE, "fail", "40 files of the log wait"),
    ],
)
def test_doctor_tells_whether_the_archive_gets_everything(
    archiving: Archiving, base: datetime | None, state: str, words: str
) -> None:
    found = examine_embedded(archiving, base)
    assert (found.state, words in found.text) == (state, True), found.text


@pytest.mark.parametrize(
    ("change", "subject", "state", "status"),
    [
        (
            "UPDATE schema_functions SET digest = '\\x00' WHERE name = (SELECT min(name) FROM schema_functions)",
            "schema",
            "warn",
            0,
        ),
        ("UPDATE schema_migrations SET digest = '\\x00'", "schema", "fail", 1),
    ],
)
async def test_doctor_tells_how_the_schema_differs(
    empty_dsn: str, tmp_path: Path, change: str, subject: str, state: str, status: int
) -> None:
    raw = await connect(empty_dsn)
    await raw.execute(change)
    await raw.close()
    assert (await _examine(empty_dsn, status, data_dir=tmp_path))[subject][0] == state


async def test_doctor_tells_that_a_restored_copy_sends_nothing(empty_dsn: str, tmp_path: Path) -> None:
    raw = await connect(empty_dsn)
    await hold_sending(Connection(raw))
    await raw.close()
    state, text = (await _examine(empty_dsn, data_dir=tmp_path))["sending"]
    assert state == "warn"
    assert "frontdesk sending on" in text
