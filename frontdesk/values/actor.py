"""Who makes a change."""

from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec


class Actor(NamedTuple):
    """An API client, an API key, a user, a customer, or the service itself.

    `address` is where the request came from. A customer has no id, because customers do not sign in. `approved_by` is
    the owner or manager who allowed what this user alone may not do.
    """

    type: Literal["app", "key", "user", "customer", "system"]
    id: UUID | None
    address: str | None = None
    approved_by: UUID | None = None
    approval_reason: str | None = None

    @property
    def user_id(self) -> UUID | None:
        """None if it is not a user."""
        return self.id if self.type == "user" else None


class Author(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has changed a part of an order after it was made, as it is stored with that part."""

    type: Literal["app", "key", "user", "customer", "system"]
    at: datetime
    id: UUID | None = None


def author_of(actor: Actor, at: datetime) -> Author:
    return Author(actor.type, at, actor.id)


SYSTEM = Actor("system", None)
COMMAND = Actor("system", None, "command")  # an operator who uses the command line of the server


def customer_online(address: str | None) -> Actor:
    """A customer on the public pages of a business."""
    return Actor("customer", None, address)
