"""Secrets that must be read again are kept so that only the service can."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from frontdesk.config import Settings, read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.encryption import KEY_FILE, DecryptionFailed, SecretBox, load_or_create_key_file
from frontdesk.server.database import find_secret_keys

ONE, OTHER = "one-key-" * 5, "other-key-" * 4


def test_an_encrypted_text_can_be_decrypted_and_differs_each_time() -> None:
    secret_box = SecretBox([ONE])
    first, second = secret_box.encrypt(b"secret"), secret_box.encrypt(b"secret")
    assert first != second
    assert b"secret" not in first
    assert secret_box.decrypt(first) == secret_box.decrypt(second) == b"secret"
    assert secret_box.decrypt(secret_box.encrypt(b"")) == b""


def test_decryption_fails_with_another_key_or_damaged_text() -> None:
    encrypted = SecretBox([ONE]).encrypt(b"secret")
    with pytest.raises(DecryptionFailed):
        SecretBox([OTHER]).decrypt(encrypted)
    for place in range(len(encrypted)):
        damaged = encrypted[:place] + bytes([encrypted[place] ^ 1]) + encrypted[place + 1 :]
        with pytest.raises(DecryptionFailed):
            SecretBox([ONE]).decrypt(damaged)
    for short in (b"", encrypted[:1], encrypted[:12], encrypted[:-1]):
        with pytest.raises(DecryptionFailed):
            SecretBox([ONE]).decrypt(short)


def test_encryption_uses_the_first_of_several_keys() -> None:
    old = SecretBox([ONE]).encrypt(b"secret")
    both = SecretBox([OTHER, ONE])
    assert both.decrypt(old) == b"secret"
    assert SecretBox([OTHER]).decrypt(both.encrypt(b"new")) == b"new"


def test_the_key_file_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: load_or_create_key_file(tmp_path), range(32)))
    assert len(keys) == 1
    assert len(keys.pop()) >= 43
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == [KEY_FILE]


def test_a_folder_in_which_no_key_file_can_be_created_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="FRONTDESK_SECRET_KEY"):
        load_or_create_key_file(tmp_path / "missing")


def test_a_short_key_is_refused_without_being_quoted() -> None:
    with pytest.raises(StartupError, match="32 or more") as refused:
        read_settings({"FRONTDESK_SECRET_KEY": "tooshort"})
    assert "tooshort" not in str(refused.value)
    assert read_settings({"FRONTDESK_SECRET_KEY": f" {OTHER}  {ONE} "}).secret_keys == (OTHER, ONE)


async def test_machines_that_share_a_database_share_its_key(
    empty_dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = await connect(empty_dsn)
    conn = Connection(raw)
    without = Settings(data_dir=tmp_path, database_url=empty_dsn)
    given = Settings(data_dir=tmp_path, database_url=empty_dsn, secret_keys=(ONE,))
    assert await find_secret_keys(conn, given) == (ONE,)
    assert "warning" not in capsys.readouterr().err
    (kept,) = await find_secret_keys(conn, without)
    assert await find_secret_keys(conn, without) == (kept,)
    assert "warning: the encryption key is stored in the database" in capsys.readouterr().err
    assert await find_secret_keys(conn, given) == (ONE, kept)
    await raw.close()
    assert os.listdir(tmp_path) == []


async def test_an_embedded_database_has_its_key_in_the_data_folder(empty_dsn: str, tmp_path: Path) -> None:
    raw = await connect(empty_dsn)
    (kept,) = await find_secret_keys(Connection(raw), Settings(data_dir=tmp_path))
    assert await find_secret_keys(Connection(raw), Settings(data_dir=tmp_path, secret_keys=(ONE,))) == (ONE, kept)
    assert await raw.fetchval("SELECT count(*) FROM encryption_keys") == 0
    await raw.close()


async def test_the_key_file_of_the_data_folder_is_used_with_another_database_too(
    empty_dsn: str, tmp_path: Path
) -> None:
    raw = await connect(empty_dsn)
    conn, in_folder = Connection(raw), load_or_create_key_file(tmp_path)
    given = Settings(data_dir=tmp_path, database_url=empty_dsn, secret_keys=(ONE,))
    assert await find_secret_keys(conn, given) == (ONE, in_folder)
    assert await find_secret_keys(conn, Settings(data_dir=tmp_path, database_url=empty_dsn)) == (in_folder,)
    elsewhere = Settings(data_dir=tmp_path / "elsewhere", database_url=empty_dsn)
    assert await find_secret_keys(conn, elsewhere) == (in_folder,)
    back = tmp_path / "back"
    back.mkdir()
    assert await find_secret_keys(conn, Settings(data_dir=back)) == (load_or_create_key_file(back), in_folder)
    await raw.close()
