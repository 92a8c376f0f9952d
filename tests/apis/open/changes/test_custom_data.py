"""What an application stores with records: for itself only, whole or not at all, and gone with the record."""

import asyncio
import json
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from frontdesk.custom_data.queries import conditions
from frontdesk.custom_data.types import CustomDataFilter
from frontdesk.customers.erase import EraseCustomer
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.values.actor import SYSTEM
from tests.factories.applications import make_install
from tests.factories.credentials import make_client
from tests.support.branch import BranchFixture, line
from tests.support.connections import pooled_connection
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

pytestmark = pytest.mark.both_servers

KINDS = ("customers", "items", "staff", "orders")
ALL_KEYS = {f"key-{number}": "x" for number in range(50)}


async def new_body(branch: BranchFixture, kind: str) -> Document:
    match kind:
        case "customers":
            return {"first_name": "Noura"}
        case "items":
            return {"type": "product", "name": {"en": "Soap"}, "price": 12, "branch_id": str(branch.branch_id)}
        case "staff":
            return {"name": "Hind", "branch_id": str(branch.branch_id)}
        case _:
            return branch.order(line(await branch.add_product(price="20"), "product"))


async def make(branch: BranchFixture, kind: str, **own: Any) -> Document:
    answer = await branch.shop.post(f"/{kind}", {**await new_body(branch, kind), **own})
    made: Document = json_exact(answer, 201)["data"]
    return made


async def read(shop: Shop, kind: str, id_: str, token: str | None = None) -> Document:
    found: Document = json_exact(await shop.request("GET", f"/{kind}/{id_}", token=token))["data"]
    return found


async def change(shop: Shop, kind: str, id_: str, token: str | None = None, **own: Any) -> Document:
    answer = await shop.request("PATCH", f"/{kind}/{id_}", json=own, token=token)
    changed: Document = json_exact(answer)["data"]
    return changed


async def find(shop: Shop, path: str, token: str | None = None) -> list[Document]:
    found: list[Document] = json_exact(await shop.request("GET", path, token=token))["data"]
    return found


def own(record: Document) -> tuple[Any, Any]:
    return record["external_id"], record["metadata"]


@pytest.mark.parametrize("kind", KINDS)
async def test_it_comes_with_the_record_and_finds_it(own_branch: BranchFixture, kind: str) -> None:
    shop = own_branch.shop
    plain = await make(own_branch, kind)
    made = await make(own_branch, kind, external_id="A-1", metadata={"colour": "blue", "gone": "", "none": None})
    assert own(plain) == (None, {})
    assert own(made) == own(await read(shop, kind, made["id"])) == ("A-1", {"colour": "blue"})
    listed = {record["id"]: own(record) for record in await find(shop, f"/{kind}?per_page=100")}
    assert (listed[plain["id"]], listed[made["id"]]) == ((None, {}), ("A-1", {"colour": "blue"}))
    for query in ("external_id=A-1", "metadata[colour]=blue", "external_id=A-1&metadata[colour]=blue"):
        assert [record["id"] for record in await find(shop, f"/{kind}?{query}")] == [made["id"]], query
    for query in (
        "external_id=A",
        "metadata[colour]=blu",
        "metadata[size]=blue",
        "metadata[colour]=blue&metadata[a]=b",
    ):
        assert await find(shop, f"/{kind}?{query}") == [], query


@pytest.mark.parametrize("kind", KINDS)
async def test_a_change_touches_only_the_given_keys(own_branch: BranchFixture, kind: str) -> None:
    shop = own_branch.shop
    made = await make(own_branch, kind, external_id="A-1", metadata={"a": "1", "b": "2", "c": "3"})
    before = await read(shop, kind, made["id"])
    changed = await change(shop, kind, made["id"], metadata={"a": "", "b": None, "d": "4"})
    assert own(changed) == ("A-1", {"c": "3", "d": "4"})
    assert changed | {"metadata": {}} == before | {"metadata": {}}, "nothing else has changed"
    assert own(await change(shop, kind, made["id"], external_id="A-2")) == ("A-2", {"c": "3", "d": "4"})
    assert own(await change(shop, kind, made["id"], external_id=None)) == (None, {"c": "3", "d": "4"})
    assert own(await change(shop, kind, made["id"], metadata=None)) == (None, {})
    assert await shop.sql("SELECT FROM custom_data WHERE tenant_id = $1") == []


@pytest.mark.parametrize("kind", KINDS)
async def test_applications_do_not_see_each_others_data(own_branch: BranchFixture, kind: str) -> None:
    shop = own_branch.shop
    other = await (await make_client(shop)).token()
    made = await make(own_branch, kind, external_id="A-1", metadata={"colour": "blue"})
    assert own(await read(shop, kind, made["id"], other)) == (None, {})
    assert own(await change(shop, kind, made["id"], other, external_id="A-1", metadata={"colour": "red"})) == (
        "A-1",
        {"colour": "red"},
    )
    assert own(await read(shop, kind, made["id"])) == ("A-1", {"colour": "blue"})
    for token, seen in ((None, "blue"), (other, "red")):
        for query in ("external_id=A-1", f"metadata[colour]={seen}"):
            (found,) = await find(shop, f"/{kind}?{query}", token)
            assert own(found) == ("A-1", {"colour": seen})
    assert await find(shop, f"/{kind}?metadata[colour]=red") == []


async def test_another_client_of_the_application_finds_its_data(own_branch: BranchFixture) -> None:
    """As after a business has connected it again."""
    shop, install_id = own_branch.shop, await make_install(own_branch.shop)
    before, after = [await (await make_client(shop, install_id=install_id)).token() for _ in range(2)]
    made = await make(own_branch, "customers")
    await change(shop, "customers", made["id"], before, external_id="A-1")
    assert own(await read(shop, "customers", made["id"], after)) == ("A-1", {})
    assert own(await read(shop, "customers", made["id"])) == (None, {})


@pytest.mark.parametrize("kind", KINDS)
async def test_an_external_id_belongs_to_one_record_of_a_kind(own_branch: BranchFixture, kind: str) -> None:
    shop, body = own_branch.shop, await new_body(own_branch, kind)
    first, second = await make(own_branch, kind, external_id="A-1"), await make(own_branch, kind)
    before = len(await find(shop, f"/{kind}?per_page=100"))
    assert_error(await shop.post(f"/{kind}", {**body, "external_id": "A-1"}), 409, "external_id_taken")
    taken = await shop.request("PATCH", f"/{kind}/{second['id']}", json={"external_id": "A-1", "metadata": {"a": "b"}})
    assert_error(taken, 409, "external_id_taken")
    assert len(await find(shop, f"/{kind}?per_page=100")) == before
    assert own(await read(shop, kind, second["id"])) == (None, {})
    await change(shop, kind, first["id"], external_id=None)
    assert own(await change(shop, kind, second["id"], external_id="A-1")) == ("A-1", {})


async def test_kinds_have_external_ids_of_their_own(own_branch: BranchFixture) -> None:
    for kind in KINDS:
        assert own(await make(own_branch, kind, external_id="A-1")) == ("A-1", {})


async def test_of_many_at_once_one_gets_the_external_id(own_branch: BranchFixture) -> None:
    body = {"first_name": "Noura", "external_id": "A-1"}
    answers = await asyncio.gather(*(own_branch.shop.post("/customers", body) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [201, *[409] * 5]
    assert len(await find(own_branch.shop, "/customers?external_id=A-1")) == 1


async def test_changes_at_the_same_time_lose_no_key(own_branch: BranchFixture) -> None:
    order = await make(own_branch, "orders")
    await asyncio.gather(
        *(change(own_branch.shop, "orders", order["id"], metadata={f"key-{n}": "x"}) for n in range(6))
    )
    assert own(await read(own_branch.shop, "orders", order["id"])) == (None, {f"key-{n}": "x" for n in range(6)})


async def test_a_record_has_fifty_keys_at_most(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    made = await make(own_branch, "customers", metadata=ALL_KEYS)
    assert made["metadata"] == ALL_KEYS
    body = {"first_name": "Noura", "metadata": {**ALL_KEYS, "one": "more"}}
    refused = assert_error(await shop.post("/customers", body), 422, "validation_error")
    assert refused["errors"] == {"metadata": ["must have at most 50 entries"]}
    answer = await shop.request("PATCH", f"/customers/{made['id']}", json={"city": "Jeddah", "metadata": {"more": "x"}})
    assert assert_error(answer, 422, "validation_error")["errors"] == {"metadata": ["must have at most 50 keys"]}
    assert (await read(shop, "customers", made["id"]))["city"] is None
    swapped = await change(shop, "customers", made["id"], metadata={"more": "x", "key-0": None})
    assert len(swapped["metadata"]) == 50


@pytest.mark.parametrize(
    ("metadata", "field"),
    [
        ({"a b": "x"}, "metadata.a b"),
        ({"x" * 41: "x"}, f"metadata.{'x' * 41}"),
        ({"": "x"}, "metadata."),
        ({"long": "x" * 501}, "metadata.long"),
        ({"number": 1}, "metadata.number"),
        ({"nested": {"a": "b"}}, "metadata.nested"),
        (["a"], "metadata"),
        ("a", "metadata"),
    ],
)
async def test_what_is_wrong_is_named_by_its_key(own_branch: BranchFixture, metadata: object, field: str) -> None:
    body = {"first_name": "Noura", "metadata": metadata}
    refused = assert_error(await own_branch.shop.post("/customers", body), 422, "validation_error")
    assert list(refused["errors"]) == [field]


async def test_a_filter_that_names_no_key_is_refused(own_branch: BranchFixture) -> None:
    for sent, field in (
        ("metadata[a][b]", "metadata.a][b"),
        ("metadata[a", "metadata.[a"),
        ("metadata[]", "metadata."),
    ):
        answer = await own_branch.shop.get(f"/customers?{sent}=x")
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]


async def test_a_dry_run_shows_what_would_be_stored_and_stores_nothing(own_branch: BranchFixture) -> None:
    shop, order = own_branch.shop, await make(own_branch, "orders", external_id="A-1")
    dry = {"frontdesk-dry-run": "true"}
    sent = {"external_id": "A-2", "metadata": {"a": "b"}}
    tried = json_exact(await shop.request("PATCH", f"/orders/{order['id']}", json=sent, headers=dry))
    assert own(tried["data"]) == ("A-2", {"a": "b"})
    assert tried["dry_run"]["events"] == []
    body = {**await new_body(own_branch, "orders"), "external_id": "A-1"}
    assert_error(await shop.post("/orders", body, headers=dry), 409, "external_id_taken")
    assert own(await read(shop, "orders", order["id"])) == ("A-1", {})


async def test_a_repeated_request_stores_nothing_again(own_branch: BranchFixture) -> None:
    shop, key = own_branch.shop, {"idempotency-key": "once"}
    body = {"first_name": "Noura", "external_id": "A-1", "metadata": {"a": "b"}}
    made = json_exact(await shop.post("/customers", body, headers=key), 201)["data"]
    await change(shop, "customers", made["id"], metadata={"a": "c"})
    again = await shop.post("/customers", body, headers=key)
    assert json_exact(again, 201)["data"] == made
    assert own(await read(shop, "customers", made["id"])) == ("A-1", {"a": "c"})


async def test_a_change_of_an_order_is_in_its_activity_without_values(own_branch: BranchFixture) -> None:
    shop, order = own_branch.shop, await make(own_branch, "orders")
    for _ in range(2):
        await change(shop, "orders", order["id"], external_id="secret-1", metadata={"a": "secret-2", "b": "secret-3"})
    entries = await shop.sql(
        "SELECT actor_type, before, after FROM activity WHERE tenant_id = $1 AND action = 'order.data_changed'"
    )
    assert [(entry["actor_type"], entry["before"]) for entry in entries] == [("app", None)]
    assert "secret" not in str(entries[0]["after"])
    assert "a, b" in str(entries[0]["after"])


async def test_erasure_takes_what_was_stored_about_the_person(own_branch: BranchFixture, conn: Connection) -> None:
    shop, key = own_branch.shop, {"idempotency-key": "erased"}
    body = {"first_name": "Noura", "external_id": "secret-1", "metadata": {"a": "secret-2"}}
    customer = json_exact(await shop.post("/customers", body, headers=key), 201)["data"]
    order = {**await new_body(own_branch, "orders"), "customer_id": customer["id"], "external_id": "INV-1"}
    answer = await shop.post("/orders", {**order, "metadata": {"a": "secret-3"}}, headers={"idempotency-key": "order"})
    placed = json_exact(answer, 201)["data"]
    await run(conn, await shop.tenant(), EraseCustomer(UUID(customer["id"]), 1), actor=SYSTEM)
    assert await shop.sql("SELECT FROM custom_data WHERE tenant_id = $1 AND kind = 'customer'") == []
    assert own(await read(shop, "orders", placed["id"])) == ("INV-1", {})
    for table in ("custom_data", "idempotency_records", "activity", "events"):
        rows = await shop.sql(f"SELECT t::text AS row FROM {table} t WHERE tenant_id = $1")
        assert not [row for row in rows if "secret" in row["row"]], table


async def test_it_goes_with_the_record_and_comes_with_the_first_sync(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    other = await (await make_client(shop)).token()
    ids = {kind: (await make(own_branch, kind, external_id="A-1", metadata={"a": "b"}))["id"] for kind in KINDS}
    for token, seen in ((None, ("A-1", {"a": "b"})), (other, (None, {}))):
        export = json_exact(await shop.post("/exports", {"resources": list(KINDS)}, token=token), 201)["data"]
        path = f"/exports/{export['id']}"
        await eventually(partial(_is_done, shop, path, token))
        lines = (await shop.request("GET", f"{path}/records", token=token)).text.splitlines()
        records = {entry["record"]["id"]: entry["record"] for entry in map(json.loads, lines)}
        assert {kind: own(records[id_]) for kind, id_ in ids.items()} == dict.fromkeys(KINDS, seen)
    assert (await shop.request("DELETE", f"/items/{ids['items']}")).status_code == 204
    left = await shop.sql("SELECT kind FROM custom_data WHERE tenant_id = $1 ORDER BY kind")
    assert [row["kind"] for row in left] == ["customer", "order", "staff"]


async def _is_done(shop: Shop, path: str, token: str | None) -> bool:
    return bool(json_exact(await shop.request("GET", path, token=token))["data"]["status"] == "done")


async def test_a_merge_moves_what_the_other_record_had(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    other = await make_client(shop)
    kept = await make(own_branch, "customers", external_id="A-1")
    gone = await make(own_branch, "customers", external_id="A-2")
    await change(shop, "customers", gone["id"], await other.token(), external_id="B-2")
    merged = json_exact(await shop.post(f"/customers/{kept['id']}/merge", {"customer_id": gone["id"]}))["data"]
    assert own(merged) == ("A-1", {})
    assert own(await read(shop, "customers", kept["id"], await other.token())) == ("B-2", {})
    assert len(await shop.sql("SELECT FROM custom_data WHERE tenant_id = $1")) == 2


async def test_events_and_the_till_say_nothing_of_it(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    await make(own_branch, "customers", phone="+966512340007", phone_country="SA", metadata={"a": "secret"})
    events = json_exact(await shop.get("/events"))["data"]
    assert events
    assert "metadata" not in str(events)
    found = json_exact(await shop.key_call("GET", "/customers/find", params={"phone": "+966512340007"}))["data"]
    assert "metadata" not in found


_READ = "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_xact_all_tables WHERE relid = 'custom_data'::regclass"
_FILL = """
    INSERT INTO custom_data (tenant_id, kind, record_id, owner_id, external_id, metadata)
    SELECT $1, 'customer', gen_random_uuid(), $2, n::text, jsonb_build_object('number', n::text)
    FROM generate_series(1, $3::integer) n"""


async def test_a_filter_reads_what_it_finds_and_not_all_that_is_stored(service: Service, shop: Shop) -> None:
    filters = (CustomDataFilter(external_id="7"), CustomDataFilter({"number": "7"}))
    read = []
    async with pooled_connection(service.dsn) as conn:
        undone = conn.transaction()
        await undone.start()
        await conn.execute("SET LOCAL session_replication_role = replica")  # other businesses have no other rows
        for tenant_id, rows in [(uuid4(), 100) for _ in range(100)] + [(shop.tenant_id, 1000)]:
            await conn.execute(_FILL, tenant_id, tenant_id, rows)
        await conn.execute("ANALYZE custom_data")
        for filter_ in filters:
            ((condition, value),) = conditions(filter_, "customer").items()
            context = "SELECT $2::uuid AS caller_id"
            found = f"SELECT FROM customers, ({context}) context WHERE tenant_id = $1 AND {condition}"
            before = await conn.fetchval(_READ)
            await conn.fetch(found.replace("$?", "$3"), shop.tenant_id, shop.tenant_id, value)
            read.append(await conn.fetchval(_READ) - before)
        await undone.rollback()
    assert read == [1, 1]
