"""Where settings come from: the environment, files that contain one value each, and one file of settings."""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from frontdesk.errors import StartupError

PREFIX = "FRONTDESK_"
CONFIG_FILE = "FRONTDESK_CONFIG"
SYSTEM_CONFIG_FILE = Path("/etc/frontdesk/frontdesk.conf")
_TEST_PREFIX = "FRONTDESK_TEST_"
_QUOTES = ("'", '"')


class Found(NamedTuple):
    value: str | None  # None: the default holds
    source: str


class Sources:
    """The environment overrides the file. `NAME_FILE` is the path of a file that contains the value of NAME."""

    def __init__(self, environment: Mapping[str, str], config_file: Path | None = None) -> None:
        self._layers = [("environment", environment)]
        if config_file is not None:
            self._layers.append((str(config_file), _read_config_file(config_file)))

    def find(self, name: str) -> Found:
        """An empty value overrides the file too: with it, the default holds."""
        for source, values in self._layers:
            value = values.get(name, "").strip()
            path = values.get(f"{name}_FILE", "").strip()
            if value and path:
                raise StartupError(f"{name} and {name}_FILE are both set: remove one of them")
            if value:
                return Found(value, source)
            if path:
                return Found(_read_value_file(f"{name}_FILE", Path(path)), f"{path} (by {name}_FILE, {source})")
            if name in values or f"{name}_FILE" in values:
                return Found(None, f"default: empty in {source}")
        return Found(None, "default")

    def check_names(self, names: Iterable[str]) -> None:
        """Rejects unknown names, because a misspelled setting would silently be ignored."""
        known = {*names, *(f"{name}_FILE" for name in names)}
        for source, values in self._layers:
            for name in sorted(values):
                if name.startswith(PREFIX) and name not in known and not name.startswith(_TEST_PREFIX):
                    nearest = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)
                    hint = f"did you mean {nearest[0]}?" if nearest else "see the settings in the guide Operating"
                    prefix = "" if source == "environment" else f"{source}: "
                    raise StartupError(f"{prefix}{name} is not a setting: {hint}")


def _read_value_file(name: str, path: Path) -> str:
    value = _read(name, path).strip()
    if not value:
        raise StartupError(f"{name} is {str(path)!r}: that file is empty")
    return value


def _read_config_file(path: Path) -> dict[str, str]:
    """Lines `NAME=value`, as in an EnvironmentFile of systemd: `#` begins a comment line, quotes are optional."""
    values: dict[str, str] = {}
    for number, line in enumerate(_read(CONFIG_FILE, path).splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith(("#", ";")):
            continue
        name, has_value, value = (part.strip() for part in text.partition("="))
        if not has_value or not name.startswith(PREFIX):
            raise StartupError(f"{path}, line {number}: write {PREFIX}NAME=value")
        if name in values:
            raise StartupError(f"{path}, line {number}: {name} is set twice")
        if value[:1] in _QUOTES:
            if len(value) < 2 or value[-1] != value[0]:
                raise StartupError(f"{path}, line {number}: the value of {name} has no closing quote")
            value = value[1:-1]
        values[name] = value
    return values


def _read(name: str, path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise StartupError(f"{name} is {str(path)!r}: {error.strerror}") from error
    except UnicodeError as error:
        raise StartupError(f"{name} is {str(path)!r}: that file is not text") from error
