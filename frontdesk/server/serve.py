"""`frontdesk serve`: binds the port, migrates the database, and serves requests until it is stopped."""

import gc
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker

import uvicorn
from prometheus_client import multiprocess
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from frontdesk.config import Settings, read_settings
from frontdesk.demo_data.create import create_sandbox
from frontdesk.demo_data.report import Report, report_lines
from frontdesk.errors import StartupError
from frontdesk.http.protocol import BoundedProtocol
from frontdesk.net.email_domains import DomainChecker
from frontdesk.net.listener import bind as bind_port
from frontdesk.postgres.sending import NOT_SENDING, held_since
from frontdesk.runtime.async_stop_signals import call_on_stop, run_async
from frontdesk.runtime.log_setup import configure_logs
from frontdesk.runtime.stop_signals import Stopped, catch_stop_signals, check_stop, stop_count, wait_for_stop
from frontdesk.server.app import Frontdesk
from frontdesk.server.database import (
    find_secret_keys,
    migrated_connection,
    print_status,
    request_address,
    supervised_database,
)
from frontdesk.server.measure import METRICS_FOLDER
from frontdesk.server.metrics import bind_metrics, serving_metrics
from frontdesk.server.tracing import check_traces, start_traces
from frontdesk.tenants.queries import exists_any_tenant

_DSN = "FRONTDESK_SERVE_DSN"  # passes the database address to the server processes
_KEYS = "FRONTDESK_SECRET_KEY"  # passes the encryption keys
_DELIVER = "FRONTDESK_SERVE_DELIVER"
_BACKLOG = 2048
_POLL_SECONDS = 0.5
_DRAIN_SECONDS = 40.0  # requests have ten seconds to finish, deliveries eight
_READY_TIMEOUT = 30  # seconds until a server process that does not respond is killed


def serve(settings: Settings, *, sandbox: bool, deliver: bool = True) -> None:
    with suppress(Stopped):
        _serve(settings, sandbox=sandbox, deliver=deliver)


def _serve(settings: Settings, *, sandbox: bool, deliver: bool) -> None:
    _check_resolver(settings)
    check_traces(settings)
    listener, metrics_listener = bind(settings), bind_metrics(settings)
    with supervised_database(settings) as dsn, _metrics_folder(settings) as metrics:
        first_sandbox, keys, is_held = run_async(_prepare(dsn, settings, sandbox=sandbox))
        listener.listen(_BACKLOG)  # connections wait in the backlog until a server process accepts them
        for line in _startup_banner(settings, first_sandbox):
            print_status(line)
        if is_held:
            print_status(NOT_SENDING)
        os.environ[_DSN], os.environ[_KEYS] = request_address(dsn, settings), " ".join(keys)
        os.environ.pop(f"{_KEYS}_FILE", None)
        os.environ[_DELIVER] = "on" if deliver else "off"
        with serving_metrics(metrics_listener, dsn, metrics):
            run_servers(settings, listener)


@contextmanager
def _metrics_folder(settings: Settings) -> Iterator[str | None]:
    """Where several server processes write their metrics; PROMETHEUS_MULTIPROC_DIR names it."""
    if settings.metrics is None or settings.workers == 1:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="frontdesk-metrics-") as folder:
        os.environ[METRICS_FOLDER] = folder
        yield folder


def create_app() -> Frontdesk:
    """The application factory of each server process."""
    _stop_with_parent()
    settings = read_settings()
    configure_logs(settings.log_format)
    start_traces(settings)
    deliver = os.environ[_DELIVER] == "on"
    app = Frontdesk(settings, os.environ[_DSN], deliver=deliver)
    _tune_interpreter()
    return app


def _tune_interpreter() -> None:
    """Freezes start-up objects and raises the GC thresholds; requests create few reference cycles.

    A thread that computes a report gives way to the event loop after a millisecond, not after five.
    """
    sys.setswitchinterval(0.001)
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def bind(settings: Settings) -> socket.socket:
    return bind_port(settings.host, settings.port, "FRONTDESK_HOST and FRONTDESK_PORT")


def run_servers(settings: Settings, listener: socket.socket) -> None:
    config = uvicorn.Config(
        create_app,  # a server process imports this module before it handles signals
        factory=True,
        loop="uvloop",
        http=BoundedProtocol,
        ws="none",
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),  # other clients could forge them
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=10,
        timeout_worker_healthcheck=_READY_TIMEOUT,
        backlog=_BACKLOG,
    )
    check_stop()
    if settings.workers > 1:
        _ServerProcesses(config, sockets=[listener]).run()
    else:
        _Server(config).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A single server process. uvicorn's own handlers would raise the signal again after draining."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        with call_on_stop(self._drain, self._force_exit):
            yield

    def _drain(self) -> None:
        self.should_exit = True

    def _force_exit(self) -> None:
        self.force_exit = True


class _ServerProcesses(Multiprocess):
    """Several server processes. They ignore Ctrl-C, which a terminal sends to all of them; the parent stops them."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        catch_stop_signals()  # replaces the handlers that uvicorn installed

    def run(self) -> None:
        self.init_processes()
        while not (wait_for_stop(_POLL_SECONDS) or self.should_exit.is_set()):
            self.handle_signals()
            self.keep_subprocess_alive()
        self.terminate_all()
        self.join_all()

    def init_processes(self) -> None:
        resource_tracker.ensure_running()  # starting it later would unblock SIGINT
        with _sigint_blocked():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        if all(map(_is_ready, self.processes)):
            return
        if METRICS_FOLDER in os.environ:
            for ended in (process.process for process in self.processes if not process.process.is_alive()):
                multiprocess.mark_process_dead(ended.pid)  # type: ignore[no-untyped-call]
        with _sigint_blocked():
            super().keep_subprocess_alive()

    def join_all(self) -> None:
        """Kills processes that do not drain in time, or at once if a second stop is requested."""
        deadline = time.monotonic() + _DRAIN_SECONDS
        for process in self.processes:
            while process.process.is_alive():
                process.process.join(_POLL_SECONDS)
                if stop_count() > 1 or time.monotonic() > deadline:
                    process.process.kill()


def _is_ready(process: Process) -> bool:
    """Polls every second, so that a stop does not wait for a process that is still starting."""
    for _ in range(_READY_TIMEOUT):
        if wait_for_stop(0) or process.ping(timeout=1):
            return True
        if not process.process.is_alive():
            return False
    process.process.kill()
    process.process.join()
    return False


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Blocked, not ignored: child processes inherit the mask, and our own signal stays pending."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


async def _prepare(dsn: str, settings: Settings, *, sandbox: bool) -> tuple[Report | None, tuple[str, ...], bool]:
    """Migrates, loads the encryption keys and, if requested, creates a sandbox in an empty database.

    The last value: mail and webhooks are not sent.
    """
    async with migrated_connection(dsn, embedded=settings.database_url is None) as conn:
        keys = await find_secret_keys(conn, settings)
        if not sandbox or await exists_any_tenant(conn):
            return None, keys, await held_since(conn) is not None
        return Report.of(await create_sandbox(conn), settings.address), keys, False


def _startup_banner(settings: Settings, first_sandbox: Report | None) -> list[str]:
    lines = [
        "",
        f"Frontdesk is running at {settings.address}",
        f"  Dashboard       {settings.address}/",
        f"  Open API        {settings.address}/open-api/v1",
        f"  POS API         {settings.address}/api/v1",
        f"  Documentation   {settings.address}/docs",
        f"  Health          {settings.address}/health/ready",
    ]
    if first_sandbox:
        lines += ["", "A sandbox was created. Its secrets are shown only once:", *report_lines(first_sandbox)]
    return [*lines, "", "Press Ctrl-C to stop.", ""]


def _check_resolver(settings: Settings) -> None:
    try:
        DomainChecker(enabled=True, resolver=settings.email_resolver)
    except ValueError as error:
        raise StartupError(
            f"FRONTDESK_EMAIL_RESOLVER is {settings.email_resolver!r}: set it to an address such as 9.9.9.9 or [::1]:53"
        ) from error


def _stop_with_parent() -> None:
    """A killed parent cannot stop its server processes; without this they would keep the port open."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_stop_after, args=(parent,), name="parent-watch", daemon=True).start()


def _stop_after(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
