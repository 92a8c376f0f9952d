"""A business that moves to another installation takes its events and its plan with it."""

import io
import json
import shlex
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from frontdesk.exports.restore import restore_archive
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.cli.test_commands import command, printed
from tests.docs_site.samples import samples
from tests.exports.test_archive import archive_of
from tests.exports.test_damaged_archives import Change, changed, counter, only, refuse, tenant
from tests.factories.credentials import ApiClient, make_client
from tests.factories.webhooks import emit_events, insert_webhook
from tests.support.branch import day, line, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.service import Service
from tests.support.shop import Shop

LINK = "https://a.example/booking/secret"
MESSAGE = {
    "id": str(uuid7()),
    "kind": "confirmation",
    "order_id": None,
    "language": "en",
    "subject": "Booked",
    "text": f"Open {LINK}",
    "link": LINK,
    "recipient": {"customer_id": None, "name": "Sara", "email": None, "phone": None},
    "expires_at": "2030-01-01T10:00:00+03:00",
}
_EVENTS = "SELECT id, sequence, type, visible_to_client_id, data::text, created_at FROM events"


@pytest.fixture
async def pinged(service: Service) -> ApiClient:
    """A client of a business that booked and moved, and to which one event was sent that nobody else may see."""
    shop = await service.new_shop()
    branch = await open_branch(shop)
    cut = await branch.add_service(duration=60, price="100")
    await branch.add_provider(cut)
    placed = await branch.place(line(cut), start=start(day(3), "10:00"))
    moved = await shop.post(f"/orders/{placed['id']}/reschedule", {"start": start(day(3), "12:00")})
    assert moved.status_code == 200, moved.text
    client = await make_client(shop)
    hook = await insert_webhook(shop, client.id)
    assert (await shop.post(f"/webhooks/{hook}/ping", token=await client.token())).status_code == 201
    await emit_events(shop, [], {"message": MESSAGE}, kind="message.due")
    return client


def restored_shop(shop: Shop, tenant_id: UUID) -> Shop:
    return Shop(shop.origin, shop.dsn, msgspec.structs.replace(shop.sandbox, tenant_id=tenant_id))


async def listed_events(client: ApiClient, after: int = 0) -> list[dict[str, Any]]:
    params = {"after": after, "per_page": 100}
    answer = await client.shop.get("/events", params=params, token=await client.token())
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def test_the_commands_of_the_guide_move_events_and_plan_to_another_database(
    pinged: ApiClient, empty_dsn: str, tmp_path: Path
) -> None:
    shop, file = pinged.shop, str(tmp_path / "business.zip")
    (guide,) = [sample.code for sample in samples("operating") if "tenant export" in sample.code]
    told = guide.replace("TENANT_ID", str(shop.tenant_id)).replace("business.zip", file).splitlines()
    suspend, export, import_ = [shlex.split(line)[1:] for line in told]
    await printed(shop.dsn, *suspend)
    await printed(shop.dsn, *export)
    moved = await command(empty_dsn, *import_)
    assert moved.exit_code == 0, moved.stderr
    assert "it has the plan professional" in moved.stderr
    before = await shop.sql(f"{_EVENTS} WHERE tenant_id = $1 AND type <> 'message.due' ORDER BY sequence")
    async with pooled_connection(empty_dsn) as raw:
        after = await raw.fetch(f"{_EVENTS} WHERE type <> 'message.due' ORDER BY sequence")
        assert await raw.fetchval("SELECT open_api FROM tenants") is True
        assert await raw.fetchval("SELECT count(*) FROM events WHERE actor_id IS NOT NULL") == 0
    assert len(before) == 3
    assert [tuple(row) for row in after] == [tuple(row) for row in before]
    checked = await command(empty_dsn, "check")
    assert checked.exit_code == 0, checked.stdout


async def test_the_list_of_events_goes_on_without_a_hole(pinged: ApiClient) -> None:
    shop = pinged.shop
    async with pooled_connection(shop.dsn) as raw:
        restored = restored_shop(shop, await restore_archive(Connection(raw), await archive_of(shop)))
    before, client = await listed_events(pinged), await make_client(restored)
    made = await restored.post("/customers", {"first_name": "Nour"}, token=await client.token())
    assert made.status_code == 201, made.text
    *same, new = await listed_events(client)
    assert [event["sequence"] for event in before] == list(range(1, len(before) + 1))
    assert (new["type"], new["sequence"]) == ("customer.created", len(before) + 1)
    for event in before:
        event["tenant_id"] = str(restored.tenant_id)
        if event["type"] == "message.due":
            event["data"]["message"].update(subject="", text="", link=None)
    # What only the client there could see is here seen by nobody: clients are not moved.
    assert same == [event for event in before if event["type"] != "webhook.ping"]
    assert "webhook.ping" in {event["type"] for event in before}


async def test_an_archive_has_no_links_that_open_a_booking(pinged: ApiClient) -> None:
    with zipfile.ZipFile(await archive_of(pinged.shop)) as archive:
        events = archive.read("events.jsonl")
    assert b"message.due" in events
    assert LINK.encode() not in events


async def test_the_operator_chooses_another_plan(pinged: ApiClient, tmp_path: Path) -> None:
    shop, file = pinged.shop, tmp_path / "business.zip"
    file.write_bytes((await archive_of(shop)).getvalue())
    made = await printed(shop.dsn, "tenant", "import", str(file), "--plan", "starter")
    (row,) = await restored_shop(shop, UUID(made)).sql("SELECT plan, open_api FROM tenants WHERE id = $1")
    assert tuple(row) == ("starter", False)


async def test_an_archive_of_an_earlier_version_has_no_events(pinged: ApiClient) -> None:
    """The reschedule of its order has none either, and new events go on after the last one there."""

    def without_events(text: bytes) -> bytes:
        whole = json.loads(text)
        del whole["tables"]["events"]
        return json.dumps(whole).encode()

    shop, earlier = pinged.shop, io.BytesIO()
    with zipfile.ZipFile(await archive_of(shop)) as archive, zipfile.ZipFile(earlier, "w") as copy:
        for name in set(archive.namelist()) - {"events.jsonl"}:
            copy.writestr(name, only("manifest.json", without_events)(name, archive.read(name)))
    async with pooled_connection(shop.dsn) as raw:
        restored = restored_shop(shop, await restore_archive(Connection(raw), earlier))
    client = await make_client(restored)
    assert await listed_events(client) == []
    await restored.post("/customers", {"first_name": "Nour"}, token=await client.token())
    (new,) = await listed_events(client)
    assert new["sequence"] == (await listed_events(pinged))[-1]["sequence"] + 1


def events(change: Callable[[dict[str, Any]], object], kind: str = "") -> Change:
    """Each event of the kind, or every one, as the function leaves it."""

    def rewrite(text: bytes) -> bytes:
        rows = [json.loads(row) for row in text.splitlines()]
        for row in rows:
            if row["type"].startswith(kind):
                change(row)
        return b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return only("events.jsonl", rewrite)


MANIPULATIONS = {
    "a private event for all": events(lambda row: row.update(visible_to_client_id=None), "webhook.ping"),
    "an order for one client": events(lambda row: row.update(visible_to_client_id=row["id"]), "order.created"),
    "a hole in the numbers": events(lambda row: row.update(sequence=row["sequence"] * 2)),
    "a number twice": events(lambda row: row.update(sequence=1)),
    "a number of nobody": events(lambda row: row.update(sequence=0), "order.created"),
    "numbers that will be given again": counter("events", 1),
    "an event of tomorrow": events(lambda row: row.update(created_at="2200-01-01T00:00:00Z")),
    "data that is a list": events(lambda row: row.update(data=[]), "webhook.ping"),
    "an order without an id": events(lambda row: row["data"]["order"].update(id="x"), "order.created"),
    "an order whose customer is a text": events(lambda row: row["data"]["order"].update(customer="x"), "order."),
    "another order than there is": events(lambda row: row["data"]["order"].update(order_number=99), "order.created"),
    "another status than the order has": events(
        lambda row: row["data"]["order"].update(status="canceled"), "order.created"
    ),
    "an order that was not moved": events(lambda row: row.update(type="order.rescheduled"), "order.created"),
    "a plan that does not exist": tenant(plan="unlimited"),
}


async def test_a_manipulated_archive_is_refused(pinged: ApiClient, tmp_path: Path) -> None:
    whole, shop = await archive_of(pinged.shop), pinged.shop
    async with pooled_connection(shop.dsn) as raw:
        for damage, change in MANIPULATIONS.items():
            await refuse(Connection(raw), changed(whole, change), damage)
    file = tmp_path / "manipulated.zip"
    file.write_bytes(changed(whole, MANIPULATIONS["a private event for all"]))
    refused = await command(shop.dsn, "tenant", "import", str(file), "--name", "Manipulated")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.splitlines()[-1] == "frontdesk: This archive is damaged. Nothing was created."
