"""One line for each event, and what the receiver answered to it."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from frontdesk.developer_tools.following import FollowedEvent, Follower
from frontdesk.developer_tools.sending import ReceiverConnection, Reply

Print = Callable[[str], None]


class Listening(msgspec.Struct):
    follower: Follower
    types: Collection[str]  # empty: all
    secret: str
    as_json: bool
    out: Print

    async def run(self, receiver: ReceiverConnection | None) -> None:
        """Until it is cancelled. An event whose forward fails is not sent again: the line says why."""
        async for event in self.follower.events():
            if self.types and event.head.type not in self.types:
                continue
            reply = None
            if receiver is not None:
                reply = await receiver.deliver(event.head.id, event.body, [self.secret])
            self.out(_json_line(event, reply) if self.as_json else _line(event, reply))


def _line(event: FollowedEvent, reply: Reply | None) -> str:
    head = event.head
    line = f"{head.timestamp[:19]}Z  {head.sequence:>6}  {head.type:<28}  {subject(head.data):<45}"
    return line.rstrip() if reply is None else f"{line}  {reply}"


def _json_line(event: FollowedEvent, reply: Reply | None) -> str:
    line = {"event": msgspec.Raw(event.body), "forward": None if reply is None else reply._asdict()}
    return msgspec.json.encode(line).decode()


def subject(data: Mapping[str, Any]) -> str:
    """The record that an event is about, such as `order 018f…`."""
    for name, value in data.items():
        if isinstance(value, dict):
            return f"{name} {value['id']}" if value.get("id") else subject(value)
    return next((f"{name[:-3]} {value}" for name, value in data.items() if name.endswith("_id") and value), "")
