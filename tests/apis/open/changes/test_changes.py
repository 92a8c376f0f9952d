"""`updated_since`: what has changed since a moment, page by page while others write, and nothing is missed."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import pytest

from tests.apis.open.changes.lists import LISTS
from tests.factories.changes import ago, change_rows
from tests.support.connections import pooled_connection
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, ids, json_exact, utc
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop


@pytest.fixture(scope="module")
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


async def listed(shop: Shop, path: str, **query: Any) -> list[Document]:
    found: list[Document] = []
    address: str | None = path
    params: dict[str, Any] | None = query
    while address is not None:
        page = json_exact(await shop.get(address, params=params))
        found += page["data"]
        address, params = _next(page)
    return found


def _next(page: Document) -> tuple[str | None, dict[str, Any]]:
    parts = urlsplit(page["links"]["next"] or "")
    return parts.path.removeprefix(OPEN_API) or None, dict(parse_qsl(parts.query))


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_has_what_has_changed_since(own_shop: Shop, path: str) -> None:
    everything = await listed(own_shop, path, per_page=100)
    if path == "/staff":
        everything += await listed(own_shop, path, status="false")
    changed = await listed(own_shop, path, updated_since="2000-01-01T00:00:00Z", per_page=7)
    assert sorted(ids(changed)) == sorted(ids(everything))
    times = [record["updated_at"] for record in changed]
    assert times == sorted(times)
    middle = times[len(times) // 2]
    assert await listed(own_shop, path, updated_since=middle) == [r for r in changed if r["updated_at"] >= middle]
    assert await listed(own_shop, path, updated_since=utc(ago(minutes=-1))) == []


@pytest.mark.parametrize("path", LISTS)
async def test_pages_of_records_that_changed_at_one_moment(own_shop: Shop, path: str) -> None:
    """As those of an import do."""
    table = path[1:].replace("-", "_")
    await change_rows(own_shop, table, updated_at=datetime(2026, 1, 1, tzinfo=UTC))
    changed = await listed(own_shop, path, updated_since="2026-01-01T00:00:00Z", per_page=1)
    counted = await own_shop.sql(f"SELECT count(*) AS many FROM {table} WHERE tenant_id = $1")
    assert len(set(ids(changed))) == len(changed) == counted[0]["many"]
    assert await listed(own_shop, path, updated_since="2026-01-01T00:00:00.000001Z") == []


async def _add(shop: Shop, name: str) -> str:
    made: str = json_exact(await shop.post("/customers", {"first_name": name}), 201)["data"]["id"]
    return made


async def test_what_changes_while_pages_are_read_is_met_again_and_hides_no_other(own_shop: Shop) -> None:
    since = utc(ago(seconds=0))
    made = [await _add(own_shop, f"Page {number}") for number in range(6)]
    page = json_exact(await own_shop.get("/customers", params={"updated_since": since, "per_page": 2}))
    seen = ids(page["data"])
    for moved in (made[0], made[3]):
        json_exact(await own_shop.request("PATCH", f"/customers/{moved}", json={"city": "Abha"}))
    json_exact(await own_shop.post(f"/customers/{made[5]}/merge", {"customer_id": made[1]}))
    while page["links"]["next"] is not None:
        path, query = _next(page)
        page = json_exact(await own_shop.get(path or "", params=query))
        seen += ids(page["data"])
    assert set(seen) == set(made)
    assert seen.count(made[0]) == 2


async def test_a_change_that_is_committed_late_is_read_the_next_time(own_shop: Shop) -> None:
    slow, fast = await _add(own_shop, "Slow"), await _add(own_shop, "Fast")
    async with pooled_connection(own_shop.dsn) as raw:
        writing = raw.transaction()
        await writing.start()
        statement = "UPDATE customers SET city = 'Tabuk', updated_at = now() WHERE tenant_id = $1 AND id = $2"
        await raw.execute(statement, own_shop.tenant_id, slow)
        json_exact(await own_shop.request("PATCH", f"/customers/{fast}", json={"city": "Abha"}))
        first = json_exact(await own_shop.get("/customers", params={"updated_since": utc(ago(seconds=60))}))
        await writing.commit()
    assert slow not in [row["id"] for row in first["data"] if row["city"] == "Tabuk"]
    again = await listed(own_shop, "/customers", updated_since=first["meta"]["next_since"])
    assert slow in [row["id"] for row in again if row["city"] == "Tabuk"]


async def test_only_the_first_page_says_when_to_begin_the_next_time(own_shop: Shop) -> None:
    query = {"updated_since": "2000-01-01T00:00:00Z", "per_page": 1}
    first = json_exact(await own_shop.get("/items", params=query))
    assert utc(ago(seconds=20)) < first["meta"]["next_since"] < utc(ago())
    for page in (_next(first)[1], {**query, "page": 2}):
        assert "next_since" not in json_exact(await own_shop.get("/items", params=page))["meta"]
    assert "next_since" not in json_exact(await own_shop.get("/items"))["meta"]


async def test_a_list_with_a_filter_is_read_to_its_end(own_shop: Shop) -> None:
    services = await listed(own_shop, "/items", type="service")
    read = await listed(own_shop, "/items", type="service", updated_since="1970-01-01T00:00:00Z", per_page=2)
    assert sorted(one["id"] for one in read) == sorted(one["id"] for one in services)
    assert len(services) > 4


async def test_pages_of_changes_can_be_counted(own_shop: Shop) -> None:
    everything = await listed(own_shop, "/items", updated_since="2000-01-01T00:00:00Z")
    query = {"updated_since": "2000-01-01T00:00:00Z", "per_page": 5, "page": 2}
    assert json_exact(await own_shop.get("/items", params=query))["data"] == everything[5:10]


async def test_where_to_go_on_is_checked(own_shop: Shop) -> None:
    refused = assert_error(await own_shop.get("/items", params={"after": "2026"}), 422, "validation_error")
    assert list(refused["errors"]) == ["updated_since"]
    for bad in ("2026", f"2026_{uuid4()}", "2026-01-01T00:00:00Z_1", "_"):
        query = {"updated_since": "2020-01-01T00:00:00Z", "after": bad}
        refused = assert_error(await own_shop.get("/items", params=query), 422, "validation_error")
        assert refused["errors"] == {"after": ["is not where a page ended: take it from links.next"]}


async def test_a_moment_without_an_offset_is_local(own_shop: Shop) -> None:
    """In Riyadh it is three hours later."""
    local = ago(hours=-2, minutes=-50).strftime("%Y-%m-%dT%H:%M:%S")
    json_exact(await own_shop.request("PATCH", f"/customers/{await _add(own_shop, 'Local')}", json={"city": "Abha"}))
    assert await listed(own_shop, "/customers", updated_since=local)
    later = ago(hours=-3, minutes=-10).strftime("%Y-%m-%dT%H:%M:%S")
    assert await listed(own_shop, "/customers", updated_since=later) == []


async def test_customers_have_changed_when_their_tag_is_deleted(own_shop: Shop) -> None:
    customer = await _add(own_shop, "Tagged")
    tagged = json_exact(await own_shop.post(f"/customers/{customer}/tags", {"name": f"Tag {uuid4()}"}))["data"]
    (tag,) = tagged["tags"]
    assert (await own_shop.key_call("DELETE", f"/tags/{tag['id']}")).status_code in (200, 204)
    changed = json_exact(await own_shop.get(f"/customers/{customer}"))["data"]
    assert changed["updated_at"] > tagged["updated_at"]
