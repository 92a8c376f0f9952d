"""Puts the surfaces together under one ASGI application; the only place that knows all of them."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

import asyncpg

from frontdesk.apis.open import oauth
from frontdesk.apis.open.api import PREFIX as OPEN_API_PREFIX
from frontdesk.apis.open.api import open_api
from frontdesk.apis.pos.api import key_api
from frontdesk.auth.request_log import RequestLog
from frontdesk.config import Settings
from frontdesk.docs_site.site import documentation
from frontdesk.errors import Code, WireError
from frontdesk.http.access_log import Records
from frontdesk.http.lifecycle import answer_call
from frontdesk.http.request import Call, Resources
from frontdesk.http.responses import Answer, json_answer
from frontdesk.net.dns import Names
from frontdesk.net.email_domains import DomainChecker
from frontdesk.postgres.pool import Database, DatabaseBusy
from frontdesk.security.encryption import Vault
from frontdesk.server.cleanup import keep_house
from frontdesk.server.static_files import static_file
from frontdesk.server.worker import delivering
from frontdesk.ui.app import dashboard

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Page = Callable[[Call], Awaitable[Answer]]


class Frontdesk:
    """One process of the service."""

    def __init__(self, settings: Settings, dsn: str, *, deliver: bool = False) -> None:
        self.resources = Resources(
            settings,
            Database(dsn),
            DomainChecker(settings.email_dns, settings.email_resolver),
            Vault(settings.secret_keys),
            Names(),
        )
        self.surfaces = [open_api(), key_api()]
        self._requests = RequestLog(
            self.resources.database,
            {f"{o.method} {s.prefix}{o.path}": o.scope for s in self.surfaces for o in s.operations},
        )
        self._records = Records(self._requests)
        self.dashboard = dashboard()
        self._dsn = dsn
        self._deliver = deliver
        self._pages: dict[str, Page] = {
            "/health/live": self._live,
            "/health/ready": self._ready,
            "/.well-known/oauth-authorization-server": self._oauth_metadata,
            **documentation(),
        }

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await answer_call(scope, receive, send, self.resources, self._records, self._handle)
        elif scope["type"] == "lifespan":
            await self._live_and_die(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _handle(self, call: Call) -> Answer:
        if call.path not in self._pages:
            for surface in self.surfaces:
                if call.path.startswith(surface.prefix) and call.path[len(surface.prefix) :][:1] in ("", "/"):
                    return await surface.handle(call)
        page: Page
        if call.path.startswith("/static/"):
            page = static_file
        elif call.path in self._pages:
            page = self._pages[call.path]
            call.route = f"GET {call.path}"
        else:
            return await self.dashboard.handle(call)
        if call.method != "GET":
            raise WireError(Code.METHOD_NOT_ALLOWED, "This address answers GET, HEAD.", headers={"allow": "GET, HEAD"})
        return await page(call)

    async def _live_and_die(self, receive: Receive, send: Send) -> None:
        housekeeping = asyncio.create_task(keep_house(self.resources.database))
        writing = asyncio.create_task(self._requests.keep_writing())
        delivery = AsyncExitStack()
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                if self._deliver:
                    await delivery.enter_async_context(self._delivering())
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                housekeeping.cancel()
                self._records.tell()
                self._requests.end()
                await writing
                await delivery.aclose()
                await self.resources.database.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _delivering(self) -> AbstractAsyncContextManager[object]:
        return delivering(self.resources.settings, self._dsn, self.resources.vault, self.resources.names)

    async def _live(self, _call: Call) -> Answer:
        return json_answer({"status": "ok"})

    async def _ready(self, call: Call) -> Answer:
        try:
            async with call.connection() as conn:
                await conn.fetchval("SELECT 1")
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, DatabaseBusy):
            return json_answer({"status": "the database does not answer"}, 503, {"retry-after": "1"})
        return json_answer({"status": "ok"})

    async def _oauth_metadata(self, call: Call) -> Answer:
        return oauth.metadata(call.origin, OPEN_API_PREFIX)
