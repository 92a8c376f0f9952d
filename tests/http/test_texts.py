"""Texts of requests: trimmed, visible, and as long as the description says."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from frontdesk.apis.openapi.build import PREFIXES, description
from frontdesk.apis.openapi.document import KEY_API, OPEN_API
from frontdesk.values.text import one_line, trim
from tests.factories.users import owner_of
from tests.support.dashboard import DashboardClient
from tests.support.http_errors import assert_error
from tests.support.service import Service
from tests.support.shop import Shop

INVISIBLE = {
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "byte order mark": "\ufeff",
    "right-to-left mark": "\u200f",
    "isolates": "\u2066\u2069",
    "soft hyphen": "\u00ad",
    "no-break spaces": "\u00a0\u00a0",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Hangul choseong filler": "\u115f",
    "Braille blank": "\u2800",
    "variation selector": "\ufe0f",
    "combining grapheme joiner": "\u034f",
    "control characters": "\u0001\u0002",
    "tags": "\U000e0041",
    "many of them": "\u200b \u3164\u2800 \u200e",
}
VISIBLE = ["محمد\u200cرضا", "\u200fعلي", "Zoë", "e\u0301", "👩\u200d🔬", "名", "1", "\u200bA"]


@pytest.mark.parametrize("text", INVISIBLE.values(), ids=INVISIBLE)
def test_a_text_of_invisible_characters_is_empty(text: str) -> None:
    assert trim(text * 3) == ""


@pytest.mark.parametrize("text", VISIBLE)
def test_a_text_of_visible_characters_is_unchanged(text: str) -> None:
    assert trim(f"  {text}\u00a0") == text


CONTROLS = {
    "a\u202eb\u202c": "ab",
    "\u2067أ\u2069ب": "أب",
    "Sa\u0007ra\u007f\u0085": "Sara",
    "Sara\r\n\t Ali": "Sara Ali",
    "علي\u200fحسن": "علي\u200fحسن",  # a mark turns nothing around
}


@pytest.mark.parametrize(("sent", "stored"), CONTROLS.items())
async def test_a_name_has_one_line_and_turns_nothing_around(
    service: Service, other_shop: Shop, sent: str, stored: str
) -> None:
    shop = await service.new_shop()
    body = {"first_name": sent, "last_name": f"x{sent}", "city": f"xyz{sent}", "note": f"One\nTwo\u202e {sent}"}
    made = (await shop.post("/customers", body)).json()["data"]
    assert (made["first_name"], made["last_name"], made["city"]) == (stored, f"x{stored}", f"xyz{stored}")
    assert made["note"].startswith("One\nTwo ")
    assert "\u202e" not in made["note"]
    name = f"{sent}{uuid4()}"
    answer = await shop.key_call("POST", "/tags?model=customers", json={"name": name})
    assert answer.json()["data"]["name"] == one_line(trim(name))
    method = await shop.post("/payment-methods", {"name": name, "type": "other"})
    assert set(method.json()["data"]["name"].values()) == {one_line(trim(name))}
    async with DashboardClient(service.origin, service.dsn) as desk:
        await desk.sign_in_as(await owner_of(shop))
        await desk.post("/settings/api/keys/new", {"name": name, "id": str(uuid4())})
    names = [row["name"] for row in await shop.sql("SELECT name FROM api_keys WHERE tenant_id = $1")]
    assert one_line(trim(name)) in names


async def test_a_name_of_invisible_characters_is_refused(service: Service, shop: Shop, other_shop: Shop) -> None:
    for text in ("\u200b\u200b\u200b", "\u3164\u3164", "\u2800\u2800\u2800"):
        body = {"first_name": text, "last_name": "Ali"}
        errors = assert_error(await shop.post("/customers", body), 422, "validation_error")["errors"]
        assert list(errors) == ["first_name"]
        answer = await shop.key_call("POST", "/tags?model=customers", json={"name": text})
        assert assert_error(answer, 400, "bad_request")["errors"] == {"name": ["must not be empty"]}
    async with DashboardClient(service.origin, service.dsn) as desk:
        await desk.sign_in_as(await owner_of(shop))
        answer = await desk.post("/settings/api/keys/new", {"name": "\u200b\u2800"})
        assert answer.status_code == 422, answer.text


async def test_a_persian_name_keeps_its_joiner(service: Service) -> None:
    shop = await service.new_shop()
    answer = await shop.post("/customers", {"first_name": VISIBLE[0], "last_name": "Ali"})
    assert answer.status_code == 201
    found = (await shop.get(f"/customers/{answer.json()['data']['id']}")).json()["data"]
    assert found["first_name"] == VISIBLE[0]


# Published lengths


def _operations() -> Iterator[tuple[str, str, str, dict[str, Any], dict[str, Any]]]:
    for name, prefix in PREFIXES.items():
        document = description(name)
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                yield name, prefix + path, method.upper(), operation, document


def _texts_of_queries() -> Iterator[Any]:
    for name, path, method, operation, document in _operations():
        for parameter in operation.get("parameters", []):
            schema = parameter.get("schema", {})
            most = _longest(schema, document)
            if parameter.get("in") == "query" and most is not None:
                yield pytest.param(
                    name, method, path, parameter["name"], most, id=f"{method} {path} {parameter['name']}"
                )


def _texts_of_bodies() -> Iterator[Any]:
    for name, path, method, operation, document in _operations():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        for schema in content["schema"].get("anyOf", [content["schema"]]) if content else ():
            example = {**content["example"], **_fixed(_resolved(schema, document))}
            for place, most in _places(schema, document):
                case = f"{method} {path} {'.'.join(map(str, place))}"
                yield pytest.param(name, method, path, example, place, most, id=case)


def _fixed(schema: dict[str, Any]) -> dict[str, Any]:
    """The fields that tell the forms of a body apart, such as grant_type."""
    values = {field: inner.get("enum", []) for field, inner in schema.get("properties", {}).items()}
    return {field: allowed[0] for field, allowed in values.items() if len(allowed) == 1}


def _places(schema: dict[str, Any], document: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Of every text with a length, in objects and in the first entries of lists."""
    schema = _resolved(schema, document)
    most = _longest(schema, document)
    if most is not None:
        yield (), most
    for field, inner in schema.get("properties", {}).items():
        yield from (((field, *place), most) for place, most in _places(inner, document))
    if "items" in schema:
        yield from (((0, *place), most) for place, most in _places(schema["items"], document))
    for arm in schema.get("anyOf", []):
        if "properties" in _resolved(arm, document) or "items" in _resolved(arm, document):
            yield from _places(arm, document)


def _resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        found: Any = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        schema = found
    return schema


def _longest(schema: dict[str, Any], document: dict[str, Any]) -> int | None:
    arms = [_resolved(arm, document) for arm in schema.get("anyOf", [schema])]
    return next((arm["maxLength"] for arm in arms if "maxLength" in arm), None)


def _put(value: Any, place: tuple[str | int, ...], text: str) -> Any:
    """The example with the text in that field."""
    if not place:
        return text
    step, *rest = place
    if isinstance(step, int):
        entries = value if isinstance(value, list) and value else [None]
        return [_put(entries[0], tuple(rest), text), *entries[1:]]
    members = value if isinstance(value, dict) else {}
    return {**members, step: _put(members.get(step), tuple(rest), text)}


async def _send(shop: Shop, interface: str, method: str, path: str, **rest: Any) -> Any:
    prefix = PREFIXES[interface]
    address = path.removeprefix(prefix)
    for name in ("uuid", "id"):
        address = address.replace("{" + name + "}", str(shop.tenant_id))
    while "{" in address:
        before, _, after = address.partition("{")
        address = f"{before}{shop.tenant_id}{after.partition('}')[2]}"
    if interface == KEY_API.key:
        return await shop.key_call(method, address, **rest)
    assert interface == OPEN_API.key
    return await shop.request(method, address, **rest)


async def test_a_query_is_as_long_as_published_with_its_spaces(shop: Shop) -> None:
    found = 0
    for case in _texts_of_queries():
        interface, method, path, name, most = case.values
        answer = await _send(shop, interface, method, path, params={name: "1".ljust(most) + " "})
        assert answer.status_code in (400, 422), (case.id, answer.text)
        assert answer.json()["errors"][name] == [f"must have at most {most} characters"], case.id
        found += 1
    assert found > 5


async def test_a_body_is_as_long_as_published_with_its_spaces(shop: Shop) -> None:
    found = 0
    for case in _texts_of_bodies():
        interface, method, path, example, place, most = case.values
        body = _put(example, place, "1".ljust(most) + " ")
        answer = await _send(shop, interface, method, path, json=body)
        where = ".".join(map(str, place))
        assert answer.status_code in (400, 422), (case.id, answer.text)
        assert answer.json()["errors"][where] == [f"must have at most {most} characters"], (case.id, answer.text)
        found += 1
    assert found > 20
