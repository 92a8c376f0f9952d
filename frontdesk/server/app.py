"""The ASGI application: combines the APIs, the dashboard and the documentation."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from typing import Any

from frontdesk.apis.open import oauth
from frontdesk.apis.open.api import PREFIX as OPEN_API_PREFIX, open_api
from frontdesk.apis.openapi.build import operation_errors
from frontdesk.apis.pos.api import pos_api
from frontdesk.apis.problems import JSON
from frontdesk.auth.request_log import RequestLog
from frontdesk.config import Settings
from frontdesk.docs_site.site import documentation
from frontdesk.exports.record_worker import RecordExportWorker
from frontdesk.http.access_log import RequestRecorder
from frontdesk.http.app_state import AppState
from frontdesk.http.lifecycle import handle_request
from frontdesk.http.problems import RequestProblem
from frontdesk.http.protocol import ORIGIN
from frontdesk.http.request import CONNECTION_WAIT_SECONDS, Request
from frontdesk.http.responses import Response, json_response
from frontdesk.imports.worker import ImportWorker
from frontdesk.live.feed import LiveFeed
from frontdesk.net.dns import DnsResolver
from frontdesk.net.email_domains import DomainChecker
from frontdesk.pictures.removal import removing_unused
from frontdesk.postgres.health import ReadyCheck
from frontdesk.postgres.pool import Pool
from frontdesk.postgres.replica import Replica
from frontdesk.postgres.supervise import failing_tasks, supervise
from frontdesk.problems import Problem
from frontdesk.runtime.slow_work import CONNECTIONS
from frontdesk.runtime.tracing import tracing
from frontdesk.security.encryption import SecretBox
from frontdesk.server.cleanup import run_cleanup_loop
from frontdesk.server.measure import measure_loop
from frontdesk.server.readiness import ready_status
from frontdesk.server.static_files import static_file, static_files
from frontdesk.server.worker import WORKER_CONNECTIONS, delivering
from frontdesk.storage.store import open_store
from frontdesk.tenants.erasure import run_erasure_loop
from frontdesk.ui.app import dashboard
from frontdesk.ui.calendar_sync.feed import ROUTE as FEED_ROUTE, calendar_feed

REQUEST_CONNECTIONS = 10
CONNECTIONS_OF_TENANT = 6  # while a request of another one waits, or came a moment ago
TENANT_MEMORY_SECONDS = 1.0
WAITING_OF_TENANT = 48  # requests; further ones are refused
REPLICA_CONNECTIONS = 10
IMPORT_SETTINGS = {"statement_timeout": "120s"}
IMPORT_STATEMENT_SECONDS = 121.0
IMPORT_CONNECTIONS = 2  # one for the transaction of a run, one for its progress
MAX_CONNECTIONS = REQUEST_CONNECTIONS + CONNECTIONS + IMPORT_CONNECTIONS + WORKER_CONNECTIONS + 1  # and for readiness
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Page = Callable[[Request], Awaitable[Response]]


class Frontdesk:
    """The application of one server process."""

    def __init__(self, settings: Settings, dsn: str, *, deliver: bool = False) -> None:
        database = Pool(
            dsn,
            REQUEST_CONNECTIONS,
            CONNECTION_WAIT_SECONDS,
            share=CONNECTIONS_OF_TENANT,
            waiting=WAITING_OF_TENANT,
            memory=TENANT_MEMORY_SECONDS,
            name="requests",
            slow_seconds=settings.slow_seconds,
        )
        dns = DnsResolver()
        self.apis = [open_api(), pos_api()]
        self._requests = RequestLog(
            database, {f"{o.method} {api.prefix}{o.path}": o.scope for api in self.apis for o in api.operations}
        )
        self.resources = AppState(
            settings,
            database,
            DomainChecker(settings.email_dns, settings.email_resolver),
            SecretBox(settings.secret_keys),
            dns,
            LiveFeed(database),
            Pool(dsn, size=CONNECTIONS, name="reports", slow_seconds=settings.slow_seconds),
            RequestRecorder(self._requests),
            Replica(settings.read_database_url, REPLICA_CONNECTIONS, settings.slow_seconds)
            if settings.read_database_url
            else None,
            open_store(settings.storage, dns) if settings.storage else None,
            operations=operation_errors(),
        )
        self.dashboard = dashboard()
        self._dsn = dsn
        self._ready_check = ReadyCheck(dsn)
        self._deliver = deliver
        self._pages: dict[str, Page] = {
            "/health/live": self._live,
            "/health/ready": self._ready,
            "/.well-known/oauth-authorization-server": self._oauth_metadata,
            **documentation(),
        }

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await handle_request(scope, receive, send, self.resources, self._handle, JSON)
        elif scope["type"] == "lifespan":
            scope.setdefault("state", {})[ORIGIN] = self.resources.settings.origin
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _handle(self, request: Request) -> Response:
        if request.path not in self._pages:
            for api in self.apis:
                if request.path.startswith(api.prefix) and request.path[len(api.prefix) :][:1] in ("", "/"):
                    return await api.handle(request)
        page: Page
        if request.path.startswith("/static/"):
            page = static_file
        elif request.path.startswith("/feeds/"):
            page = calendar_feed
            request.route = FEED_ROUTE
        elif request.path in self._pages:
            page = self._pages[request.path]
            request.route = f"GET {request.path}"
        else:
            return await self.dashboard.handle(request)
        if request.method != "GET":
            raise Problem(RequestProblem.WRONG_METHOD, allowed=["GET", "HEAD"])
        return await page(request)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        cleanup = supervise("clean-up", partial(run_cleanup_loop, self.resources.database))
        erasing = supervise("deletions", partial(run_erasure_loop, self.resources.slow_database))
        writing = supervise("request log", self._requests.flush_loop)
        measuring = supervise("measurements", measure_loop)
        workers = AsyncExitStack()
        database = Pool(
            self._dsn,
            size=IMPORT_CONNECTIONS,
            settings=IMPORT_SETTINGS,
            statement_seconds=IMPORT_STATEMENT_SECONDS,
            name="imports",
            slow_seconds=self.resources.settings.slow_seconds,
        )
        imports = ImportWorker(database, self.resources.import_submitted)
        by_tenant = self.resources.settings.is_distributed
        exports = RecordExportWorker(self.resources.database, self.resources.slow_database, by_tenant=by_tenant)
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                static_files()
                if self._deliver:
                    await workers.enter_async_context(self._delivering())
                if self.resources.storage is not None:
                    await workers.enter_async_context(removing_unused(self.resources.database, self.resources.storage))
                imports.start()
                exports.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await cleanup.stop()
                await erasing.stop()
                await measuring.stop()
                await imports.stop()
                await exports.stop()
                await self.resources.live.stop()
                self.resources.recorder.flush()
                self._requests.end()
                await writing.finish()
                await workers.aclose()
                self._ready_check.close()
                await self.resources.slow_database.close()
                if self.resources.replica is not None:
                    await self.resources.replica.close()
                await self.resources.database.close()
                if tracing.tracer is not None:
                    await asyncio.to_thread(tracing.tracer.close)
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _delivering(self) -> AbstractAsyncContextManager[object]:
        return delivering(self.resources.settings, self._dsn, self.resources.secret_box, self.resources.dns)

    async def _live(self, _call: Request) -> Response:
        return json_response({"status": "ok"})

    async def _ready(self, _call: Request) -> Response:
        failure = await self._ready_check.failure()
        if failure is not None:
            return json_response({"status": failure}, 503, {"retry-after": "1"})
        return json_response(ready_status(failing_tasks()))

    async def _oauth_metadata(self, request: Request) -> Response:
        return oauth.metadata(request.origin, OPEN_API_PREFIX)
