"""The changes of the Open API that concern one client or application, for the API and for their pages."""

from collections.abc import Iterator, Sequence
from datetime import date

from frontdesk.changelog.concerning import ConcerningChange, concerning, urgent_first
from frontdesk.changelog.versions import ChangelogEntry, entries
from frontdesk.webhooks.queries import ClientUses

_INTERFACE, _PREFIX = "open-api", "/open-api/v1"


def changes_of_client(
    uses: ClientUses, since: date = date.min
) -> Iterator[tuple[ChangelogEntry, list[ConcerningChange]]]:
    """Newest first."""
    return changes_in([entry for entry in entries() if entry.date is not None and entry.date >= since], uses)


def later_changes(uses: ClientUses) -> list[tuple[ChangelogEntry, list[ConcerningChange]]]:
    """Without the first description, in which everything is new; what breaks calls first."""
    return [
        (entry, sorted(changes, key=lambda one: urgent_first(one.change)))
        for entry, changes in changes_of_client(uses)
        if not entry.is_first
    ]


def changes_in(
    published: Sequence[ChangelogEntry], uses: ClientUses
) -> Iterator[tuple[ChangelogEntry, list[ConcerningChange]]]:
    return concerning(published, _INTERFACE, set(_names(uses)))


def _names(uses: ClientUses) -> Iterator[str]:
    """As the changelog names them."""
    for route in uses.routes:
        method, _, path = route.partition(" ")
        yield f"{method} {path.removeprefix(_PREFIX)}"
    for kind in uses.events:
        yield f"event {kind}"
