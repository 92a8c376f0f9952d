"""An act: one change of a business, as a value. The surfaces run it, and a preview asks it to decide and stops there.

An act says what it reads (`load`, a query with the lock of its rows), and how it decides (`decide`): it raises a
problem, or returns the call of one database function. `write.py` runs it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query
from frontdesk.values.actor import Actor
from frontdesk.values.tenant_context import TenantContext

L = TypeVar("L")
NO_ERRORS: Mapping[str, Callable[[], Exception]] = MappingProxyType({})


class Context(NamedTuple, Generic[L]):
    """What an act decides with."""

    tenant: TenantContext
    actor: Actor
    loaded: L  # the result of `load`


class FunctionCall(NamedTuple):
    """A call of a database function with the tenant and `argument` as JSON, to which the actor is added.

    Without a function nothing is written, and the response is read.
    """

    function: str | None
    argument: object
    response: "ResponseDocument | None" = None
    secret: "NewSecret | None" = None  # added to the response
    stored: bytes | None = None  # what an Idempotency-Key stores instead of the response
    failure: Callable[[], Exception] | None = None  # the error if the database fails; None: 503
    custom_data: Mapping[str, object] | None = None  # what an application stores with the record of the response
    errors: Mapping[str, Callable[[], Exception]] = NO_ERRORS  # by SQLSTATE; others mean that the data has changed


class ResponseDocument(NamedTuple):
    """A published form: the database function that returns it, and the id of the record."""

    function: str
    id: UUID


class NewSecret(NamedTuple):
    """A new secret, for the response and for storage."""

    text: str
    encrypted: bytes


class Act(msgspec.Struct, Generic[L], frozen=True):
    def load(self) -> Query[L]:
        raise NotImplementedError

    def decide(self, context: Context[L]) -> FunctionCall:
        """Without side effects: it is called again if what was loaded has changed."""
        raise NotImplementedError

    def failure(self) -> Callable[[], Exception] | None:
        """The error if the database fails while it loads; None: 503."""
        return None


class ActWithoutLoad(Act[None], frozen=True):
    """An act whose function checks everything that it needs."""

    def load(self) -> Query[None]:
        return _NOTHING


_NOTHING: Query[None] = Query("SELECT true", (), lambda _: None)
