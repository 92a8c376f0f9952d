"""Language, color theme and branch: stored in cookies; the language also in the user's account."""

from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.accounts.session_queries import update_language
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import Language
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import BRANCH, LANGUAGE, THEME, clear_cookie, set_cookie
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import ANY_ROLE, PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Address = Annotated[str, Meta(max_length=2000)]


class LanguageForm(msgspec.Struct):
    language: Language
    back: Address = "/"


class ThemeForm(msgspec.Struct):
    theme: Literal["light", "dark", "system"]
    back: Address = "/"


class BranchForm(msgspec.Struct):
    branch: UUID
    back: Address = "/"


# What a page shows of one branch only, so its address loses it when another branch is chosen.
_OF_BRANCH = {"branch", "staff", "order", "undo", "category", "page"}


@pages.post("/branch", ANY_ROLE)
async def choose_branch(context: PageContext, form: BranchForm) -> Response:
    set_cookie(context.request, BRANCH, str(form.branch))
    back = urlsplit(local_path(form.back))
    if back.path == "/till":
        return context.redirect(f"/till?branch={form.branch}")  # a cart belongs to its branch
    kept = urlencode([(name, value) for name, value in parse_qsl(back.query) if name not in _OF_BRANCH])
    return context.redirect(f"{back.path}?{kept}" if kept else back.path)


@pages.post("/language", PUBLIC)
async def choose_language(context: PageContext, form: LanguageForm) -> Response:
    set_cookie(context.request, LANGUAGE, form.language)
    if context.session is not None:
        await context.call(update_language, context.user.id, form.language)
    return context.redirect(local_path(form.back))


@pages.post("/theme", PUBLIC)
async def choose_theme(context: PageContext, form: ThemeForm) -> Response:
    if form.theme == "system":
        clear_cookie(context.request, THEME)
    else:
        set_cookie(context.request, THEME, form.theme)
    return context.redirect(local_path(form.back))
