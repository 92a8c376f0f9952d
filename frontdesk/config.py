"""Settings from the environment and from files. An invalid one is reported in one line."""

import ipaddress
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec

from frontdesk.config_database import archive_dir, database_url, is_distributed, read_database_url
from frontdesk.config_sources import CONFIG_FILE, PREFIX, SYSTEM_CONFIG_FILE, Found, Sources
from frontdesk.config_storage import StorageSettings, keeps_pictures_in_bucket, storage_settings
from frontdesk.errors import StartupError

_ORIGIN = re.compile(r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_MAIL_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+")
_MIN_KEY_LENGTH = 32
# Read by `frontdesk api`, and passed to server processes by their parent.
_OTHER_NAMES = (
    *("FRONTDESK_BASE_URL", "FRONTDESK_CLIENT_ID", "FRONTDESK_CLIENT_SECRET", "FRONTDESK_TOKEN"),
    *("FRONTDESK_SERVE_DSN", "FRONTDESK_SERVE_DELIVER"),
)
# What is shown for a setting that is not set.
_DEFAULTS = {
    "DATABASE_URL": "the embedded PostgreSQL",
    "READ_DATABASE_URL": "none: the database answers every read",
    "DISTRIBUTED": "no",
    "HOST": "127.0.0.1",
    "PORT": "8000",
    "WORKERS": "1",
    "ORIGIN": "from the request",
    "RATE_LIMIT": "60",
    "EMAIL_DNS": "on",
    "EMAIL_RESOLVER": "the system's",
    "PG_BIN": "the installed wheel's",
    "ARCHIVE_DIR": "none: no archive is written",
    "PICTURES": "database",
    "STORAGE_ENDPOINT": "none: no bucket is used",
    "STORAGE_BUCKET": "none",
    "STORAGE_ACCESS_KEY": "none",
    "STORAGE_SECRET_KEY": "none",
    "STORAGE_REGION": "us-east-1",
    "STORAGE_PREFIX": "none",
    "WEBHOOK_ALLOW_PRIVATE": "off",
    "DEVELOPER_SIGN_UP": "on",
    "SIGN_UP": "off",
    "SECRET_KEY": "the key in the data folder",
    "METRICS": "not served",
    "SLOW_STATEMENT_MS": "1000",
    "TRACES": "not sent",
    "LOG_FORMAT": "text on a terminal, otherwise json",
    "SMTP_URL": "none: messages are kept and not sent",
    "MAIL_FROM": "from the origin",
    "TRUSTED_PROXIES": "none",
}
CHECKOUT = Path(__file__).resolve().parent.parent


class SmtpServer(msgspec.Struct, frozen=True):
    """Where mail is handed over."""

    host: str
    port: int
    is_tls: bool  # from the first byte; otherwise STARTTLS is used where the server offers it
    user: str | None = None
    password: str | None = None


class Settings(msgspec.Struct, frozen=True):
    data_dir: Path
    database_url: str | None = None
    read_database_url: str | None = None  # of a replica
    is_distributed: bool = False  # the database is a Citus coordinator
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    origin: str | None = None
    rate_limit: int = 60
    email_dns: bool = True
    email_resolver: str | None = None
    pg_bin: Path | None = None
    archive_dir: Path | None = None  # of the embedded database, for a restore to any moment
    storage: StorageSettings | None = None
    pictures_in_bucket: bool = False  # new ones; where a picture is, its row says
    webhook_allow_private: bool = False
    developer_sign_up: bool = True
    sign_up: bool = False  # whether anyone can create a business
    secret_keys: tuple[str, ...] = ()  # the first one encrypts, all of them decrypt
    metrics: tuple[str, int] | None = None  # host and port of the metrics server
    slow_statement_ms: int = 1000  # from which on a statement is logged; 0: none is
    traces: str | None = None  # where OpenTelemetry sends them
    log_format: str | None = None  # json or text; None: text on a terminal
    smtp: SmtpServer | None = None  # without one, messages are kept and shown
    mail_from: str | None = None
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-* headers are trusted

    @property
    def is_https(self) -> bool:
        return self.origin is not None and self.origin.startswith("https://")

    @property
    def slow_seconds(self) -> float:
        return self.slow_statement_ms / 1000 or math.inf

    @property
    def address(self) -> str:
        """The URL of the service, if a request does not name another one."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - compared, not bound
        host = f"[{host}]" if ":" in host and not host.startswith("[") else host
        return self.origin or f"http://{host}:{self.port}"

    @property
    def mail_sender(self) -> str:
        """The address that mail comes from. An IP address is no domain, so it is not used as one."""
        host = urlsplit(self.address).hostname or ""
        is_name = any(letter.isalpha() for letter in host) and ":" not in host
        return self.mail_from or f"frontdesk@{host if is_name else 'localhost'}"


class SettingInForce(NamedTuple):
    """For people: a secret is not part of the value."""

    name: str
    value: str
    source: str


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    return _read(environment)[0]


def settings_in_force(environment: Mapping[str, str] = os.environ) -> list[SettingInForce]:
    return _read(environment)[1]


def _read(environment: Mapping[str, str]) -> tuple[Settings, list[SettingInForce]]:
    sources = Sources(environment, _config_file(environment))
    found: dict[str, Found] = {}
    defaults = _DEFAULTS | {"DATA_DIR": str(default_data_dir(environment))}

    def text(name: str) -> str | None:
        found[name] = sources.find(PREFIX + name)
        return found[name].value

    def number(name: str, default: int, minimum: int, maximum: int) -> int:
        value = text(name)
        if value is None:
            return default
        if not value.isdecimal() or len(value) > len(str(maximum)) or not minimum <= int(value) <= maximum:
            raise _setting_error(name, value, f"a whole number from {minimum} to {maximum}")
        return int(value)

    def switch(name: str, *, default: bool) -> bool:
        value = text(name)
        if value is None:
            return default
        if value not in ("on", "off"):
            raise _setting_error(name, value, "on or off")
        return value == "on"

    pg_bin = text("PG_BIN")
    keys = text("STORAGE_ACCESS_KEY"), text("STORAGE_SECRET_KEY")
    place = text("STORAGE_ENDPOINT"), text("STORAGE_BUCKET"), text("STORAGE_REGION"), text("STORAGE_PREFIX")
    storage = storage_settings(*keys, *place)
    settings = Settings(
        data_dir=Path(text("DATA_DIR") or default_data_dir(environment)).expanduser().absolute(),
        database_url=database_url("DATABASE_URL", text("DATABASE_URL")),
        read_database_url=read_database_url(text("READ_DATABASE_URL"), text("DATABASE_URL"), text("DISTRIBUTED")),
        is_distributed=is_distributed(text("DISTRIBUTED"), text("DATABASE_URL")),
        host=(text("HOST") or "127.0.0.1").strip("[]"),
        port=number("PORT", 8000, 1, 65535),
        workers=number("WORKERS", 1, 1, 64),
        origin=_origin(text("ORIGIN")),
        rate_limit=number("RATE_LIMIT", 60, 1, 1_000_000_000),
        email_dns=switch("EMAIL_DNS", default=True),
        email_resolver=text("EMAIL_RESOLVER"),
        pg_bin=Path(pg_bin).expanduser().absolute() if pg_bin else None,
        archive_dir=archive_dir(text("ARCHIVE_DIR"), text("DATABASE_URL")),
        storage=storage,
        pictures_in_bucket=keeps_pictures_in_bucket(text("PICTURES"), storage),
        webhook_allow_private=switch("WEBHOOK_ALLOW_PRIVATE", default=False),
        developer_sign_up=switch("DEVELOPER_SIGN_UP", default=True),
        sign_up=switch("SIGN_UP", default=False),
        secret_keys=_secret_keys(text("SECRET_KEY")),
        metrics=_host_and_port("METRICS", text("METRICS")),
        slow_statement_ms=number("SLOW_STATEMENT_MS", 1000, 0, 60_000),
        traces=_traces(text("TRACES")),
        log_format=_log_format(text("LOG_FORMAT")),
        smtp=_smtp_server(text("SMTP_URL")),
        mail_from=_mail_from(text("MAIL_FROM")),
        trusted_proxies=_trusted_proxies(text("TRUSTED_PROXIES")),
    )
    sources.check_names([CONFIG_FILE, *_OTHER_NAMES, *(PREFIX + name for name in found)])
    return settings, [
        SettingInForce(PREFIX + name, defaults[name] if value is None else _without_secrets(name, value), source)
        for name, (value, source) in found.items()
    ]


def _config_file(environment: Mapping[str, str]) -> Path | None:
    """A checkout is for trying and developing, so it does not use the settings of the machine."""
    path = environment.get(CONFIG_FILE, "").strip()
    if path:
        return Path(path).expanduser().absolute()
    return SYSTEM_CONFIG_FILE if not _is_checkout(CHECKOUT) and SYSTEM_CONFIG_FILE.exists() else None


def _without_secrets(name: str, value: str) -> str:
    if name == "SECRET_KEY":
        keys = len(value.split())
        return "1 key, not shown" if keys == 1 else f"{keys} keys, not shown"
    if name.endswith("_SECRET_KEY"):
        return "set, not shown"
    if name.endswith("_URL"):
        url = urlsplit(value)
        user, has_password, _ = url.netloc.rpartition("@")[0].partition(":")
        host = url.netloc.rpartition("@")[2]
        query = re.sub(r"(password=)[^&]*", r"\1…", url.query)
        return urlunsplit(url._replace(netloc=f"{user}:…@{host}" if has_password else url.netloc, query=query))
    return value


def _smtp_server(value: str | None) -> SmtpServer | None:
    if value is None:
        return None
    expected = "smtp://user:password@host:port or smtps://…"
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError as error:
        raise _setting_error("SMTP_URL", "…", expected) from error  # the value contains a password
    if url.scheme not in ("smtp", "smtps") or not url.hostname or url.path not in ("", "/") or url.query:
        raise _setting_error("SMTP_URL", "…", expected)
    is_tls = url.scheme == "smtps"
    return SmtpServer(
        url.hostname,
        port or (465 if is_tls else 587 if url.username else 25),
        is_tls,
        unquote(url.username) if url.username else None,
        unquote(url.password) if url.password else None,
    )


def _traces(value: str | None) -> str | None:
    if value is not None and not value.startswith(("http://", "https://")):
        raise _setting_error("TRACES", value, "an address such as http://127.0.0.1:4318/v1/traces")
    return value


def _log_format(value: str | None) -> str | None:
    if value not in (None, "json", "text"):
        raise _setting_error("LOG_FORMAT", value, "json or text")
    return value


def _mail_from(value: str | None) -> str | None:
    if value is not None and not _MAIL_ADDRESS.fullmatch(value):
        raise _setting_error("MAIL_FROM", value, "an address such as bookings@example.com")
    return value


def default_data_dir(environment: Mapping[str, str]) -> Path:
    """Inside a checkout, else in the user's data folder."""
    if _is_checkout(CHECKOUT):
        return CHECKOUT / ".frontdesk"
    home = environment.get("XDG_DATA_HOME") or Path(environment.get("HOME", "~")) / ".local" / "share"
    return Path(home) / "frontdesk"


def _is_checkout(folder: Path) -> bool:
    """Reads the name, because other packages may install a pyproject.toml into site-packages."""
    try:
        return 'name = "frontdesk"' in (folder / "pyproject.toml").read_text("utf-8")
    except (OSError, UnicodeError):
        return False


def _secret_keys(value: str | None) -> tuple[str, ...]:
    """Several keys are separated by spaces, during a rotation. They are never quoted in errors."""
    keys = tuple(value.split()) if value else ()
    if any(len(key) < _MIN_KEY_LENGTH for key in keys):
        raise StartupError(f"FRONTDESK_SECRET_KEY is too short: set it to {_MIN_KEY_LENGTH} or more random characters")
    return keys


def _trusted_proxies(value: str | None) -> tuple[str, ...]:
    proxies = tuple((value or "").replace(",", " ").split())
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as error:
            raise _setting_error(
                "TRUSTED_PROXIES", proxy, "addresses or networks such as 10.0.0.5, 10.1.0.0/16"
            ) from error
    return proxies


def _host_and_port(name: str, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    host = host[1:-1] if host.startswith("[") and host.endswith("]") else "" if ":" in host else host
    if not host or not port.isdecimal() or len(port) > 5 or not 1 <= int(port) <= 65535:
        raise _setting_error(name, value, "host:port such as 127.0.0.1:9100 or [::1]:9100")
    return host, int(port)


def _origin(value: str | None) -> str | None:
    if value is None:
        return None
    origin = value.rstrip("/")
    if not _ORIGIN.fullmatch(origin) or not urlsplit(origin).hostname:
        raise _setting_error("ORIGIN", value, "an origin such as https://desk.example.com")
    return origin


def _setting_error(name: str, value: str, expected: str) -> StartupError:
    return StartupError(f"FRONTDESK_{name} is {value!r}: set it to {expected}")
