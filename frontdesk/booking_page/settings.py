"""Changing the settings of the public page."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from frontdesk.booking_page.problems import PageSettingsProblem
from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.booking_page.types import BookingPage, PageSettings
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import Problem, check_version

MAX_ORIGINS = 10
_HOST = re.compile(
    r"[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)*\.?(:[0-9]{1,5})?"
)  # no part can match in two ways: it stays fast
_LOCK = Lock("SELECT FROM booking_page_settings WHERE tenant_id = $1 FOR NO KEY UPDATE", ())
_LOCAL = ("localhost", "127.0.0.1")


class SaveBookingPage(Act[BookingPage], frozen=True):
    new: PageSettings
    version: int

    def load(self) -> Query[BookingPage]:
        return tenant_booking_page().locking(_LOCK)

    def decide(self, context: Context[BookingPage]) -> FunctionCall:
        check_version(self.version, context.loaded.version, context.tenant.tenant_id)
        if len(self.new.embedding_origins) > MAX_ORIGINS:
            raise Problem(PageSettingsProblem.TOO_MANY_ORIGINS, "origins", most=MAX_ORIGINS)
        return FunctionCall("save_booking_page", {"version": self.version, **msgspec.structs.asdict(self.new)})


class ChangeBookingPage(Act[BookingPage], frozen=True):
    """Other settings stay as they are."""

    changes: Mapping[str, Any]
    version: int | None = None

    def load(self) -> Query[BookingPage]:
        return tenant_booking_page().locking(_LOCK)

    def decide(self, context: Context[BookingPage]) -> FunctionCall:
        loaded, tenant_id = context.loaded, context.tenant.tenant_id
        check_version(self.version, loaded.version, tenant_id)
        new = msgspec.structs.replace(loaded.settings, **self.changes)
        response = ResponseDocument("booking_page_document", tenant_id)
        if new == loaded.settings:
            return FunctionCall(None, None, response)
        return SaveBookingPage(new, loaded.version).decide(context)._replace(response=response)


def read_origins(text: str) -> tuple[str, ...]:
    """The origins of the entered sites, one a line: `www.layan.example/book` is https://www.layan.example."""
    found = dict.fromkeys(_origin(line.strip()) for line in text.splitlines() if line.strip())
    return tuple(found)


def _origin(typed: str) -> str:
    """Only hosts in ASCII, because the origin becomes part of a header."""
    try:
        parts = urlsplit(typed if "://" in typed else f"https://{typed}")
        host = parts.netloc.lower().encode("idna").decode()
    except ValueError:
        raise _wrong(typed) from None
    allowed: Sequence[str] = ("https", "http") if host.partition(":")[0] in _LOCAL else ("https",)
    if parts.scheme not in allowed or not _HOST.fullmatch(host):
        raise _wrong(typed)
    return f"{parts.scheme}://{host}"


def _wrong(typed: str) -> Problem:
    return Problem(PageSettingsProblem.NOT_AN_ORIGIN, "origins", typed=typed[:80])
