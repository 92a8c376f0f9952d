"""An import of many customers through the pages: upload, check, run; then their export, and undo.

The list of orders is requested while the table is checked and imported. Each table is imported into a business of its
own by a new server process, so that its peak memory is of this import.
"""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from bench import bounds
from bench.import_files import as_csv, as_workbook
from bench.report import progress
from bench.results import Check, Result, percentile
from bench.run import Run
from bench.tenants import TenantAccess, make_sandbox
from bench.usage import cpu_seconds, peak_bytes
from frontdesk.postgres.pool import Connection
from frontdesk.ui.shell.csrf import CSRF_FIELD, csrf_token

_SMALL = 1_000  # rows, whose check and run may end before the page is read again
_TIMEOUT = 600
_EXPORTS = ("customers.csv", "customers.xlsx", "business.zip")
_POLL = 0.25  # seconds
_BOUNDARY = "bench-boundary"
_PROGRESS = re.compile(rb'<progress value="(\d+)"')
_VERSION = re.compile(rb'name="version" value="(\d+)"')
_BRANCH = re.compile(rb'name="branch" value="([^"]+)"|<option value="([0-9a-f-]{36})"')


class Step(NamedTuple):
    name: str
    seconds: float
    service: float  # seconds of CPU time
    database: float


class Imported(NamedTuple):
    steps: list[Step]
    peak: float  # MB
    peak_of_exports: float  # MB, with what the exports took after the import
    waits: list[float]  # of the list of orders during check and run, in order of length

    @property
    def seconds(self) -> float:
        """Until everything is there: without undo."""
        return sum(step.seconds for step in self.steps[:3])


def measure(run: Run) -> Result:
    count = run.size.imported_rows
    small = _import(run, as_csv(count // 10), "customers.csv", count // 10)
    table = _import(run, as_csv(count), "customers.csv", count)
    workbook = _import(run, as_workbook(count), "customers.xlsx", count)
    bound = bounds.IMPORT_SECONDS[count]
    return Result(
        checks=[
            Check(f"seconds of {count:,} customers in a CSV file", table.seconds, bound),
            Check(f"seconds of {count:,} customers in a workbook", workbook.seconds, bound),
            *(
                Check(
                    f"peak memory to an import of a tenth, {name} ({imported.peak:.0f} / {small.peak:.0f} MB)",
                    imported.peak / small.peak,
                    bounds.IMPORT_MEMORY,
                )
                for name, imported in (("CSV file", table), ("workbook", workbook))
            ),
            Check(
                f"peak memory with exports to those of a tenth ({table.peak_of_exports:.0f} / "
                f"{small.peak_of_exports:.0f} MB)",
                table.peak_of_exports / small.peak_of_exports,
                bounds.IMPORT_MEMORY,
            ),
        ]
    )


def _import(run: Run, content: bytes, name: str, count: int) -> Imported:
    access = run.prepare(make_sandbox)
    before = run.query(lambda conn: _customers(conn, access.tenant_id))
    with run.service() as service:
        browser = _Browser(service.port, access)
        steps: list[Step] = []

        @contextmanager
        def step(title: str) -> Iterator[None]:
            began, used = time.monotonic(), (cpu_seconds(service.pid), cpu_seconds(run.postmaster))
            yield
            now = (cpu_seconds(service.pid), cpu_seconds(run.postmaster))
            steps.append(Step(title, time.monotonic() - began, now[0] - used[0], now[1] - used[1]))

        with step("upload"):
            path = browser.upload(content, name)
        with _looking_at_orders(service.port, access) as waits:
            with step("check"):
                seen = browser.wait(path)
            with step("run"):
                browser.post(f"{path}/run", {"version": browser.find(path, _VERSION)})
                seen += browser.wait(path)
        _require(run.query(lambda conn: _customers(conn, access.tenant_id)) == before + count, "not all were imported")
        peak = peak_bytes(service.pid) / 1e6
        for exported in _EXPORTS:
            with step(exported):
                browser.get(f"/export/{exported}")
        peak_of_exports = peak_bytes(service.pid) / 1e6
        with step("undo"):
            browser.post(f"{path}/undo", {})
            browser.wait(path)
        _require(run.query(lambda conn: _customers(conn, access.tenant_id)) == before, "not all were undone")
    _require(count <= _SMALL or len(set(seen)) > 2, "the page showed no progress")  # of the check, and of the run
    imported = Imported(steps, peak, peak_of_exports, sorted(waits))
    _show(name, count, imported)
    return imported


def _show(name: str, count: int, imported: Imported) -> None:
    p50, p99 = (percentile(imported.waits, percent) * 1000 for percent in (50, 99))
    progress(
        f"{name}, {count:,} rows: {imported.seconds:.1f} s, peak {imported.peak:.0f} MB, "
        f"with exports {imported.peak_of_exports:.0f} MB"
    )
    for step in imported.steps:
        used = f"CPU time of the service {step.service:.1f} s, of the database {step.database:.1f} s"
        progress(f"  {step.name:<15}{step.seconds:6.1f} s, {used}")
    progress(f"  GET /orders meanwhile: {len(imported.waits)} times, median {p50:.0f} ms, 99 % {p99:.0f} ms")


@contextmanager
def _looking_at_orders(port: int, access: TenantAccess) -> Iterator[list[float]]:
    ended, waits = Event(), list[float]()
    browser = _Browser(port, access)

    def look() -> None:
        while not ended.wait(_POLL):
            began = time.monotonic()
            browser.get("/orders")
            waits.append(time.monotonic() - began)

    thread = Thread(target=look)
    thread.start()
    try:
        yield waits
    finally:
        ended.set()
        thread.join()
    if not waits:
        look_once = time.monotonic()
        browser.get("/orders")
        waits.append(time.monotonic() - look_once)


class _Browser:
    def __init__(self, port: int, access: TenantAccess) -> None:
        self._port = port
        self._headers = {"cookie": f"frontdesk_session={access.session}", "accept": "text/html"}
        self._token = csrf_token(access.session, access.tenant_id)

    def get(self, path: str) -> tuple[Mapping[str, str], bytes]:
        status, headers, body = self._send("GET", path)
        _require(status == 200, f"{path} was answered with {status}")
        return headers, body

    def find(self, path: str, pattern: re.Pattern[bytes]) -> str:
        found = pattern.search(self.get(path)[1])
        _require(found is not None, f"{path} has no {pattern.pattern!r}")
        return next(group for group in found.groups() if group).decode() if found else ""

    def post(self, path: str, fields: Mapping[str, str]) -> str:
        body = urlencode({**fields, CSRF_FIELD: self._token}).encode()
        return self._post(path, body, "application/x-www-form-urlencoded")

    def upload(self, content: bytes, name: str) -> str:
        """Returns the path of the import."""
        fields = {"kind": "customers", "country": "SA", "branch": self.find("/import", _BRANCH)}
        parts = [
            f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
            for field, value in {CSRF_FIELD: self._token, **fields}.items()
        ]
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = b"".join(("".join(parts).encode(), head.encode(), content, f"\r\n--{_BOUNDARY}--\r\n".encode()))
        return self._post("/import", body, f"multipart/form-data; boundary={_BOUNDARY}")

    def wait(self, path: str) -> list[int]:
        """Until the step of the import has ended, as the page that reloads itself says. Returns its progress."""
        shown = []
        deadline = time.monotonic() + _TIMEOUT
        while True:
            headers, body = self.get(path)
            found = _PROGRESS.search(body)
            shown += [int(found[1])] if found else []
            if "refresh" not in headers:
                return shown
            _require(time.monotonic() < deadline, "the import does not end")
            time.sleep(_POLL)

    def _post(self, path: str, body: bytes, content_type: str) -> str:
        status, headers, answer = self._send("POST", path, body, {"content-type": content_type})
        _require(status == 303, f"{path} was answered with {status}: {answer[-500:]!r}")
        return headers["location"]

    def _send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_TIMEOUT)
        try:
            connection.request(method, path, body, {**self._headers, **(headers or {})})
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise SystemExit(f"bench: {message}")


async def _customers(conn: Connection, tenant_id: UUID) -> int:
    found: int = await conn.fetchval("SELECT count(*) FROM customers WHERE tenant_id = $1", tenant_id)
    return found
