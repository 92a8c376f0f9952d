"""An id of another business is unknown wherever a write takes one: in its path, and in each field of its body."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import httpx2
import pytest

from tests.apis.test_dry_run import DRY, WRITES
from tests.apis.test_statement_budgets import OPERATIONS
from tests.support.branch import open_branch
from tests.support.operation_samples import SAMPLES, FullTenant
from tests.support.pagination import Document
from tests.support.service import Service

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
Place = tuple[str | int, ...]


@pytest.fixture(scope="module")
async def tenants(service: Service) -> tuple[FullTenant, FullTenant]:
    made = [FullTenant(await open_branch(await service.new_shop())) for _ in range(2)]
    for tenant in made:
        await tenant.fill()
    return made[0], made[1]


@pytest.mark.parametrize("name", WRITES)
async def test_an_id_of_another_business_is_unknown(
    service: Service, tenants: tuple[FullTenant, FullTenant], name: str
) -> None:
    own, other = tenants
    api, operation = OPERATIONS[name]
    mine, theirs = await SAMPLES[name](own), await SAMPLES[name](other)
    credentials = {"authorization": f"Bearer {await own.shop.token()}", "x-api-key": own.shop.sandbox.api_key}

    async def send(path: str, body: Document | None) -> httpx2.Response:
        return await service.http.request(operation.method, api.prefix + path, headers=credentials | DRY, json=body)

    if _ID.search(mine.path):
        assert (await send(theirs.path, mine.body)).status_code == 404
    for place in _ids(mine.body, theirs.body):
        answer = await send(mine.path, _with(mine.body, place, _at(theirs.body, place)))
        assert answer.status_code in (400, 422), (place, answer.text)


def _ids(mine: Any, theirs: Any, place: Place = ()) -> Iterator[Place]:
    """Where both bodies have an id."""
    if isinstance(mine, str) and isinstance(theirs, str) and _ID.fullmatch(mine) and _ID.fullmatch(theirs):
        yield place
    elif isinstance(mine, dict) and isinstance(theirs, dict):
        for name in mine.keys() & theirs.keys():
            yield from _ids(mine[name], theirs[name], (*place, name))
    elif isinstance(mine, list) and isinstance(theirs, list):
        for index, pair in enumerate(zip(mine, theirs, strict=False)):
            yield from _ids(*pair, (*place, index))


def _at(body: Any, place: Place) -> Any:
    for name in place:
        body = body[name]
    return body


def _with(body: Any, place: Place, value: object) -> Any:
    changed = deepcopy(body)
    _at(changed, place[:-1])[place[-1]] = value
    return changed
