"""Published descriptions are kept, and the changelog is computed from them."""

import copy
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from frontdesk.apis.openapi import publishing
from frontdesk.apis.openapi.build import NAMES
from frontdesk.changelog import versions as history
from frontdesk.changelog.types import ChangeKind
from tests.support.programs.commands import run_here
from tests.support.service import Service


def test_the_code_has_published_its_descriptions() -> None:
    assert publishing.unpublished() == {}, "frontdesk changelog --publish"
    assert run_here("changelog", "--check").returncode == 0


def test_there_is_one_description_until_the_first_release() -> None:
    """Nobody depends on an earlier one yet: remove its folder after `frontdesk changelog --publish`."""
    changelog = Path(__file__).parents[3] / "CHANGELOG.md"
    if "Nothing has been released yet" in changelog.read_text():
        assert len(history.versions(history.FOLDER)) == 1


def test_a_published_change_is_listed_once(tmp_path: Path) -> None:
    assert set(publishing.unpublished(tmp_path)) == set(NAMES)
    assert publishing.publish(tmp_path, date(2027, 1, 2)) == "2027-01-02"
    assert publishing.unpublished(tmp_path) == {}
    assert [entry.title for entry in history.published_entries(tmp_path)] == ["First published description"] * 2


def test_a_change_that_nobody_published_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publishing.publish(tmp_path, date(2027, 1, 2))
    monkeypatch.setattr(publishing, "description", without_orders)
    assert set(publishing.unpublished(tmp_path)) == {"open-api"}
    version = publishing.publish(tmp_path, date(2027, 1, 2))
    assert version == "2027-01-02.2"
    newest = history.published_entries(tmp_path)[-1]
    assert (newest.interface, newest.breaking) == ("open-api", True)
    assert {change.kind for change in newest.changes} == {ChangeKind.REMOVAL}
    assert "GET /orders" in {change.where for change in newest.changes}


def without_orders(name: str) -> dict[str, Any]:
    document = copy.deepcopy(history.read(history.FOLDER, history.versions(history.FOLDER)[-1], name))
    document["paths"].pop("/orders", None)
    return document


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Three publications of small made-up descriptions, as the folder of the published ones."""
    first: dict[str, Any] = {
        "/things": {"get": {"responses": {"200": {}}}},
        "/others": {"get": {"responses": {"200": {}}}},
    }
    second: dict[str, Any] = {"/things": {"get": {"responses": {"200": {}}}, "post": {"responses": {"201": {}}}}}
    third: dict[str, Any] = {
        "/things": {"get": {"deprecated": True, "responses": {"200": {}}}, "post": {"responses": {"201": {}}}}
    }
    for day, open_api in (("2027-01-02", first), ("2027-02-03", second), ("2027-02-03.2", third)):
        (tmp_path / day).mkdir()
        for name in NAMES:
            paths = open_api if name == "open-api" else first
            (tmp_path / day / f"{name}.json").write_bytes(msgspec.json.encode({"paths": paths}))
    monkeypatch.setattr(history, "FOLDER", tmp_path)
    history.entries.cache_clear()
    yield tmp_path
    history.entries.cache_clear()


def test_each_publication_lists_what_it_changed(made_up: Path) -> None:
    assert [entry.id for entry in history.published_entries(made_up)] == [
        *(f"2027-01-02-{name}" for name in sorted(NAMES)),
        "2027-02-03-open-api",
        "2027-02-03.2-open-api",
    ]
    _, _, second, third = history.published_entries(made_up)
    assert (second.title, second.date, second.breaking) == ("1 addition, 1 removal", date(2027, 2, 3), True)
    assert {(change.where, change.kind) for change in second.changes} == {
        ("POST /things", ChangeKind.ADDITION),
        ("GET /others", ChangeKind.REMOVAL),
    }
    assert (third.title, third.breaking) == ("1 modification", False)


async def test_the_pages_list_publications_newest_first(made_up: Path, service: Service) -> None:
    data = (await service.http.get("/changelog.json")).json()["data"]
    page = (await service.http.get("/changelog")).text
    feed = (await service.http.get("/changelog.rss")).text
    newest = [entry.id for entry in reversed(history.published_entries(made_up))]
    assert [entry["id"] for entry in data][: len(newest)] == newest
    assert [change["where"] for change in data[1]["removals"]] == ["GET /others"]
    assert "<code>GET /others</code>" in page
    assert "open-api: 1 addition, 1 removal (breaking)" in feed


def test_versions_of_one_day_stay_in_order(tmp_path: Path) -> None:
    for _ in range(11):
        publishing.publish(tmp_path, date(2027, 1, 2))
    assert history.versions(tmp_path)[-2:] == ["2027-01-02.10", "2027-01-02.11"]


def test_the_history_begins_before_descriptions_were_kept() -> None:
    earlier = [entry for entry in history.entries() if entry.date is None]
    assert history.entries()[-len(earlier) :] == earlier
    first, *_, last = reversed(earlier)
    assert {"/customers", "/products", "/providers", "/get-availability", "/payment-methods"} <= {
        change.where for change in first.changes
    }
    assert {change.where for change in last.changes} == {
        "POST /tags",
        "POST /pos/orders",
        "POST /pos/checkout-calculate",
        "GET /tags",
        "GET /services/{serviceId}/staff",
        "GET /metadata/{teamId}",
        "GET /items",
        "GET /customers/find",
        "DELETE /tags/{tagId}",
    }
    assert any(entry.breaking and "authentication" in {c.where for c in entry.changes} for entry in earlier)


async def test_the_changelog_is_a_page_data_and_a_feed(service: Service) -> None:
    page = await service.http.get("/changelog")
    data = (await service.http.get("/changelog.json")).json()["data"]
    feed = await service.http.get("/changelog.rss")
    assert feed.headers["content-type"] == "application/rss+xml; charset=utf-8"
    assert len(data) == len(history.entries()) == feed.text.count("<item>")
    for entry in data:
        assert f'id="{entry["id"]}"' in page.text
        assert all(change["breaking"] for change in entry["removals"])
        assert entry["breaking"] == [c for c in _all(entry) if c["breaking"]]
    assert feed.text.startswith("<?xml")


def _all(entry: dict[str, Any]) -> list[dict[str, Any]]:
    order = {id_: place for place, id_ in enumerate(map(msgspec.json.encode, entry["breaking"]))}
    found = [*entry["additions"], *entry["modifications"], *entry["removals"]]
    return sorted(found, key=lambda change: order.get(msgspec.json.encode(change), -1))
