"""The names that `changed` of events can have."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, get_args, get_origin

import msgspec
from msgspec import UNSET

from frontdesk.event_forms.data import DATA
from frontdesk.problems import Problem, raise_all
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.problems import WebhookProblem

# `change_data` compares everything else.
_NEVER_CHANGED = ("id", "tenant_id", "version", "created_at", "updated_at")


def _names(data: Any) -> Iterator[str]:  # noqa: ANN401 - the published form of an event's data, with its record
    form = get_origin(data)
    if form is None or "changed" not in form.__struct_fields__:
        return
    for field in msgspec.structs.fields(get_args(data)[0]):
        if field.name not in _NEVER_CHANGED and field.default is not UNSET:  # what applications store is in no event
            yield field.encode_name


CHANGED_FIELDS = {kind: frozenset(_names(data)) for kind, data in DATA.items()}


def known_field_names(events: Collection[EventType]) -> list[str]:
    return sorted(frozenset().union(*(CHANGED_FIELDS[kind] for kind in events)))


def check_field_names(names: Sequence[str], events: Collection[EventType]) -> None:
    """Each must be a field of a record whose change one of the events tells."""
    known = known_field_names(events)
    raise_all(
        [
            Problem(WebhookProblem.UNKNOWN_FIELD, "changed_fields", index, name=name, choices=known)
            for index, name in enumerate(names)
            if name not in known
        ]
    )
