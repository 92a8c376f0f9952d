"""Makes an event happen, and shows it."""

from collections.abc import Callable, Iterator

from frontdesk.developer_tools.api import Api, require_sandbox
from frontdesk.developer_tools.event_names import event_type
from frontdesk.developer_tools.following import FollowedEvent, Follower, newest_sequence
from frontdesk.developer_tools.listening import subject
from frontdesk.developer_tools.triggers.catalogue import ALIASES, ELSEWHERE, TRIGGERS
from frontdesk.developer_tools.triggers.stage import Stage
from frontdesk.errors import StartupError
from frontdesk.runtime.time_limits import time_limit
from frontdesk.webhooks.event_types import EventType

_PAUSE = 1.0  # a replica may be a moment behind
_PATIENCE = 30.0


def chosen_event(name: str) -> EventType:
    kind = ALIASES.get(name) or event_type(name, ALIASES)
    if kind not in TRIGGERS:
        raise StartupError(f"no call of the API makes {kind} happen: {ELSEWHERE[kind]}")
    return kind


async def trigger_event(api: Api, kind: EventType, tell: Callable[[str], None]) -> None:
    await require_sandbox(api)
    after = await newest_sequence(api.transport)
    await TRIGGERS[kind].happen(Stage(api, tell))
    try:
        with time_limit(_PATIENCE):
            event = await _next_of(kind, Follower(api.transport, after, _PAUSE, tell))
    except TimeoutError:
        raise StartupError(f"it was done, but this client sees no {kind}: has it the scope to read it?") from None
    tell(f"{kind}  sequence {event.head.sequence}  {subject(event.head.data)}".rstrip())


async def _next_of(kind: EventType, follower: Follower) -> FollowedEvent:
    return await anext(event async for event in follower.events() if event.head.type == kind)


def list_lines() -> Iterator[str]:
    width = max(map(len, EventType))
    yield from (f"{kind:<{width}}  {trigger.does}" for kind, trigger in TRIGGERS.items())
    yield ""
    yield "Not made by this command, because:"
    yield from (f"{kind:<{width}}  {reason}" for kind, reason in ELSEWHERE.items())
