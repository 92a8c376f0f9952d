"""The published forms of what a sandbox has beyond other businesses: the types."""

import msgspec

from frontdesk.values.api_types import Timestamp


class SandboxClock(msgspec.Struct):
    now: Timestamp  # the time of the business, which goes on by itself
    seconds_ahead: int  # of the real time
