"""Deprecated endpoints: announced in headers (RFC 9745, RFC 8594), and removed on their sunset date."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import msgspec

from frontdesk.http.problems import RequestProblem
from frontdesk.http.request import Request
from frontdesk.problems import Problem

NOTICE = timedelta(days=365)


class Deprecation(msgspec.Struct, frozen=True):
    """When an endpoint was deprecated, and when it is removed: at least twelve months later."""

    since: datetime
    sunset: datetime
    successor: str | None = None  # the URL that replaces it

    def __post_init__(self) -> None:
        if self.sunset - self.since < NOTICE:
            raise ValueError("an operation must be deprecated for at least twelve months before its sunset")

    def headers(self) -> dict[str, str]:
        headers = {
            "deprecation": f"@{int(self.since.timestamp())}",
            "sunset": format_datetime(self.sunset.astimezone(UTC), usegmt=True),
        }
        if self.successor:
            headers["link"] = f'<{self.successor}>; rel="successor-version"'
        return headers


def announce(request: Request, deprecation: Deprecation) -> None:
    request.headers.update(deprecation.headers())
    if datetime.now(UTC) >= deprecation.sunset:
        day = deprecation.sunset.date()
        if deprecation.successor:
            raise Problem(RequestProblem.REPLACED, day=day, successor=deprecation.successor)
        raise Problem(RequestProblem.REMOVED, day=day)
