"""`GET /deletions`: nothing that an application has a copy of vanishes silently."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from frontdesk.customers.erase import EraseCustomer
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.values.actor import SYSTEM
from frontdesk.webhooks.deletions import DeletedResource
from frontdesk.webhooks.event_types import EventType
from tests.factories.catalog import branch_of
from tests.factories.changes import ago
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, ids, json_exact, utc
from tests.support.service import Service
from tests.support.shop import Shop


@pytest.fixture(scope="module")
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


async def _listed(shop: Shop, **query: Any) -> list[Document]:
    found: list[Document] = json_exact(await shop.get("/deletions", params={"per_page": 100, **query}))["data"]
    return found


async def _customer(shop: Shop) -> str:
    made: str = json_exact(await shop.post("/customers", {"first_name": "Gone"}), 201)["data"]["id"]
    return made


def test_whatever_has_an_event_that_it_was_deleted_is_listed() -> None:
    assert {f"{resource}.deleted" for resource in DeletedResource} - {"waiting_list_entry.deleted"} == {
        kind.value for kind in EventType if kind.endswith(".deleted")
    }


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/items", {"type": "product", "name": {"en": "Soap"}, "price": 10}),
        ("/categories", {"name": {"en": "Gone"}}),
        ("/tax-classes", {"name": {"en": "Gone"}, "rates": [{"starts_on": "2020-01-01", "rate": 5}]}),
    ],
)
async def test_a_deleted_record_is_told(own_shop: Shop, path: str, body: Document) -> None:
    place = {} if path == "/tax-classes" else {"branch_id": str(await branch_of(own_shop))}
    made = json_exact(await own_shop.post(path, {**body, **place}), 201)["data"]
    since = utc(ago())
    assert (await own_shop.request("DELETE", f"{path}/{made['id']}")).status_code == 204
    (gone,) = await _listed(own_shop, since=since)
    assert gone.pop("deleted_at") >= since
    resource = {"/items": "item", "/categories": "category", "/tax-classes": "tax_class"}[path]
    assert gone == {"id": made["id"], "resource": resource, "deleted": True, "merged_into": None}
    assert await _listed(own_shop, since=utc(ago(minutes=-1))) == []


async def test_a_merged_customer_names_the_other(own_shop: Shop) -> None:
    kept, merged, since = await _customer(own_shop), await _customer(own_shop), utc(ago())
    json_exact(await own_shop.post(f"/customers/{kept}/merge", {"customer_id": merged}))
    (gone,) = await _listed(own_shop, since=since)
    assert (gone["id"], gone["resource"], gone["merged_into"]) == (merged, "customer", kept)


async def test_of_an_erased_customer_only_the_id_is_told(own_shop: Shop, conn: Connection) -> None:
    erased, since = await _customer(own_shop), utc(ago())
    await run(conn, await own_shop.tenant(), EraseCustomer(UUID(erased), 1), actor=SYSTEM)
    (gone,) = await _listed(own_shop, since=since)
    assert gone.keys() == {"id", "resource", "deleted", "deleted_at", "merged_into"}
    assert (gone["id"], gone["resource"]) == (erased, "customer")
    changed = json_exact(await own_shop.get("/customers", params={"updated_since": since}))
    assert erased not in ids(changed["data"])


async def test_pages_of_deletions(own_shop: Shop) -> None:
    before = utc(ago())
    made = [await _customer(own_shop) for _ in range(4)]
    for merged in made[1:]:
        json_exact(await own_shop.post(f"/customers/{made[0]}/merge", {"customer_id": merged}))
    found, address = [], f"/deletions?since={before}&per_page=2"
    while address:
        page = json_exact(await own_shop.get(address))
        found += ids(page["data"])
        address = (page["links"]["next"] or "").partition("/open-api/v1")[2]
    assert found == made[1:]


async def test_a_token_sees_the_kinds_that_it_may_read(own_shop: Shop) -> None:
    kept, merged, since = await _customer(own_shop), await _customer(own_shop), utc(ago())
    json_exact(await own_shop.post(f"/customers/{kept}/merge", {"customer_id": merged}))
    token = await own_shop.new_token("items:read")
    answer = await own_shop.get("/deletions", params={"since": since}, token=token)
    assert json_exact(answer)["data"] == []
    refused = await own_shop.get("/deletions", params={"resource": "customer"}, token=token)
    assert_error(refused, 403, "insufficient_scope")
    assert ids(await _listed(own_shop, since=since, resource="customer")) == [merged]
    assert await _listed(own_shop, since=since, resource="item") == []


async def test_another_business_sees_none(own_shop: Shop, other_shop: Shop) -> None:
    await _listed(own_shop)
    assert str(uuid4()) not in ids(await _listed(other_shop))
    assert set(ids(await _listed(other_shop))).isdisjoint(ids(await _listed(own_shop)))
