"""Where one can go: the rail of every page, and the lists at the side. A place shows for whom its page is."""

from typing import NamedTuple

from frontdesk.auth.types import SignedIn
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import MEMBERS, OFFICE, OPERATORS, SIGNED_IN, Audience


class Place(NamedTuple):
    path: str
    label: str
    audience: Audience
    icon: str = ""
    wide_only: bool = False  # left out of the five tabs of a phone


RAIL = (
    Place("/", mark("Overview"), MEMBERS, "reports"),
    Place("/orders", mark("Orders"), MEMBERS, "orders"),
    Place("/settings", mark("Settings"), SIGNED_IN, "settings"),
    Place("/operator", mark("Operator"), OPERATORS, "globe"),
)
SETTINGS = (
    Place("/settings/api", mark("API Integration"), OFFICE),
    Place("/settings/applications", mark("Applications"), OFFICE),
    Place("/settings/members", mark("Members"), OFFICE),
    Place("/settings/limits", mark("Limits"), OFFICE),
    Place("/settings/account", mark("Your account"), SIGNED_IN),
    Place("/developer", mark("Developer"), SIGNED_IN),
)
OPERATOR = (
    Place("/operator/health", mark("Health"), OPERATORS),
    Place("/operator/tenants", mark("Businesses"), OPERATORS),
    Place("/operator/users", mark("People"), OPERATORS),
    Place("/operator/applications", mark("Applications"), OPERATORS),
)


def open_to(places: tuple[Place, ...], signed_in: SignedIn) -> list[Place]:
    return [place for place in places if place.audience.admits(signed_in)]


def is_current(place: Place, path: str) -> bool:
    return path == place.path or (place.path != "/" and path.startswith(f"{place.path}/"))
