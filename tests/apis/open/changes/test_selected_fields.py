"""`fields`: responses whose records have only the fields that the application asks for."""

import pytest

from tests.apis.open.changes.lists import LISTS
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact, read_all
from tests.support.shop import OPEN_API, Shop

WITH_DETAIL = ("/orders", "/transactions", "/customers", "/items", "/packages", "/staff", "/payment-methods")


def _only(record: Document, *names: str) -> Document:
    return {name: value for name, value in record.items() if name in names}


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_has_only_the_fields_that_are_asked_for(shop: Shop, path: str) -> None:
    whole = json_exact(await shop.get(path))
    page = json_exact(await shop.get(path, params={"fields": "id, updated_at"}))
    assert page["data"] == [_only(record, "id", "updated_at") for record in whole["data"]]
    assert page["meta"] == whole["meta"]
    for name in whole["data"][0]:
        page = json_exact(await shop.get(path, params={"fields": name}))
        assert page["data"] == [_only(record, name) for record in whole["data"]], name


@pytest.mark.parametrize("path", WITH_DETAIL)
async def test_a_record_has_only_the_fields_that_are_asked_for(shop: Shop, path: str) -> None:
    address = f"{path}/{json_exact(await shop.get(path))['data'][0]['id']}"
    whole = json_exact(await shop.get(address))["data"]
    for name in whole:
        answer = await shop.get(address, params={"fields": f"{name},id"})
        assert json_exact(answer) == {"data": _only(whole, name, "id")}
    assert "frontdesk-ignored" not in answer.headers


async def test_values_stay_as_they_are_sent(shop: Shop) -> None:
    """Digits of amounts, and the order of the fields."""
    whole = await shop.get("/orders?per_page=1")
    names = reversed(json_exact(whole)["data"][0])
    selected = await shop.get(f"/orders?per_page=1&fields={','.join(names)}")
    whole_records, records = (answer.text.partition('"links"')[0].replace(" ", "") for answer in (whole, selected))
    assert records == whole_records


async def test_pages_keep_the_fields(shop: Shop) -> None:
    everything = await read_all(shop, "/customers?fields=id,phone", per_page=7)
    assert [record.keys() for record in everything] == [{"id", "phone"}] * 30


def _path(link: str) -> str:
    return link.partition(OPEN_API)[2]


@pytest.mark.parametrize("fields", ["first_name", "first_name,updated_at"])
async def test_what_has_changed_goes_on_behind_the_page_without_the_fields_that_say_so(shop: Shop, fields: str) -> None:
    query = {"updated_since": "2000-01-01T00:00:00Z", "per_page": 20}
    first = json_exact(await shop.get("/customers", params={**query, "fields": fields}))
    whole = json_exact(await shop.get("/customers", params=query))
    assert first["meta"].keys() == whole["meta"].keys()
    assert first["data"] == [_only(record, *fields.split(",")) for record in whole["data"]]
    second, whole = [json_exact(await shop.get(_path(page["links"]["next"]))) for page in (first, whole)]
    assert second["data"] == [_only(record, *fields.split(",")) for record in whole["data"]]


@pytest.mark.parametrize(
    ("fields", "wrong"), [("id,nothing", "fields.1"), ("", "fields.0"), ("id,,sku", "fields.1"), ("ID", "fields.0")]
)
async def test_a_name_that_a_record_does_not_have_is_refused(shop: Shop, fields: str, wrong: str) -> None:
    answer = await shop.get("/items", params={"fields": fields})
    errors = assert_error(answer, 422, "validation_error")["errors"]
    assert errors.keys() == {wrong}
    assert errors[wrong][0].startswith("must be one of id, version, type, sku, ")
    await _refused(shop, f"/items/{json_exact(await shop.get('/items'))['data'][0]['id']}?", fields, wrong)


async def _refused(shop: Shop, path: str, fields: str, *wrong: str) -> None:
    errors = assert_error(await shop.get(f"{path}fields={fields}"), 422, "validation_error")["errors"]
    assert errors.keys() == set(wrong)


async def test_all_that_is_wrong_is_said_at_once(shop: Shop) -> None:
    await _refused(shop, "/orders?page=0&status=never&", "id,one,two", "page", "status", "fields.1", "fields.2")


async def test_a_name_is_sent_once_for_each_field(shop: Shop) -> None:
    await _refused(shop, "/orders?", ",".join(["id"] * 99), "fields")


async def test_a_field_of_the_detail_is_none_of_the_list(shop: Shop) -> None:
    await _refused(shop, "/customers?", "tags", "fields.0")


async def test_a_list_of_something_else_does_not_know_the_parameter(shop: Shop) -> None:
    answer = await shop.get("/webhooks?fields=id")
    assert answer.headers["frontdesk-ignored"] == "fields"
