"""The few cookies of the dashboard. Where the origin is https they carry the prefix that ties them to this host."""

from frontdesk.http.request import Call

SESSION, VISITOR, LANGUAGE, THEME, DONE = "session", "visitor", "language", "theme", "done"
DEVICE = "device"
_YEAR = 365 * 24 * 3600


def read_cookies(call: Call) -> dict[str, str]:
    """By our own names. Values are read as they were set: none of ours needs quotes or escapes."""
    prefix, found = _prefix(call), {}
    for key, value in call.scope["headers"]:
        if key == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                name, equals, text = pair.strip().partition("=")
                if equals and name.startswith(prefix):
                    found[name.removeprefix(prefix)] = text
    return found


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
