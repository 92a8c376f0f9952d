"""Flash messages: what a form has done, shown once on the next page. The cookie holds the untranslated text."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

from frontdesk.http.request import Request
from frontdesk.ui.shell.cookies import FLASH, clear_cookie, set_cookie

_MAX_LENGTH = 200
_LIFETIME_SECONDS = 60


def set_flash(request: Request, message: str) -> None:
    set_cookie(request, FLASH, quote(message, safe=""), seconds=_LIFETIME_SECONDS)


def pop_flash(request: Request, cookies: Mapping[str, str]) -> str | None:
    message = cookies.get(FLASH)
    if not message:
        return None
    clear_cookie(request, FLASH)
    return unquote(message)[:_MAX_LENGTH]
