"""Commands with a bucket: files in it, moving pictures, and what `frontdesk doctor` says."""

import re
from pathlib import Path
from uuid import UUID

import pytest

from frontdesk.config_storage import StorageSettings
from frontdesk.pictures.encode import encode_picture
from frontdesk.postgres.pool import Connection
from frontdesk.storage.files import download_file
from frontdesk.storage.store import ObjectStore
from tests.cli.test_commands import command, printed, refusal
from tests.factories.pictures import insert_picture
from tests.factories.tenant_rows import ConnectionRows
from tests.pictures.test_pictures import drawn
from tests.support.connections import pooled_connection
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.clusters import cloned_database


@pytest.fixture(autouse=True)
def settings(bucket: StorageSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("endpoint", "bucket", "access_key", "secret_key", "prefix"):
        monkeypatch.setenv(f"FRONTDESK_STORAGE_{name.upper()}", getattr(bucket, name))


async def test_a_business_moves_through_the_bucket_with_its_pictures(
    empty_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await printed(empty_dsn, "tenant", "create", "Nour", "--timezone", "Asia/Riyadh", "--currency", "SAR")
    async with pooled_connection(empty_dsn) as raw:
        rows = ConnectionRows(Connection(raw), UUID(made))
        await insert_picture(rows, encode_picture(drawn(40, 30, "PNG")))
        assert "1 pictures are in the bucket" in (await command(empty_dsn, "pictures", "move", "--to", "bucket")).stderr
        await printed(empty_dsn, "tenant", "export", made, f"bucket:{made}.zip")
        again = await refusal(empty_dsn, "tenant", "export", made, f"bucket:{made}.zip")
        assert again == f"bucket:{made}.zip already exists: choose another name"
        monkeypatch.setenv("FRONTDESK_PICTURES", "bucket")
        restored = await printed(empty_dsn, "tenant", "import", f"bucket:{made}.zip")
        found = await raw.fetch("SELECT tenant_id, object_id, content_hash FROM pictures ORDER BY tenant_id")
        assert [str(row["tenant_id"]) for row in found] == [made, restored]
        assert found[0]["content_hash"] == found[1]["content_hash"]
        assert found[0]["object_id"] != found[1]["object_id"]
        assert (await printed(empty_dsn, "pictures", "check")).split() == [
            "2",
            "used",
            "0",
            "not",
            "used",
            "0",
            "missing",
        ]
        await printed(empty_dsn, "pictures", "move", "--to", "database", "--tenant", made)
        acts = await raw.fetch("SELECT detail FROM operator_acts WHERE action = 'pictures.moved' ORDER BY id")
        assert [act["detail"] for act in acts] == ["1 to the bucket", "1 to the bucket", "1 to the database"]


async def test_an_import_does_not_need_a_bucket_that_answers(
    empty_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dead_endpoint: str
) -> None:
    made = await printed(empty_dsn, "tenant", "create", "Nour", "--timezone", "Asia/Riyadh", "--currency", "SAR")
    async with pooled_connection(empty_dsn) as raw:
        await insert_picture(ConnectionRows(Connection(raw), UUID(made)), encode_picture(drawn(40, 30, "PNG")))
    await printed(empty_dsn, "tenant", "export", made, str(tmp_path / "nour.zip"))
    monkeypatch.setenv("FRONTDESK_STORAGE_ENDPOINT", dead_endpoint)
    monkeypatch.setenv("FRONTDESK_PICTURES", "bucket")
    outcome = await command(empty_dsn, "tenant", "import", str(tmp_path / "nour.zip"))
    assert outcome.exit_code == 0
    assert "its pictures are in the database: 127.0.0.1" in outcome.stderr
    assert "check FRONTDESK_STORAGE_ENDPOINT" in await refusal(empty_dsn, "pictures", "move", "--to", "bucket")


async def test_a_backup_is_written_to_the_bucket(empty_dsn: str, store: ObjectStore, tmp_path: Path) -> None:
    outcome = await command(empty_dsn, "backup", "bucket:monday")
    assert "sending" in outcome.stderr
    await download_file(store, "monday", tmp_path / "monday")
    assert (tmp_path / "monday").read_bytes().startswith(b"PGDMP")
    assert "already exists" in await refusal(empty_dsn, "backup", "bucket:monday")
    outcome = await command(empty_dsn, "backup", "verify", "bucket:tuesday")
    assert (outcome.exit_code, "there is no object" in outcome.stderr) == (2, True)


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="a backup and a restore of everything: `make torture` runs it")
async def test_an_installation_is_restored_from_the_bucket_with_its_pictures(
    empty_dsn: str, cluster_dsn: str, worker_id: str
) -> None:
    """One of them is in the backup; the other one stays in the bucket."""
    made = await printed(empty_dsn, "tenant", "create", "Nour", "--timezone", "Asia/Riyadh", "--currency", "SAR")
    first, second = (encode_picture(drawn(width, 30, "PNG")) for width in (40, 50))
    async with pooled_connection(empty_dsn) as raw:
        rows = ConnectionRows(Connection(raw), UUID(made))
        await insert_picture(rows, first)
        await printed(empty_dsn, "pictures", "move", "--to", "bucket")
        await insert_picture(rows, second)
    await printed(empty_dsn, "backup", f"bucket:{made}")
    async with cloned_database(cluster_dsn, f"restored_{worker_id}") as copy:
        outcome = await command(copy, "restore", f"bucket:{made}")
        assert outcome.exit_code == 0, outcome.stderr
        assert "the database is restored\n" in outcome.stderr
        used, _, missing = re.findall(r"\d+", await printed(copy, "pictures", "check"))
        assert (used, missing) == ("1", "0")
        await printed(copy, "pictures", "move", "--to", "database")
        async with pooled_connection(copy) as raw:
            found = await raw.fetch("SELECT tenant_id, content FROM pictures ORDER BY id")
        assert [tuple(row) for row in found] == [(UUID(made), picture.content) for picture in (first, second)]


async def test_doctor_tells_whether_the_bucket_works(
    empty_dsn: str, bucket: StorageSettings, store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = await command(empty_dsn, "doctor")
    assert f"ok    storage: the bucket {bucket.bucket} takes, returns and removes objects" in outcome.stdout
    assert "ok    pictures: new ones are stored in the database\n" in outcome.stdout
    assert [key async for key in store.list_keys("doctor/")] == []
    monkeypatch.setenv("FRONTDESK_STORAGE_BUCKET", "not-there")
    outcome = await command(empty_dsn, "doctor")
    assert outcome.exit_code == 1
    assert "fail  storage: the storage refuses (NoSuchBucket): create the bucket, or check" in outcome.stdout
