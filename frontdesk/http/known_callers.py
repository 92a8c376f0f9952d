"""Whose turn a request is: tenants share the connections to the database, and so do strangers."""

import os
from collections import OrderedDict
from collections.abc import Hashable

from frontdesk.net.addresses import address_prefix

_MAX = 8192
_SALT = os.urandom(8)  # so that nobody knows which networks share a turn
_STRANGERS = 8  # turns of all requests whose tenant is not known, whatever number of addresses they come from


class KnownCallers:
    """The tenants of secrets and public pages that the database has confirmed, as far as this process remembers.

    Nothing but the order of waiting follows from it. What a request claims is not believed before: otherwise anybody
    could wait in another tenant's place, or under as many names as they like.
    """

    def __init__(self) -> None:
        self._turns: OrderedDict[Hashable, Hashable] = OrderedDict()

    def find(self, secret: Hashable) -> Hashable | None:
        turn = self._turns.get(secret)
        if turn is not None:
            self._turns.move_to_end(secret)
        return turn

    def remember(self, secret: Hashable, turn: Hashable) -> None:
        self._turns[secret] = turn
        if len(self._turns) > _MAX:
            self._turns.popitem(last=False)

    def forget(self, secret: Hashable) -> None:
        self._turns.pop(secret, None)


def stranger(address: str) -> Hashable:
    """One of a few turns, by the network that the request comes from."""
    return "strangers", hash((address_prefix(address), _SALT)) % _STRANGERS
