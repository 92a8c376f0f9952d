"""`GET /changelog/me`: what changed for the calls that a client made and the events that it gets."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apis.openapi.made_up_changelog import made_up_changelog
from tests.factories.credentials import make_client
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.waiting import eventually


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[None]:
    with made_up_changelog(tmp_path):
        yield


async def _changes(shop: Shop, query: str = "") -> list[tuple[str, str, list[str]]]:
    found: list[Document] = json_exact(await shop.get(f"/changelog/me{query}"))["data"]
    return [(entry["date"], change["where"], change["uses"]) for entry in found for change in entry["changes"]]


@pytest.mark.usefixtures("made_up")
async def test_only_what_the_client_uses_is_listed(own_shop: Shop) -> None:
    assert await _changes(own_shop) == []
    unknown = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
    await own_shop.get("/limits")
    await own_shop.get(f"/orders/{unknown}")  # a call all the same
    await own_shop.post("/webhooks", {"url": "https://books.example/hooks", "events": ["order.created"]})

    async def is_counted() -> bool:
        return len(await _changes(own_shop)) == 6

    await eventually(is_counted)
    assert await _changes(own_shop) == [
        ("2027-03-04", "event order.created", ["event order.created"]),
        ("2027-03-04", "GET /limits ?at", ["GET /limits"]),
        ("2027-02-03", "Order.tip", ["GET /orders/{uuid}"]),
        ("2027-01-02", "GET /limits", ["GET /limits"]),
        ("2027-01-02", "GET /orders/{uuid}", ["GET /orders/{uuid}"]),
        ("2027-01-02", "event order.created", ["event order.created"]),
    ]
    assert [where for _, where, _ in await _changes(own_shop, "?since=2027-03-04")] == [
        "event order.created",
        "GET /limits ?at",
    ]
    (removal, addition), *_ = (entry["changes"] for entry in (await own_shop.get("/changelog/me")).json()["data"])
    assert (removal["kind"], removal["breaking"]) == ("removal", True)
    assert (addition["kind"], addition["breaking"]) == ("addition", False)


@pytest.mark.usefixtures("made_up")
async def test_calls_of_other_clients_do_not_count(own_shop: Shop) -> None:
    neighbour = await (await make_client(own_shop)).token()
    await own_shop.get("/limits")

    async def is_counted() -> bool:
        return bool(await _changes(own_shop))

    await eventually(is_counted)
    assert json_exact(await own_shop.get("/changelog/me", token=neighbour))["data"] == []


async def test_the_day_is_checked(shop: Shop) -> None:
    assert "since" in assert_error(await shop.get("/changelog/me?since=yesterday"), 422, "validation_error")["errors"]


async def test_an_operation_is_written_once_a_day(own_shop: Shop) -> None:
    for _ in range(3):
        await own_shop.get("/limits")

    async def is_written() -> bool:
        return bool(await own_shop.sql("SELECT FROM used_operations WHERE tenant_id = $1 AND route LIKE '%/limits'"))

    await eventually(is_written)
    rows = await own_shop.sql(
        "SELECT first_on, last_on FROM used_operations WHERE tenant_id = $1 AND route LIKE '%limits'"
    )
    assert len(rows) == 1
    assert rows[0]["first_on"] <= rows[0]["last_on"]
