"""The navigation: the main one of every page, and the side lists."""

from markupsafe import Markup

from frontdesk.auth.types import Role, UserSession
from frontdesk.ui.shell.nav_items import MAIN_NAV, OPERATOR_NAV, PROVIDER_NAV, SETTINGS, SETUP, NavItem, SettingsGroup
from frontdesk.ui.shell.rendering import render_part


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
        return self._items((SETUP, *MAIN_NAV) if needs_setup else MAIN_NAV)

    @property
    def settings(self) -> list[SettingsGroup]:
        """The groups with what the user may open; those that are left empty are left out."""
        found = [
            SettingsGroup(title, tuple(item for item in items if item.access.allows(self._session)))
            for title, items in SETTINGS
        ]
        return [group for group in found if group.items]

    def is_current(self, item: NavItem) -> bool:
        return _is_current(item, self._path)

    @property
    def operator(self) -> list[tuple[NavItem, bool]]:
        return self._items(OPERATOR_NAV)

    def _items(self, items: tuple[NavItem, ...]) -> list[tuple[NavItem, bool]]:
        return [(item, _is_current(item, self._path)) for item in items if item.access.allows(self._session)]


# Pages that belong to an item whose path they do not begin with.
_BELONG = {
    "/calendar": ("/waiting-list",),
    "/till": ("/drawer", "/day-close", "/shifts"),
    "/settings": ("/activity", "/import", "/export", "/developer"),
}


# The item that a page belongs to, by the first part of its path.
_SECTIONS = {
    path.removeprefix("/"): own
    for own in {item.path.partition("?")[0] for item in (SETUP, *MAIN_NAV, *PROVIDER_NAV)}
    for path in (own, *_BELONG.get(own, ()))
}
# The main navigation for each language, role and section: about two kilobytes each.
_rails: dict[tuple[object, ...], Markup] = {}


def _is_current(item: NavItem, path: str) -> bool:
    item_path = item.path.partition("?")[0]
    return any(path == own or path.startswith(f"{own}/") for own in (item_path, *_BELONG.get(item_path, ())))
