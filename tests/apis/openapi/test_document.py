"""The descriptions are sound, complete, and speak of everything that the interfaces have."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from frontdesk.apis.open.api import open_api
from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.apis.openapi.document import KEY_API, OPEN_API, describe, new_field_docs
from frontdesk.apis.openapi.error_details import DETAILS
from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.apis.openapi.tags import POS_TAGS, tag_of
from frontdesk.apis.openapi.webhooks import HAPPENED
from frontdesk.apis.pos.api import pos_api
from frontdesk.auth.scopes import Scope
from frontdesk.event_forms.data import DATA
from frontdesk.http.errors import STATUS, Code
from frontdesk.webhooks.event_types import EventType
from tests.contract.endpoints import ENDPOINTS, KEY_ENDPOINTS, Endpoint
from tests.support.openapi_check import closed_validator
from tests.support.programs.commands import run_here
from tests.support.service import Service

ADDRESSES = {"open-api": "/open-api/v1/openapi.json", "key-api": "/api/v1/openapi.json"}


def operations(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in description(name)["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def schemas_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = description(name)["components"]["schemas"]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_description_is_sound_openapi(name: str) -> None:
    document = msgspec.json.decode(msgspec.json.encode(description(name)))
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_field_and_parameter_is_explained(name: str) -> None:
    silent = [
        f"{owner}.{field}"
        for owner, schema in schemas_of(name).items()
        for field, about in schema.get("properties", {}).items()
        if not about.get("description")
    ]
    silent += [
        f"{where} ?{parameter['name']}"
        for where, operation in operations(name)
        for parameter in operation.get("parameters", ())
        if "$ref" not in parameter and not parameter["description"]
    ]
    assert silent == []


def test_no_explanation_is_left_over() -> None:
    words = new_field_docs()
    describe(open_api(), OPEN_API, words)
    describe(pos_api(), KEY_API, words)
    assert words.unused() == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_text_and_list_that_is_sent_has_a_limit(name: str) -> None:
    endless = []
    for where, operation in operations(name):
        for media in operation.get("requestBody", {}).get("content", {}).values():
            endless += [f"{where} {field}" for field in _endless(media["schema"], name, set())]
        for parameter in operation.get("parameters", ()):
            if "$ref" not in parameter and parameter["name"] != "page":  # past the last page, each one is empty
                endless += [f"{where} ?{parameter['name']}"] * bool(list(_endless(parameter["schema"], name, set())))
    assert endless == []


def _endless(schema: dict[str, Any], name: str, seen: set[str]) -> Iterator[str]:
    if "$ref" in schema:
        target = schema["$ref"].rpartition("/")[2]
        if target not in seen:
            seen.add(target)
            for field, inner in schemas_of(name)[target].get("properties", {}).items():
                yield from (f"{target}.{field}" for _ in _endless(inner, name, seen))
        return
    for inner in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])):
        yield from _endless(inner, name, seen)
    kinds = schema.get("type", [])
    if "string" in kinds and not {"maxLength", "format", "enum", "pattern"} & schema.keys():
        yield "text"
    if "integer" in kinds and not {"maximum"} <= schema.keys():
        yield "number"
    if "array" in kinds and "maxItems" not in schema:
        yield "list"


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_of_its_own_schema(name: str) -> None:
    checked = 0
    for where, operation in operations(name):
        bodies = list(operation.get("requestBody", {}).get("content", {}).values())
        for answer in operation["responses"].values():
            bodies += answer.get("content", {}).values()
        for media in bodies:
            if "example" in media:
                errors = closed_validator(name, media["schema"]).iter_errors(media["example"])
                assert [f"{where} {error.instance_path}: {error.message}" for error in errors] == []
                checked += 1
    assert checked >= len(list(operations(name)))


@pytest.mark.parametrize("name", NAMES)
def test_every_error_has_an_example_in_the_one_form(name: str) -> None:
    shown = description(name)["components"]["examples"]
    form = closed_validator(name, schemas_of(name)["Error"])
    for code, doc in ERROR_DOCS.items():
        example = doc.example(code)
        form.validate(example)
        assert example["error"] == code
        assert code not in shown or shown[code] == {"summary": doc.why, "value": example}


@pytest.mark.parametrize("name", NAMES)
def test_a_description_has_no_part_that_nothing_refers_to(name: str) -> None:
    whole = description(name)
    used = set(_references(whole))
    parts = {f"#/components/{kind}/{part}" for kind, named in whole["components"].items() for part in named}
    securities = {f"#/components/securitySchemes/{scheme}" for scheme in whole["components"]["securitySchemes"]}
    for_clients = {"#/components/schemas/Error"}  # every code, for a program that handles errors in one place
    assert parts - securities - for_clients <= used <= parts


@pytest.mark.parametrize("name", NAMES)
def test_a_description_says_whom_to_ask_and_what_each_group_is_for(name: str) -> None:
    whole = description(name)
    assert whole["info"]["contact"]["name"]
    tags = {tag["name"] for tag in whole["tags"] if tag["description"]}
    everything = [*whole["paths"].values(), *whole.get("webhooks", {}).values()]
    for methods in everything:
        for operation in methods.values():
            assert set(operation["tags"]) <= tags
            assert "security" in operation


def test_a_path_without_a_group_is_refused() -> None:
    assert tag_of("/pos/orders/{orderId}/invoice", POS_TAGS).name == "Invoices"
    assert tag_of("/pos/orders/{orderId}", POS_TAGS).name == "Point of sale"
    with pytest.raises(LookupError, match="/postings"):
        tag_of("/postings", POS_TAGS)


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_names_only_errors_of_its_status(name: str) -> None:
    shared = description(name)["components"]["responses"]
    for where, operation in operations(name):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                response = shared[answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
                codes = response["content"]["application/json"]["examples"]
                assert {STATUS[Code(code)] for code in codes} == {int(status)}, where


@pytest.mark.parametrize("row", [*ENDPOINTS, *KEY_ENDPOINTS], ids=lambda row: row.id)
def test_every_row_of_the_specification_is_described(row: Endpoint) -> None:
    name = "key-api" if row in KEY_ENDPOINTS else "open-api"
    operation = description(name)["paths"][row.path][row.method.lower()]
    assert str(row.status) in operation["responses"]
    if row.scopes:
        first = [row.scopes[0]]  # others depend on what is sent
        assert operation["security"] == [{"oauth2": first}, {"bearer": []}]
        assert {"401", "403", "429"} <= operation["responses"].keys()


def test_the_open_api_tells_its_scopes_and_where_tokens_come_from() -> None:
    flow = description("open-api")["components"]["securitySchemes"]["oauth2"]["flows"]["clientCredentials"]
    assert flow["tokenUrl"] == "/open-api/v1/oauth/token"
    assert set(flow["scopes"]) == {*Scope, "*"}


def test_every_kind_of_event_is_described() -> None:
    webhooks = description("open-api")["webhooks"]
    assert set(webhooks) == set(EventType)
    for kind, methods in webhooks.items():
        media = methods["post"]["requestBody"]["content"]["application/json"]
        whole = {**media["schema"], "components": description("open-api")["components"]}
        jsonschema_rs.Draft202012Validator(whole, validate_formats=True).validate(media["example"])
        assert media["example"]["type"] == kind


def test_every_error_code_has_a_schema_of_its_own_and_every_example_is_of_it() -> None:
    """A code without an entry in DETAILS or ERROR_WORDS fails here, and in every description."""
    assert set(DETAILS) == set(Code) == set(ERROR_DOCS)
    for name in NAMES:
        whole = description(name)
        mapping = whole["components"]["schemas"]["Error"]["discriminator"]["mapping"]
        assert set(mapping) == set(Code)
        for code, reference in mapping.items():
            check = closed_validator(name, {"$ref": reference})
            example = ERROR_DOCS[Code(code)].example(Code(code))
            check.validate(example)
            assert not check.is_valid({**example, "error": "another"})
            assert not check.is_valid({**example, "details": {"unheard": 1}})


def test_every_kind_of_event_has_a_schema_of_its_own_and_one_form_of_author() -> None:
    whole = description("open-api")
    event = whole["components"]["schemas"]["Event"]
    assert set(event["discriminator"]["mapping"]) == set(EventType) == set(DATA) == set(HAPPENED)
    for reference in event["oneOf"]:
        name = reference["$ref"].rpartition("/")[2]
        data = whole["components"]["schemas"][name]["properties"]["data"]["$ref"].rpartition("/")[2]
        fields = whole["components"]["schemas"][data]["properties"]
        authors = {field for field in fields if field.endswith("_by")}
        assert authors <= {"changed_by"}, name
        for field in authors:
            assert fields[field]["$ref"] == "#/components/schemas/ChangedBy"


@pytest.mark.parametrize("name", NAMES)
async def test_a_description_is_served_without_authentication_and_only_when_it_has_changed(
    service: Service, name: str
) -> None:
    answer = await service.http.get(ADDRESSES[name])
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == msgspec.json.decode(msgspec.json.encode(description(name)))
    again = await service.http.get(ADDRESSES[name], headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_command_prints_what_is_served() -> None:
    for name in NAMES:
        printed = run_here("openapi", name)
        assert printed.returncode == 0, printed.stderr
        assert msgspec.json.decode(printed.stdout) == msgspec.json.decode(msgspec.json.encode(description(name)))
    assert run_here("openapi", "another").returncode == 2


def test_the_headers_of_refused_scopes_and_of_oauth_are_described() -> None:
    document = description(OPEN_API.key)
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for status, listed in operation["responses"].items():
                answer = (
                    document["components"]["responses"][listed["$ref"].split("/")[-1]] if "$ref" in listed else listed
                )
                examples = answer.get("content", {}).get("application/json", {}).get("examples", {})
                assert ("Pragma" in answer["headers"]) == ("/oauth/" in path), (path, status)
                if status == "403":
                    assert ("WWW-Authenticate" in answer["headers"]) == ("insufficient_scope" in examples), path


def test_an_amount_to_refund_is_more_than_nothing() -> None:
    amount = description(KEY_API.key)["components"]["schemas"]["RefundCreate"]["properties"]["amount"]
    assert any(arm.get("exclusiveMinimum") == 0 and "minimum" not in arm for arm in (amount, *amount.get("anyOf", ())))


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, inner in part.items():
            if key == "mapping":
                yield from inner.values()
            elif key == "$ref":
                yield inner
            else:
                yield from _references(inner)
    if isinstance(part, list):
        for inner in part:
            yield from _references(inner)


@pytest.mark.parametrize("name", NAMES)
def test_a_generator_reads_every_number_as_it_is(name: str) -> None:
    """As wide as it can get; a text is no number, and null is no value of a list."""
    for schema in _schemas(schemas_of(name)):
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if "number" in kinds:
            assert schema["format"] == "double", schema
        if "integer" in kinds:
            assert schema.get("format") == "int64" or schema["maximum"] < 2**31, schema
        assert "string" not in kinds or schema.get("format") != "decimal", schema
        assert None not in schema.get("enum", ()), schema


def _schemas(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        if isinstance(part.get("type"), str | list):
            yield part
        for inner in part.values():
            yield from _schemas(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _schemas(inner)
