"""`frontdesk doctor`: a healthy installation, and one with each fault."""

import asyncio
import os
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from frontdesk.cli.main import main
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.sending import hold_sending
from tests.support.programs.commands import free_port


async def _examine(dsn: str | None, status: int = 0, **settings: object) -> dict[str, tuple[str, str]]:
    """By subject: the state and the text."""
    given = {f"FRONTDESK_{name.upper()}": str(value) for name, value in settings.items()}
    outcome = await asyncio.to_thread(
        CliRunner().invoke, main, ["doctor"], env={**given, **({"FRONTDESK_DATABASE_URL": dsn} if dsn else {})}
    )
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
