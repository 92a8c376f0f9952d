"""A browser and a system, as far as a User-Agent header tells them; enough to know one's own device again."""

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
    """Empty where nothing is known."""
    found = [next((name for sign, name in signs if sign in user_agent), "") for signs in (_BROWSERS, _SYSTEMS)]
    return ", ".join(part for part in found if part)
