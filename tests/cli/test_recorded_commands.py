"""Commands that change something are recorded with the user of the machine; the others cannot change anything."""

import asyncio
import os
import pwd
import socket
from pathlib import Path

import pytest

from frontdesk import __version__
from frontdesk.cli.console import in_database
from frontdesk.errors import StartupError
from frontdesk.postgres.sending import hold_sending
from tests.cli.test_commands import printed, refusal
from tests.support.connections import pooled_connection


async def test_commands_are_recorded_with_the_user_of_the_machine(empty_dsn: str, tmp_path: Path) -> None:
    made = await printed(empty_dsn, "tenant", "create", "Nour", "--timezone", "Asia/Riyadh", "--currency", "SAR")
    await printed(empty_dsn, "tenant", "suspend", made, "--reason", "unpaid")
    await printed(empty_dsn, "user", "create", "sara@example.com", "--name", "Sara", "--tenant", made)
    await printed(empty_dsn, "user", "disable", "sara@example.com")
    await printed(empty_dsn, "client", "create", made, "Books")
    await printed(empty_dsn, "tenant", "export", made, str(tmp_path / "nour.zip"))
    restored = await printed(empty_dsn, "tenant", "import", str(tmp_path / "nour.zip"))
    await printed(empty_dsn, "sending", "off")
    await refusal(empty_dsn, "user", "disable", "nobody@example.com")  # is not recorded
    async with pooled_connection(empty_dsn) as raw:
        acts = await raw.fetch("SELECT * FROM operator_acts ORDER BY id")
    assert [(act["action"], act["subject"], act["detail"]) for act in acts] == [
        ("business.created", "Nour", "starter"),
        ("business.suspended", "Nour", "unpaid"),
        ("user.created", "sara@example.com", "owner"),
        ("user.disabled", "sara@example.com", None),
        ("api_client.created", "Nour", "Books"),
        ("business.exported", "Nour", "nour.zip"),
        ("business.restored", "Nour", "nour.zip"),
        ("sending.held", None, None),
    ]
    assert [str(act["business_id"]) for act in acts if act["action"].startswith("business")][-2:] == [made, restored]
    by = (None, pwd.getpwuid(os.getuid()).pw_name, socket.gethostname())
    assert {(act["operator_id"], act["operator_name"], act["address"]) for act in acts} == {by}


async def test_commands_about_the_whole_database_are_recorded_with_their_outcome(
    empty_dsn: str, tmp_path: Path
) -> None:
    await printed(empty_dsn, "migrate")
    await printed(empty_dsn, "backup", str(tmp_path / "monday"))
    await refusal(empty_dsn, "cluster", "add", "node.example")
    await refusal(empty_dsn, "cluster")  # only reads
    async with pooled_connection(empty_dsn) as raw:
        acts = await raw.fetch("SELECT action, detail FROM operator_acts ORDER BY id")
    assert [tuple(act) for act in acts[:2]] == [("database.migrated", __version__), ("database.backed_up", "monday")]
    assert [act["action"] for act in acts[2:]] == ["command.failed"]
    assert acts[2]["detail"].startswith("cluster add: ")


async def test_a_backup_of_a_database_that_has_no_records_yet_is_written(empty_dsn: str, tmp_path: Path) -> None:
    async with pooled_connection(empty_dsn) as raw:
        await raw.execute("DROP TABLE operator_acts")
    await printed(empty_dsn, "backup", str(tmp_path / "monday"))


async def test_a_command_that_records_nothing_cannot_change_anything(
    empty_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRONTDESK_DATABASE_URL", empty_dsn)
    with pytest.raises(StartupError, match="read-only"):
        await asyncio.to_thread(in_database, hold_sending)
