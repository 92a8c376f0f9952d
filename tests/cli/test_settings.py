"""`frontdesk config check`, and where settings come from: the environment, files with one value, a file of settings."""

from pathlib import Path

import pytest

from frontdesk.config import Settings, read_settings, settings_in_force
from frontdesk.config_storage import StorageSettings
from frontdesk.errors import StartupError
from tests.support.programs.commands import run_here


def _file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_settings_are_read_from_the_file_of_settings(tmp_path: Path) -> None:
    config = _file(
        tmp_path, "frontdesk.conf", "# the desk\nFRONTDESK_PORT=8100\n\n FRONTDESK_ORIGIN = 'https://desk.example'\n"
    )
    settings = read_settings({"FRONTDESK_CONFIG": config})
    assert (settings.port, settings.origin) == (8100, "https://desk.example")


def test_the_environment_overrides_the_file_of_settings(tmp_path: Path) -> None:
    config = _file(tmp_path, "frontdesk.conf", "FRONTDESK_PORT=8100\nFRONTDESK_WORKERS=3\n")
    settings = read_settings({"FRONTDESK_CONFIG": config, "FRONTDESK_PORT": "8200"})
    assert (settings.port, settings.workers) == (8200, 3)


@pytest.mark.parametrize("name", ["FRONTDESK_SMTP_URL", "FRONTDESK_SMTP_URL_FILE"])
def test_an_empty_variable_overrides_the_file_of_settings_with_the_default(tmp_path: Path, name: str) -> None:
    config = _file(tmp_path, "frontdesk.conf", "FRONTDESK_SMTP_URL=smtp://mail.example\nFRONTDESK_PORT=\n")
    given = {"FRONTDESK_CONFIG": config, name: " "}
    settings = read_settings(given)
    assert (settings.smtp, settings.port) == (None, 8000)
    sources = {setting.name: setting.source for setting in settings_in_force(given)}
    assert sources["FRONTDESK_SMTP_URL"] == "default: empty in environment"
    assert sources["FRONTDESK_PORT"] == f"default: empty in {config}"
    assert sources["FRONTDESK_WORKERS"] == "default"


@pytest.mark.parametrize("name", ["FRONTDESK_DATABASE_URL", "FRONTDESK_READ_DATABASE_URL"])
@pytest.mark.parametrize("password", ["hid@den", "1/hidden", "1?hidden", "1#hidden", "hid[den"])
def test_a_password_with_raw_special_characters_is_named_and_not_shown(name: str, password: str) -> None:
    """The driver would look for a host that is a part of the password."""
    given = {"FRONTDESK_DATABASE_URL": "postgresql://db.example/desk"}
    given[name] = f"postgresql://desk:{password}@db.example:5432/desk?sslmode=require"
    with pytest.raises(StartupError, match=f"^{name} is not valid: write every special character .* as %40") as refused:
        read_settings(given)
    assert not [part for part in ("hid", "den") if part in str(refused.value)]


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://desk:hid%40den%2F:@first.example:5432,second.example/desk?options=-c%20a@b",
        "postgresql:///desk?user=desk@server&host=/run/postgresql",
    ],
)
def test_an_at_sign_that_is_not_in_the_password_is_no_mistake(url: str) -> None:
    assert read_settings({"FRONTDESK_DATABASE_URL": url}).database_url == url


@pytest.mark.parametrize("is_in_config", [False, True])
def test_a_secret_is_read_from_a_file_of_its_own(tmp_path: Path, *, is_in_config: bool) -> None:
    given = {"FRONTDESK_SECRET_KEY_FILE": _file(tmp_path, "key", f"{'k' * 40}\n")}
    if is_in_config:
        given = {"FRONTDESK_CONFIG": _file(tmp_path, "conf", "".join(f"{k}={v}\n" for k, v in given.items()))}
    assert read_settings(given).secret_keys == ("k" * 40,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PORT=1", "line 1: write FRONTDESK_NAME=value"),
        ("FRONTDESK_PORT", "line 1: write FRONTDESK_NAME=value"),
        ("\nFRONTDESK_PORT=1\nFRONTDESK_PORT=2", "line 3: FRONTDESK_PORT is set twice"),
        ("FRONTDESK_HOST='::1", "line 1: the value of FRONTDESK_HOST has no closing quote"),
        ("FRONTDESK_PROT=1", "FRONTDESK_PROT is not a setting: did you mean FRONTDESK_PORT?"),
        ("FRONTDESK_PORT=none", "FRONTDESK_PORT is 'none'"),
    ],
)
def test_a_wrong_line_of_the_file_of_settings_is_named(tmp_path: Path, text: str, expected: str) -> None:
    config = _file(tmp_path, "frontdesk.conf", text)
    with pytest.raises(StartupError) as refused:
        read_settings({"FRONTDESK_CONFIG": config})
    assert expected in str(refused.value)


def test_files_of_settings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    empty, missing = _file(tmp_path, "empty", "\n"), str(tmp_path / "missing")
    for given, reason in (
        ({"FRONTDESK_CONFIG": missing}, "No such file"),
        ({"FRONTDESK_SECRET_KEY_FILE": missing}, "No such file"),
        ({"FRONTDESK_SECRET_KEY_FILE": empty}, "empty"),
        ({"FRONTDESK_SECRET_KEY_FILE": str(tmp_path)}, "Is a directory"),
    ):
        with pytest.raises(StartupError, match=reason):
            read_settings(given)


def test_a_setting_and_its_file_together_are_refused(tmp_path: Path) -> None:
    given = {"FRONTDESK_SECRET_KEY": "k" * 40, "FRONTDESK_SECRET_KEY_FILE": _file(tmp_path, "key", "l" * 40)}
    with pytest.raises(StartupError, match="are both set"):
        read_settings(given)


_STORAGE = {
    "FRONTDESK_STORAGE_ENDPOINT": "https://s3.example.com/",
    "FRONTDESK_STORAGE_BUCKET": "desk",
    "FRONTDESK_STORAGE_ACCESS_KEY": "key",
    "FRONTDESK_STORAGE_PREFIX": "/one/two",
}


def test_a_bucket_needs_all_of_its_settings(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="FRONTDESK_STORAGE_SECRET_KEY is not set"):
        read_settings(_STORAGE)
    with pytest.raises(StartupError, match="set the FRONTDESK_STORAGE_… settings too"):
        read_settings({"FRONTDESK_PICTURES": "bucket"})
    given = {**_STORAGE, "FRONTDESK_STORAGE_SECRET_KEY_FILE": _file(tmp_path, "secret", "hidden\n")}
    settings = read_settings({**given, "FRONTDESK_PICTURES": "bucket"})
    assert settings.storage == StorageSettings("https://s3.example.com", "desk", "key", "hidden", prefix="one/two/")
    assert settings.pictures_in_bucket
    assert not read_settings(given).pictures_in_bucket
    assert "hidden" not in str(settings_in_force(given))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STORAGE_ENDPOINT", "s3.example.com"),
        ("STORAGE_ENDPOINT", "https://s3.example.com/bucket"),
        ("STORAGE_BUCKET", "a/b"),
        ("STORAGE_PREFIX", "ü"),
        ("PICTURES", "s3"),
    ],
)
def test_a_wrong_setting_of_a_bucket_is_named(name: str, value: str) -> None:
    given = {**_STORAGE, "FRONTDESK_STORAGE_SECRET_KEY": "hidden", f"FRONTDESK_{name}": value}
    with pytest.raises(StartupError, match=f"FRONTDESK_{name} is '{value}': set it to"):
        read_settings(given)


def test_config_check_shows_no_secret(tmp_path: Path) -> None:
    outcome = run_here(
        "config", "check",
        database_url="postgresql://desk:pa%3Ass@db.example:5432/desk?password=hidden&sslmode=require",
        smtp_url="smtp://mailer:let-me-in@mail.example:587",
        secret_key_file=_file(tmp_path, "key", "s" * 40 + " " + "t" * 40),
        port=8123,
    )  # fmt: skip
    assert outcome.returncode == 0
    lines = dict(line.split(None, 1) for line in outcome.stdout.splitlines())
    assert lines["FRONTDESK_DATABASE_URL"] == (
        "postgresql://desk:…@db.example:5432/desk?password=…&sslmode=require  (environment)"
    )
    assert lines["FRONTDESK_SMTP_URL"] == "smtp://mailer:…@mail.example:587  (environment)"
    assert lines["FRONTDESK_SECRET_KEY"].startswith("2 keys, not shown")
    assert lines["FRONTDESK_PORT"] == "8123  (environment)"
    assert lines["FRONTDESK_WORKERS"] == "1  (default)"


def test_config_check_names_the_wrong_setting() -> None:
    outcome = run_here("config", "check", port="none")
    assert (outcome.returncode, outcome.stdout, outcome.stderr.count("\n")) == (2, "", 1)
    assert "FRONTDESK_PORT is 'none'" in outcome.stderr


def test_config_check_shows_every_setting() -> None:
    shown = {setting.name for setting in settings_in_force({})}
    of_storage = StorageSettings.__struct_fields__
    assert len(shown) == len(Settings.__struct_fields__) - 1 + len(of_storage)
