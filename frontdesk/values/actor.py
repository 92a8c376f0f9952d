"""Who makes a change."""

from typing import Literal, NamedTuple
from uuid import UUID


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


SYSTEM = Actor("system", None)
COMMAND = Actor("system", None, "command")  # an operator who uses the command line of the server


def customer_online(address: str | None) -> Actor:
    """A customer on the public pages of a business."""
    return Actor("customer", None, address)
