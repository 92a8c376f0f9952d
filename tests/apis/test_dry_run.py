"""A dry run of every operation that writes leaves nothing behind, and tells what the write then does."""

import re
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest

from frontdesk.auth import request_log
from frontdesk.http.endpoints import Api, Endpoint
from frontdesk.imports import worker
from tests.apis.test_statement_budgets import OPERATIONS
from tests.support.branch import BranchFixture, open_branch
from tests.support.events import record_events
from tests.support.operation_samples import SAMPLES, FullTenant, Sample
from tests.support.pagination import Document, json_exact
from tests.support.servers.clusters import cloned_database
from tests.support.service import Service, running_service
from tests.support.waiting import eventually
from tests.support.whole_database import changed, read_whole_database

DRY = {"frontdesk-dry-run": "true"}
# The rate limit counts every request.
COUNTERS = ("rate_windows",)
# They write a whole sandbox anew, and tell nothing of it that could be tried.
WITHOUT = {"open POST /sandbox/reset", "open POST /sandbox/snapshots/{id}/restore"}
WRITES = [name for name, (_, one) in OPERATIONS.items() if one.writes and name not in WITHOUT]
# Everything else that is no GET reads, is about tokens, or does more than one act.
OTHERS = [name for name, (_, one) in OPERATIONS.items() if one.method != "GET" and name not in WRITES]
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_VARYING = (
    re.compile(r"(http\S+/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(/\S+)?"),  # or the address of a record
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"),
    re.compile(r"whsec_\S+"),
    re.compile(r"http\S+/book/\S+"),
    re.compile(r"[a-z0-9-]+-[0-9a-f]{8}"),  # a slug, which ends with a part of an id
)


class DryTenant(FullTenant):
    def __init__(self, service: Service, branch: BranchFixture) -> None:
        super().__init__(branch)
        self.http = service.http


@pytest.fixture(scope="module")
async def tenant(cluster_dsn: str, worker_id: str) -> AsyncIterator[DryTenant]:
    """In a database of its own, in which nothing runs beside the requests."""
    async with cloned_database(cluster_dsn, f"dry_{worker_id}") as dsn:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(request_log, "EVERY_SECONDS", 3600.0)
            patch.setattr(worker, "POLL_SECONDS", 3600.0)
            async with running_service(dsn) as service:
                tenant = DryTenant(service, await open_branch(await service.new_shop()))
                await tenant.fill()
                await tenant.shop.token()  # before anything is compared
                yield tenant


async def send(
    tenant: DryTenant, api: Api, operation: Endpoint, sample: Sample, headers: Document | None = None
) -> httpx2.Response:
    token = {"authorization": f"Bearer {await tenant.shop.token()}"}
    credentials = {"x-api-key": tenant.shop.sandbox.api_key} if api.name == "POS API" else token
    path = api.prefix + sample.path
    sent = {**credentials, **(headers or {})}
    return await tenant.http.request(operation.method, path, headers=sent, json=sample.body)


@pytest.mark.both_servers
@pytest.mark.parametrize("name", WRITES)
async def test_a_dry_run_leaves_nothing_and_tells_what_the_write_does(tenant: DryTenant, name: str) -> None:
    api, operation = OPERATIONS[name]
    assert operation.can_dry_run, "an operation without a dry run needs a reason, and a row here"
    sample = await SAMPLES[name](tenant)
    await exports_have_ended(tenant)
    before = await read_whole_database(tenant.shop.dsn, COUNTERS)
    dry = await send(tenant, api, operation, sample, {**DRY, "idempotency-key": f"dry-{name.replace(' ', '-')}"})
    assert changed(before, await read_whole_database(tenant.shop.dsn, COUNTERS)) == []
    assert (dry.status_code, dry.headers["frontdesk-dry-run"]) == (operation.status, "true"), dry.text

    recorder = await record_events(tenant.shop)
    real = await send(tenant, api, operation, sample)
    assert (real.status_code, "frontdesk-dry-run" in real.headers) == (operation.status, False), real.text
    emitted = [{"type": event["type"], "data": event["data"]} for event in await recorder.new_events()]
    types = ", ".join(dict.fromkeys(event["type"] for event in emitted))
    assert dry.headers.get("frontdesk-dry-run-events", "") == types
    if operation.status != 204:
        told = {**json_exact(real, operation.status), "dry_run": {"events": emitted}}
        assert list(differences(json_exact(dry, operation.status), told)) == []


async def exports_have_ended(tenant: FullTenant) -> None:
    """Those of earlier tests are written in the background."""

    async def have_ended() -> bool:
        under_way = "SELECT FROM record_exports WHERE status IN ('queued', 'running') AND $1::uuid IS NOT NULL"
        return await tenant.shop.sql(under_way) == []

    await eventually(have_ended)


def differences(dry: Any, real: Any, place: str = "") -> Iterator[str]:
    """But for ids, times and secrets. Numbers are the same: what a dry run takes is given back."""
    match dry, real:
        case dict(), dict() if dry.keys() == real.keys():
            for name, value in dry.items():
                yield from differences(value, real[name], f"{place}.{name}")
        case list(), list() if len(dry) == len(real):
            for index, value in enumerate(dry):
                yield from differences(value, real[index], f"{place}.{index}")
        case str(), str() if any(form.fullmatch(dry) and form.fullmatch(real) for form in _VARYING):
            return
        case str(), str() if place.endswith(".qr"):  # of an invoice, which has its time
            first, second = (_TIME.sub(b"", b64decode(code)).decode() for code in (dry, real))
            yield from differences(first, second, f"{place} text")
        case _ if dry != real:
            yield f"{place}: {dry!r}, {real!r}"


@pytest.mark.parametrize("name", OTHERS)
async def test_what_only_reads_is_not_affected_and_the_rest_is_refused(tenant: DryTenant, name: str) -> None:
    api, operation = OPERATIONS[name]
    sample = await SAMPLES[name](tenant) if name in SAMPLES else Sample(operation.path)
    await exports_have_ended(tenant)
    before = await read_whole_database(tenant.shop.dsn, COUNTERS)
    answer = await send(tenant, api, operation, sample, DRY)
    assert changed(before, await read_whole_database(tenant.shop.dsn, COUNTERS)) == []
    assert "frontdesk-dry-run" not in answer.headers
    if operation.requires_auth and operation.has_dry_run:
        assert answer.status_code == operation.status
    else:
        assert answer.status_code == 422
        assert answer.json()["errors"] == {
            "Frontdesk-Dry-Run": ["is not supported by this operation; nothing was done"]
        }
