"""Language and light or dark: kept in the browser, and the language also with the person."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from frontdesk.auth.session_queries import update_language
from frontdesk.http.responses import Answer
from frontdesk.ui.auth.sign_in import local_path
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.cookies import LANGUAGE, THEME, clear_cookie, set_cookie
from frontdesk.ui.shell.permissions import EVERYBODY
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Address = Annotated[str, Meta(max_length=2000)]


class LanguageForm(msgspec.Struct):
    language: Literal["en", "ar"]
    back: Address = "/"


class ThemeForm(msgspec.Struct):
    theme: Literal["light", "dark", "system"]
    back: Address = "/"


@pages.post("/language", EVERYBODY)
async def choose_language(visit: Visit, form: LanguageForm) -> Answer:
    set_cookie(visit.call, LANGUAGE, form.language)
    if visit.signed_in is not None:
        async with visit.connection() as conn:
            await update_language(conn, visit.person.id, form.language)
    return visit.go(local_path(form.back))


@pages.post("/theme", EVERYBODY)
async def choose_theme(visit: Visit, form: ThemeForm) -> Answer:
    if form.theme == "system":
        clear_cookie(visit.call, THEME)
    else:
        set_cookie(visit.call, THEME, form.theme)
    return visit.go(local_path(form.back))
