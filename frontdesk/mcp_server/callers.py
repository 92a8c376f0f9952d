"""Whose token a tool uses, and what that token may do."""

import time
from collections import OrderedDict
from typing import NamedTuple, Protocol

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server.api import Api
from frontdesk.mcp_server.confirmation import Confirmations
from frontdesk_client.request import ApiRequest, post_query
from frontdesk_client.retry import RetryPolicy
from frontdesk_client.session import Credentials, Session
from frontdesk_client.transports import AsyncTransport

_RETRY_POLICY = RetryPolicy(max_delay=10.0)  # a person waits for the answer
_KNOWN_SECONDS = 30.0  # after that the business may have approved or taken away scopes
_KNOWN_TOKENS = 1000
_LONGEST_TOKEN = 512  # that can be asked about


class Caller(NamedTuple):
    api: Api
    scopes: frozenset[Scope]
    confirmations: Confirmations


class Callers(Protocol):
    async def current(self) -> Caller:
        """The caller of the tool that runs now."""
        ...


class _Introspection(msgspec.Struct):
    active: bool
    scope: str = ""


class Client:
    """The API client of the environment. It asks what its tokens may do; tokens of other clients are unknown to it."""

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        self._confirmations = Confirmations(client_secret)
        self._base_url, self._credentials = base_url, Credentials(client_id, client_secret)
        self._transport = AsyncTransport(Session(base_url, self._credentials, None, _RETRY_POLICY))
        self._known: OrderedDict[str, tuple[float, frozenset[Scope] | None]] = OrderedDict()

    async def own_caller(self) -> Caller:
        token = await self._transport.authorize()
        return Caller(Api(self._transport), await self.scopes(token) or frozenset(), self._confirmations)

    async def caller(self, token: str) -> Caller | None:
        """None if this is no valid token of this client."""
        scopes = await self.scopes(token)
        if scopes is None:
            return None
        session = Session(self._base_url, None, token, _RETRY_POLICY)
        return Caller(Api(AsyncTransport(session, self._transport.http_client)), scopes, self._confirmations)

    async def scopes(self, token: str) -> frozenset[Scope] | None:
        if len(token) > _LONGEST_TOKEN:
            return None
        now = time.monotonic()
        read_at, scopes = self._known.get(token, (now - _KNOWN_SECONDS, None))
        if now - read_at < _KNOWN_SECONDS:
            return scopes
        self._known[token] = now, await self._introspect(token)
        while len(self._known) > _KNOWN_TOKENS:
            self._known.popitem(last=False)
        return self._known[token][1]

    async def close(self) -> None:
        await self._transport.http_client.aclose()

    async def _introspect(self, token: str) -> frozenset[Scope] | None:
        request: ApiRequest[_Introspection] = post_query(
            "/oauth/introspect",
            _Introspection,
            client_id=self._credentials.client_id,
            client_secret=self._credentials.client_secret,
            token=token,
        )
        found = await self._transport.send(request)
        return frozenset(scope for scope in Scope if scope in found.scope.split()) if found.active else None
