"""All settings in groups, and finding one by a word."""

import msgspec

from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.nav_items import NavItem, SettingsGroup
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.text import search_key

pages = Pages()


class SettingsQuery(msgspec.Struct):
    search: FilterText = ""


@pages.get("/settings", SIGNED_IN)
async def show_settings(context: PageContext, query: SettingsQuery) -> Response:
    return context.render("settings_find.html", groups=_found(context, search_key(query.search)), search=query.search)


def _found(context: PageContext, word: str) -> list[SettingsGroup]:
    """A word of the group finds all of it."""

    def says(*texts: str) -> bool:
        return word in search_key(" ".join(map(context.translate, texts)))

    def matches(group: SettingsGroup, item: NavItem) -> bool:
        return says(group.title) or says(item.label, item.about)

    found = [
        SettingsGroup(group.title, tuple(item for item in group.items if matches(group, item)))
        for group in context.navigation.settings
    ]
    return [group for group in found if group.items]
