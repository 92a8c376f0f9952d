"""The browser and operating system of a User-Agent header, so that users recognize their devices."""

_BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def describe_device(user_agent: str) -> str:
    """Empty if neither is known."""
    found = [next((name for marker, name in markers if marker in user_agent), "") for markers in (_BROWSERS, _SYSTEMS)]
    return ", ".join(part for part in found if part)
