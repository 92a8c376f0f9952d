"""The kind of each change of a description, and which ones break clients."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.changelog.diff import NO_CHANGES, differences
from frontdesk.changelog.types import Change, ChangeKind

Document = dict[str, Any]
Edit = Callable[[Document], object]


def changes(edit: Edit) -> list[Change]:
    """What a small description has to tell after this edit."""
    old = small()
    new = copy.deepcopy(old)
    edit(new)
    return differences(old, new)


def small() -> Document:
    thing = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 10}, "kind": {"type": "string", "enum": ["a", "b"]}},
        "required": ["name"],
    }
    reference = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}
    sent = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewThing"}}}}
    page = {"name": "page", "in": "query", "required": False, "schema": {"type": "integer", "maximum": 9}}
    return {
        "paths": {
            "/things": {
                "get": {
                    "operationId": "list",
                    "security": [{"o": ["r"]}],
                    "parameters": [page],
                    "responses": {"200": reference},
                },
                "post": {"operationId": "make", "requestBody": sent, "responses": {"201": reference, "422": {}}},
            }
        },
        "webhooks": {"thing.made": {"post": {"requestBody": reference, "responses": {}}}},
        "components": {
            "schemas": {"Thing": copy.deepcopy(thing), "NewThing": copy.deepcopy(thing)},
            "securitySchemes": {
                "o": {"type": "oauth2", "flows": {"clientCredentials": {"scopes": {"r": "", "w": ""}}}}
            },
        },
    }


def schema(document: Document, name: str) -> Document:
    found: Document = document["components"]["schemas"][name]
    return found


def get(document: Document) -> Document:
    found: Document = document["paths"]["/things"]["get"]
    return found


EDITS: list[tuple[str, Edit, str, bool]] = [
    ("an operation comes", lambda d: d["paths"]["/things"].update(put={"responses": {}}), "addition", False),
    ("an operation goes", lambda d: d["paths"]["/things"].pop("post"), "removal", True),
    ("a resource goes", lambda d: d["paths"].clear(), "removal", True),
    ("an event comes", lambda d: d["webhooks"].update({"x": {"post": {"responses": {}}}}), "addition", False),
    ("an event goes", lambda d: d["webhooks"].clear(), "removal", True),
    (
        "a response field is added",
        lambda d: schema(d, "Thing")["properties"].update(x={"type": "null"}),
        "addition",
        False,
    ),
    ("a response field is removed", lambda d: schema(d, "Thing")["properties"].pop("kind"), "removal", True),
    ("a response field may be absent", lambda d: schema(d, "Thing")["required"].clear(), "modification", True),
    ("a sent field may be absent", lambda d: schema(d, "NewThing")["required"].clear(), "modification", False),
    ("a sent field must come", lambda d: schema(d, "NewThing")["required"].append("kind"), "modification", True),
    ("a response field always comes", lambda d: schema(d, "Thing")["required"].append("kind"), "modification", False),
    ("a sent text must be shorter", lambda d: _name(d, "NewThing").update(maxLength=5), "modification", True),
    ("a sent text may be longer", lambda d: _name(d, "NewThing").update(maxLength=50), "modification", False),
    ("a response text may be longer", lambda d: _name(d, "Thing").update(maxLength=50), "modification", False),
    ("a response value may be null", lambda d: _name(d, "Thing").update(type=["string", "null"]), "modification", True),
    ("a sent value may be null", lambda d: _name(d, "NewThing").update(type=["string", "null"]), "modification", False),
    ("a sent value must be a number", lambda d: _name(d, "NewThing").update(type="integer"), "modification", True),
    ("a sent value gets a pattern", lambda d: _name(d, "NewThing").update(pattern="^x"), "modification", True),
    ("a value comes", lambda d: _kind(d).append("c"), "addition", False),
    ("a value goes", lambda d: _kind(d).remove("a"), "removal", True),
    ("an answer comes", lambda d: get(d)["responses"].update({"404": {}}), "addition", False),
    ("an answer goes", lambda d: d["paths"]["/things"]["post"]["responses"].pop("422"), "removal", True),
    (
        "a parameter comes",
        lambda d: get(d)["parameters"].append({**_parameter("q"), "required": False}),
        "addition",
        False,
    ),
    ("a parameter must come", lambda d: get(d)["parameters"].append(_parameter("q")), "addition", True),
    ("a parameter goes", lambda d: get(d)["parameters"].clear(), "removal", True),
    ("a parameter becomes required", lambda d: get(d)["parameters"][0].update(required=True), "modification", True),
    ("another scope is needed", lambda d: get(d).update(security=[{"o": ["w"]}]), "modification", True),
    ("it is deprecated", lambda d: get(d).update(deprecated=True), "modification", False),
    ("a scope goes", lambda d: _scopes(d).pop("w"), "removal", True),
    ("a scope comes", lambda d: _scopes(d).update(x=""), "addition", False),
]


def _name(document: Document, owner: str) -> Document:
    found: Document = schema(document, owner)["properties"]["name"]
    return found


def _kind(document: Document) -> list[str]:
    found: list[str] = schema(document, "Thing")["properties"]["kind"]["enum"]
    return found


def _parameter(name: str) -> Document:
    return {"name": name, "in": "query", "required": True, "schema": {"type": "string"}}


def _scopes(document: Document) -> Document:
    found: Document = document["components"]["securitySchemes"]["o"]["flows"]["clientCredentials"]["scopes"]
    return found


@pytest.mark.parametrize(("edit", "kind", "breaking"), [row[1:] for row in EDITS], ids=[row[0] for row in EDITS])
def test_each_change_is_classified(edit: Edit, kind: str, breaking: bool) -> None:
    found = changes(edit)
    assert {(change.kind, change.breaking) for change in found} == {(kind, breaking)}, found


def test_a_change_of_a_schema_is_listed_once_however_often_it_is_used() -> None:
    assert len(changes(lambda d: schema(d, "Thing")["properties"].pop("kind"))) == 1


def test_other_words_and_examples_are_no_change() -> None:
    def reword(document: Document) -> None:
        get(document).update(summary="Other", description="Other")
        schema(document, "Thing").update(description="Other", example={})

    assert changes(reword) == []


def test_a_removal_that_breaks_nobody_cannot_be_written_down() -> None:
    with pytest.raises(ValueError, match="always breaking"):
        Change("x", ChangeKind.REMOVAL, "was removed", breaking=False)


@pytest.mark.parametrize("name", NAMES)
def test_taking_any_operation_away_breaks_and_nothing_differs_from_itself(name: str) -> None:
    document = description(name)
    assert differences(document, copy.deepcopy(document)) == []
    first = differences(NO_CHANGES, document)
    assert {change.kind for change in first} == {ChangeKind.ADDITION}
    gone = differences(document, {**document, "paths": {}})
    assert sum(change.text == "was removed" for change in gone) == sum(len(m) for m in document["paths"].values())
    assert all(change.breaking for change in gone)
