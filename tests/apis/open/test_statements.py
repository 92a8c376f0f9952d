"""What a request costs the database, counted on the wire; and that our own counter says the same."""

import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from frontdesk.auth import request_log
from tests.factories.catalog import branch_of, make_service
from tests.factories.people import assign_service, make_customers, make_staff
from tests.support.metrics import metrics_text
from tests.support.pg_proxy import StatementCounter, counting_statements
from tests.support.service import Service, running_service
from tests.support.shop import Shop

_GUARD = 1  # authentication alone; a request that reads authenticates in the same statement
_LISTS = ["/branches", "/categories", "/items", "/staff", "/customers", "/payment-methods"]


class Watched(NamedTuple):
    service: Service
    wire: StatementCounter
    shop: Shop

    async def cost(self, method: str, path: str, *, status: int = 200, **rest: Any) -> int:
        """Of the third request of its kind: by then the connection has looked its types up."""
        call = self.shop.key_call if path.startswith("key:") else self.shop.request
        for _ in range(3):
            said, before = await self._said(), self.wire.statements
            answer = await call(method, path.removeprefix("key:"), **rest)
            assert answer.status_code == status, answer.text
        travelled = self.wire.statements - before
        assert await self._said() - said == travelled
        return travelled

    async def _said(self) -> int:
        metrics = await metrics_text(self.service.origin)
        counted = re.findall(r'^frontdesk_statements_total\{route=".*"\} (\S+)$', metrics, re.MULTILINE)
        return sum(int(float(number)) for number in counted)


@pytest.fixture(scope="module")
async def watched(dsn: str) -> AsyncIterator[Watched]:
    with tempfile.TemporaryDirectory(prefix="frontdesk-wire-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(request_log, "EVERY_SECONDS", 3600.0)  # what it writes beside the requests is not theirs
        async with counting_statements(dsn, Path(folder)) as wire, running_service(wire.dsn) as service:
            shop = await service.new_shop()
            await shop.token()
            yield Watched(service, wire, Shop(service.origin, dsn, shop.sandbox))


async def _single_reads(shop: Shop) -> list[str]:
    """One path of each kind, for the first record there is."""
    paths = []
    for kind in ("items", "staff", "customers", "payment_methods"):
        (row,) = await shop.sql(f"SELECT id FROM {kind} WHERE tenant_id = $1 ORDER BY created_at, id LIMIT 1")
        paths.append(f"/{kind.replace('_', '-')}/{row['id']}")
    return [*paths, f"{paths[1]}/working-hour", "/customers/phone?phone=966503456038"]


async def _add_many(shop: Shop) -> None:
    """More of everything that a list or a detail has to gather."""
    (staff,) = await shop.sql("SELECT id FROM staff WHERE tenant_id = $1 ORDER BY created_at, id LIMIT 1")
    (item,) = await shop.sql("SELECT id FROM items WHERE tenant_id = $1 ORDER BY created_at, id LIMIT 1")
    await make_customers(shop, 60)
    for n in range(20):
        await assign_service(shop, staff["id"], await make_service(shop, f"Service {n}", price="1"))
        await assign_service(shop, await make_staff(shop, f"Member {n}"), item["id"])
    for table, columns, values in (
        ("branches", "name", "'Branch'"),
        ("categories", "branch_id, name", f"'{await branch_of(shop)}'::uuid, '{{}}'::jsonb"),
        ("payment_methods", "type, name", "'other', '{}'::jsonb"),
    ):
        await shop.sql(
            f"""
            INSERT INTO {table} (tenant_id, id, slug, {columns})
            SELECT $1, gen_random_uuid(), 'many-' || n, {values} FROM generate_series(1, 60) n
            """
        )


async def test_a_read_costs_the_same_whatever_there_is_to_read(watched: Watched, other_shop: Shop) -> None:
    lists = [
        *(f"{path}?per_page=100" for path in _LISTS),
        "/customers?name=a&phone=9&email=e&per_page=100",
        "/customers?page=2&per_page=29",
        "/items?type=service&name=a&page=2&per_page=3",
        f"/staff?branch_id={await branch_of(watched.shop)}&name=a",
        f"/categories?branch_id={await branch_of(watched.shop)}",
        "key:/items?per_page=100",
    ]
    singles = [*await _single_reads(watched.shop), "key:/customers/find?email=layla.ghamdi@example.com"]
    expected = dict.fromkeys([*lists, *singles], 1)
    assert {path: await watched.cost("GET", path) for path in expected} == expected
    await _add_many(watched.shop)
    assert {path: await watched.cost("GET", path) for path in expected} == expected


async def test_a_refused_read_costs_no_more(watched: Watched, other_shop: Shop) -> None:
    missing = uuid4()
    for path, status, expected in (
        ("/items?per_page=101", 422, _GUARD),
        ("/customers/phone?phone=0503456038", 200, _GUARD),
        (f"/items/{missing}", 404, 1),
        (f"/staff/{missing}/working-hour", 404, 1),
        (f"/staff?branch_id={missing}", 422, 1),
    ):
        assert await watched.cost("GET", path, status=status) == expected, path
    assert await watched.cost("GET", "/items", status=401, token="nobody") <= _GUARD


async def test_the_counter_counts_writes_and_transactions_too(watched: Watched, other_shop: Shop) -> None:
    assert await watched.cost("POST", "/customers", status=201, json={"first_name": "Joud"}) > _GUARD + 1
    taken = {"first_name": "Joud", "phone": "+966503456038", "phone_country": "SA"}
    assert await watched.cost("POST", "/customers", status=422, json=taken) > _GUARD + 1
    assert await watched.cost("POST", "/payment-methods", status=201, json={"name": "Tip", "type": "cash"}) > _GUARD + 1
