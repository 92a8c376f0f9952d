"""What only sandboxes have."""

import msgspec


class SandboxClock(msgspec.Struct):
    now: str
    seconds_ahead: int
