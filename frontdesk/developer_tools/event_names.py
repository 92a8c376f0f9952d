"""Types of events as a person types them."""

import difflib
from collections.abc import Iterable

from frontdesk.errors import StartupError
from frontdesk.webhooks.event_types import EventType

_SHOWN = 4


def event_type(name: str, others: Iterable[str] = ()) -> EventType:
    """`others` are names that are offered beside the types."""
    try:
        return EventType(name)
    except ValueError:
        raise StartupError(_unknown(name, [*EventType, *others])) from None


def _unknown(name: str, known: list[str]) -> str:
    """With the names that are written like it, or that are about the same."""
    subject = name.partition(".")[0]
    alike = difflib.get_close_matches(name, known, _SHOWN, 0.6)
    same = [other for other in known if other.startswith(f"{subject}.") and other not in alike]
    near = [*alike, *same][:_SHOWN]
    hint = f"did you mean {', '.join(near)}?" if near else "`frontdesk trigger --list` shows them"
    return f"{name!r} is no type of event: {hint}"
