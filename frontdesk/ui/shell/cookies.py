"""The cookies of the dashboard. With an https origin their names have the `__Host-` prefix, which binds them to it."""

from frontdesk.http.request import Request

SESSION, VISITOR, LANGUAGE, THEME, DEVICE, FLASH = "session", "visitor", "language", "theme", "device", "done"
PENDING_SIGN_IN, REMEMBERED, BRANCH, RECEIPT = "pending", "remembered", "branch", "receipt"
THEMES = ("light", "dark")  # without the cookie it is that of the system
_YEAR = 365 * 24 * 3600


def read_cookies(request: Request) -> dict[str, str]:
    """Returns them by name, without the prefix. No value that we set needs quotes or escapes."""
    prefix, found = _prefix(request), {}
    for key, value in request.scope["headers"]:
        if key == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                name, equals, text = pair.strip().partition("=")
                if equals and name.startswith(prefix):
                    found[name.removeprefix(prefix)] = text
    return found


def set_cookie(request: Request, name: str, value: str, *, seconds: int | None = _YEAR) -> None:
    """`None` makes a session cookie, which ends when the browser is closed. Scripts cannot read any of them."""
    parts = [f"{_prefix(request)}{name}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if seconds is not None:
        parts.append(f"Max-Age={seconds}")
    if _is_https(request):
        parts.append("Secure")
    request.cookies.append("; ".join(parts))


def clear_cookie(request: Request, name: str) -> None:
    set_cookie(request, name, "", seconds=0)


def _prefix(request: Request) -> str:
    return "__Host-frontdesk_" if _is_https(request) else "frontdesk_"


def _is_https(request: Request) -> bool:
    return request.origin.startswith("https://")
