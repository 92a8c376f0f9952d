"""The navigation: the main one of every page, and the side lists. An item is shown to those who may open its page."""

from typing import NamedTuple

from markupsafe import Markup

from frontdesk.auth.types import Role, UserSession
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.permissions import (
    ANY_ROLE,
    CASHIERS,
    DIARY_READERS,
    MANAGERS,
    OPERATORS,
    RECEPTION,
    SIGNED_IN,
    Access,
)
from frontdesk.ui.shell.rendering import render_part


class NavItem(NamedTuple):
    path: str
    label: str
    access: Access
    icon: str = ""
    wide_only: bool = False  # hidden on phones, which have room for five items
    changes: Access | None = None  # who changes what the page shows, if others see it too


_SETUP = NavItem("/setup", N_("Set up"), MANAGERS, "check")  # until the business is set up
MAIN_NAV = (
    NavItem("/calendar", N_("Calendar"), DIARY_READERS, "calendar"),
    NavItem("/till", N_("Till"), CASHIERS, "till"),
    NavItem("/orders", N_("Orders"), CASHIERS, "orders"),
    NavItem("/customers", N_("Customers"), ANY_ROLE, "people"),
    NavItem("/catalogue", N_("Catalogue"), ANY_ROLE, "catalog", wide_only=True),
    NavItem("/staff", N_("Staff"), DIARY_READERS, "staff", wide_only=True),
    NavItem("/reports", N_("Reports"), MANAGERS, "reports", wide_only=True),
    NavItem("/settings", N_("Settings"), SIGNED_IN, "settings"),
    NavItem("/operator", N_("Operator"), OPERATORS, "globe"),
)
PROVIDER_NAV = (
    NavItem("/", N_("Today"), ANY_ROLE, "home"),
    NavItem("/calendar?view=week", N_("My week"), DIARY_READERS, "calendar"),
    NavItem("/staff", N_("My hours"), DIARY_READERS, "staff"),
    NavItem("/customers", N_("Customers"), ANY_ROLE, "people"),
    NavItem("/catalogue", N_("Catalogue"), ANY_ROLE, "catalog", wide_only=True),
    NavItem("/settings", N_("Settings"), SIGNED_IN, "settings"),
    NavItem("/operator", N_("Operator"), OPERATORS, "globe"),
)
SETTINGS_NAV = (
    NavItem("/settings/business", N_("Business"), MANAGERS),
    NavItem("/settings/booking-page", N_("Booking page"), MANAGERS),
    NavItem("/settings/notices", N_("Notices"), MANAGERS),
    NavItem("/settings/payment-methods", N_("Payment methods"), MANAGERS),
    NavItem("/settings/branches", N_("Branches"), MANAGERS),
    NavItem("/settings/hours", N_("Opening hours"), RECEPTION, changes=MANAGERS),
    NavItem("/settings/calendars", N_("Calendars"), MANAGERS),
    NavItem("/settings/api", N_("API Integration"), MANAGERS),
    NavItem("/settings/applications", N_("Applications"), MANAGERS),
    NavItem("/settings/members", N_("Members"), MANAGERS),
    NavItem("/settings/limits", N_("Limits"), MANAGERS),
    NavItem("/activity", N_("Activity"), MANAGERS),
    NavItem("/import", N_("Import and export"), MANAGERS),
    NavItem("/settings/account", N_("Your account"), SIGNED_IN),
    NavItem("/developer", N_("Developer"), SIGNED_IN),
)
OPERATOR_NAV = (
    NavItem("/operator/health", N_("Health"), OPERATORS),
    NavItem("/operator/tenants", N_("Businesses"), OPERATORS),
    NavItem("/operator/users", N_("People"), OPERATORS),
    NavItem("/operator/messages", N_("Messages"), OPERATORS),
    NavItem("/operator/applications", N_("Applications"), OPERATORS),
    NavItem("/operator/acts", N_("Activity"), OPERATORS),
)


class Navigation:
    """The items that a session may open, each with whether it is the current one."""

    def __init__(self, session: UserSession, path: str, language: str) -> None:
        self._session = session
        self._path = path
        self._language = language

    @property
    def rail(self) -> Markup:
        """The main navigation as HTML."""
        current = self._session.current_tenant
        viewer = (current.role, current.is_set_up) if current else None
        section = _SECTIONS.get(self._path.split("/", 2)[1])
        key = (self._language, viewer, self._session.user.is_operator, section)
        rail = _rails.get(key)
        if rail is None:
            rail = _rails[key] = self._render_rail()
        return rail

    def _render_rail(self) -> Markup:
        items = self.main
        here = next((item.path for item, current in items if current), None)
        values = {"items": [item for item, _ in items], "current": here}
        return Markup(render_part(self._language, "rail.html", values))  # noqa: S704 - escaped

    @property
    def main(self) -> list[tuple[NavItem, bool]]:
        current = self._session.current_tenant
        if current is not None and current.role is Role.PROVIDER:
            return self._items(PROVIDER_NAV)
        needs_setup = current is not None and not current.is_set_up
        return self._items((_SETUP, *MAIN_NAV) if needs_setup else MAIN_NAV)

    @property
    def settings(self) -> list[tuple[NavItem, bool]]:
        return self._items(SETTINGS_NAV)

    @property
    def first_settings(self) -> str:
        """The first settings page on which the user can change something."""
        return next(item.path for item, _ in self.settings if (item.changes or item.access).allows(self._session))

    @property
    def operator(self) -> list[tuple[NavItem, bool]]:
        return self._items(OPERATOR_NAV)

    def _items(self, items: tuple[NavItem, ...]) -> list[tuple[NavItem, bool]]:
        return [(item, _is_current(item, self._path)) for item in items if item.access.allows(self._session)]


# Pages that belong to an item whose path they do not begin with.
_BELONG = {
    "/calendar": ("/waiting-list",),
    "/till": ("/drawer", "/day-close"),
    "/settings": ("/activity", "/import", "/export", "/developer"),
}


# The item that a page belongs to, by the first part of its path.
_SECTIONS = {
    path.removeprefix("/"): own
    for own in {item.path.partition("?")[0] for item in (_SETUP, *MAIN_NAV, *PROVIDER_NAV)}
    for path in (own, *_BELONG.get(own, ()))
}
# The main navigation for each language, role and section: about two kilobytes each.
_rails: dict[tuple[object, ...], Markup] = {}


def _is_current(item: NavItem, path: str) -> bool:
    item_path = item.path.partition("?")[0]
    return any(path == own or path.startswith(f"{own}/") for own in (item_path, *_BELONG.get(item_path, ())))
