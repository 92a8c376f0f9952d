"""The few cookies of the dashboard. Where the origin is https they carry the prefix that ties them to this host."""

from http.cookies import CookieError, SimpleCookie

from frontdesk.web.call import Call

SESSION, VISITOR, LANGUAGE, THEME, DONE = "session", "visitor", "language", "theme", "done"
DEVICE = "device"
_YEAR = 365 * 24 * 3600


def read_cookies(call: Call) -> dict[str, str]:
    """By our own names."""
    jar: SimpleCookie = SimpleCookie()
    for key, value in call.scope["headers"]:
        if key == b"cookie":
            try:
                jar.load(value.decode("latin-1"))
            except CookieError:
                continue
    prefix = _prefix(call)
    return {name.removeprefix(prefix): morsel.value for name, morsel in jar.items() if name.startswith(prefix)}


def set_cookie(call: Call, name: str, value: str, *, seconds: int | None = _YEAR) -> None:
    """Without seconds it lasts as long as the browser is open. No script ever sees one."""
    parts = [f"{_prefix(call)}{name}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if seconds is not None:
        parts.append(f"Max-Age={seconds}")
    if _is_https(call):
        parts.append("Secure")
    call.cookies.append("; ".join(parts))


def clear_cookie(call: Call, name: str) -> None:
    set_cookie(call, name, "", seconds=0)


def _prefix(call: Call) -> str:
    return "__Host-frontdesk_" if _is_https(call) else "frontdesk_"


def _is_https(call: Call) -> bool:
    return call.origin.startswith("https://")
