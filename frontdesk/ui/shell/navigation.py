"""Where one can go: the rail of every page, and the lists at the side. A place shows for whom its page is."""

from typing import NamedTuple

from frontdesk.auth.types import UserSession
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import MEMBERS, OFFICE, OPERATORS, SIGNED_IN, Access


class NavItem(NamedTuple):
    path: str
    label: str
    audience: Access
    icon: str = ""
    wide_only: bool = False  # left out of the five tabs of a phone


RAIL = (
    NavItem("/", N_("Overview"), MEMBERS, "reports"),
    NavItem("/orders", N_("Orders"), MEMBERS, "orders"),
    NavItem("/settings", N_("Settings"), SIGNED_IN, "settings"),
    NavItem("/operator", N_("Operator"), OPERATORS, "globe"),
)
SETTINGS = (
    NavItem("/settings/api", N_("API Integration"), OFFICE),
    NavItem("/settings/applications", N_("Applications"), OFFICE),
    NavItem("/settings/members", N_("Members"), OFFICE),
    NavItem("/settings/limits", N_("Limits"), OFFICE),
    NavItem("/settings/account", N_("Your account"), SIGNED_IN),
    NavItem("/developer", N_("Developer"), SIGNED_IN),
)
OPERATOR = (
    NavItem("/operator/health", N_("Health"), OPERATORS),
    NavItem("/operator/tenants", N_("Businesses"), OPERATORS),
    NavItem("/operator/users", N_("People"), OPERATORS),
    NavItem("/operator/applications", N_("Applications"), OPERATORS),
)


def visible_items(places: tuple[NavItem, ...], signed_in: UserSession) -> list[NavItem]:
    return [place for place in places if place.audience.admits(signed_in)]


def is_current(place: NavItem, path: str) -> bool:
    return path == place.path or (place.path != "/" and path.startswith(f"{place.path}/"))
