"""`frontdesk serve`: bind, reach the database, migrate, then answer until told to stop."""

import asyncio
import os
import signal
import socket
import tempfile
from types import FrameType

import uvicorn
from uvicorn.supervisors import Multiprocess

from frontdesk.app import Frontdesk
from frontdesk.config import Settings, read_settings
from frontdesk.errors import StartupError
from frontdesk.logs import configure_logs
from frontdesk.opening import current_database, database_address, say
from frontdesk.sandbox.make import make_sandbox
from frontdesk.sandbox.report import Report, report_lines
from frontdesk.web.protocol import BoundedProtocol

_DSN = "FRONTDESK_SERVE_DSN"  # how a server process learns the address that its parent reached
_METRICS = "PROMETHEUS_MULTIPROC_DIR"


def serve(settings: Settings, *, sandbox: bool) -> None:
    listening = bind(settings)
    signal.signal(signal.SIGTERM, _end)
    with database_address(settings) as dsn, tempfile.TemporaryDirectory(prefix="frontdesk-metrics-") as metrics:
        first_sandbox = asyncio.run(_prepare(dsn, settings, sandbox=sandbox))
        for line in _greeting(settings, first_sandbox):
            say(line)
        os.environ[_DSN] = dsn
        if settings.workers > 1:
            os.environ[_METRICS] = metrics
        run_servers(settings, listening)


def create_app() -> Frontdesk:
    """What each server process runs."""
    configure_logs()
    return Frontdesk(read_settings(), os.environ[_DSN], os.environ.get(_METRICS))


def bind(settings: Settings) -> socket.socket:
    """Before anything else is started, so that a port that is taken costs nothing but this line."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as failure:
        listening.close()
        reason = (failure.strerror or str(failure)).lower()
        raise StartupError(
            f"cannot listen on {settings.host} port {settings.port} ({reason}): "
            "stop what is there, or set FRONTDESK_HOST and FRONTDESK_PORT"
        ) from failure
    listening.set_inheritable(True)
    return listening


def run_servers(settings: Settings, listening: socket.socket) -> None:
    config = uvicorn.Config(
        "frontdesk.serve:create_app",
        factory=True,
        loop="uvloop",
        http=BoundedProtocol,
        ws="none",
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
        backlog=2048,
    )
    if settings.workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        uvicorn.Server(config).run(sockets=[listening])


async def _prepare(dsn: str, settings: Settings, *, sandbox: bool) -> Report | None:
    """Migrate; on an empty database that wants one, make the first sandbox."""
    async with current_database(dsn) as conn:
        if not sandbox or await conn.fetchval("SELECT EXISTS (SELECT FROM tenants)"):
            return None
        return Report.of(await make_sandbox(conn), settings.address)


def _greeting(settings: Settings, first_sandbox: Report | None) -> list[str]:
    lines = [
        "",
        f"Frontdesk answers on {settings.address}",
        f"  Open API        {settings.address}/open-api/v1",
        f"  Key interface   {settings.address}/api/v1",
        f"  Health          {settings.address}/health/ready",
    ]
    if first_sandbox:
        lines += ["", "A sandbox was made for you; its secrets are shown this once:", *report_lines(first_sandbox)]
    return [*lines, "", "Ctrl-C stops it.", ""]


def _end(_number: int, _frame: FrameType | None) -> None:
    """uvicorn drains and then raises the signal again; leaving by an exception lets the database be stopped."""
    raise SystemExit(0)
