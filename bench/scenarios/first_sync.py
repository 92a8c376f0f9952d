"""The first copy of a business: `POST /exports` of its customers and orders, while customers are created.

A rate is that of the whole export, until its file is there.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any

import msgspec

from bench import bounds
from bench.large_tenants import make_large_tenant
from bench.report import progress
from bench.requests import OPEN_API
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import TenantAccess
from bench.usage import cpu_seconds
from frontdesk.postgres.pool import Connection

_RESOURCES = ("customers", "orders")
_MILLION = 1_000_000
_POLL = 0.25  # seconds
_TIMEOUT = 1_800
_WRITE_EVERY = 0.2  # seconds


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> TenantAccess:
        progress(f"inserting {run.size.synced_rows:,} customers and orders")
        return await make_large_tenant(run.dsn, conn, run.size.synced_rows)

    access = run.prepare(make)
    rates = []
    with run.service() as service:
        for resource in _RESOURCES:
            used = cpu_seconds(service.pid), cpu_seconds(run.postmaster)
            with _creating_customers(service.port, access) as created:
                began = time.monotonic()
                export = _export(service.port, access, resource)
                rates.append(export["records"] / (time.monotonic() - began))
            spent = [cpu_seconds(pid) - before for pid, before in zip((service.pid, run.postmaster), used, strict=True)]
            if export["status"] != "done" or export["records"] < run.size.synced_rows or not created:
                raise RuntimeError(f"the export of {resource} is not whole: {export}, {len(created)} created meanwhile")
            progress(
                f"{rates[-1]:,.0f} {resource} in a second, {len(created)} created meanwhile "
                f"(CPU: service {spent[0]:.1f} s, database {spent[1]:.1f} s)"
            )
    shown = " and ".join(f"{rate:,.0f} {resource}" for rate, resource in zip(rates, _RESOURCES, strict=True))
    name = f"seconds of a million records, half customers and half orders, at {shown} in a second"
    return Result(checks=[Check(name, sum(_MILLION / len(rates) / rate for rate in rates), bounds.MILLION_SECONDS)])


def _export(port: int, access: TenantAccess, resource: str) -> dict[str, Any]:
    export = _call(port, access, "POST", "/exports", {"resources": [resource]})
    deadline = time.monotonic() + _TIMEOUT
    while export["status"] in {"queued", "running"} and time.monotonic() < deadline:
        time.sleep(_POLL)
        export = _call(port, access, "GET", f"/exports/{export['id']}")
    return export


@contextmanager
def _creating_customers(port: int, access: TenantAccess) -> Iterator[list[str]]:
    created: list[str] = []
    stop = Event()

    def create() -> None:
        while not stop.wait(_WRITE_EVERY):
            body = {"first_name": "Meanwhile", "last_name": f"Number {len(created)}"}
            created.append(_call(port, access, "POST", "/customers", body)["id"])

    thread = Thread(target=create)
    thread.start()
    try:
        yield created
    finally:
        stop.set()
        thread.join()


def _call(port: int, access: TenantAccess, method: str, path: str, body: object = None) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"authorization": f"Bearer {access.token}", "content-type": "application/json"}
    connection.request(method, OPEN_API + path, msgspec.json.encode(body) if body is not None else None, headers)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    if response.status >= 400:
        raise RuntimeError(f"{method} {path} answered {response.status}: {content!r}")
    data: dict[str, Any] = msgspec.json.decode(content)["data"]
    return data
