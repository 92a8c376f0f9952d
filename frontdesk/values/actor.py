"""Who makes a change."""

from typing import Literal, NamedTuple
from uuid import UUID


class Actor(NamedTuple):
    """An API client, an API key, a user, or the service itself; `address` is where the request came from."""

    type: Literal["app", "key", "user", "system"]
    id: UUID | None
    address: str | None = None


SYSTEM = Actor("system", None)
