"""The client has every operation of the interface, with all that each takes, under the names it has there."""

import inspect
import re
from typing import Any, NamedTuple
from urllib.parse import unquote

import msgspec
import pytest

from frontdesk.apis.open import orders
from frontdesk.apis.open.api import open_api
from frontdesk.client import InlinePayment, LineToReschedule, OrderLine
from frontdesk.client.asking import ApiRequest
from frontdesk.client.clients import Interface
from frontdesk.client.operations import Listing, Operation, Resource

OPERATIONS = {f"{one.method} {one.path}": one for one in open_api().operations if one.requires_auth}
_PLACEHOLDER = re.compile(r"\{[a-z]+\}")


class Known(NamedTuple):
    ask: ApiRequest[Any]
    fields: set[str]
    needed: set[str]


def client_methods() -> dict[str, Known]:
    """By method and path, each asked with its own parameters' names for values."""
    parts: dict[str, Any] = vars(Interface(None))  # type: ignore[type-var]
    resources = [type(part) for part in parts.values() if isinstance(part, Resource)]
    methods = [
        method
        for resource in resources
        for method in vars(resource).values()
        if isinstance(method, Operation | Listing)
    ]
    return dict(map(known, methods))


def known(method: "Operation[Any, Any] | Listing[Any, Any]") -> tuple[str, Known]:
    given = [one for one in inspect.signature(method.ask).parameters.values() if one.name != "self"]
    in_path = {one.name for one in given if one.kind is one.POSITIONAL_OR_KEYWORD and one.name.endswith("_id")}
    values = {one.name: "{id}" if one.name in in_path else one.name for one in given}
    ask = method.ask(None, **values)
    fields = {one.name.removesuffix("_"): one for one in given if one.name not in {*in_path, "key"}}
    needed = {name for name, one in fields.items() if one.default is one.empty}
    return f"{ask.method} {unquote(ask.path)}", Known(ask, set(fields), needed)


CLIENT = client_methods()


def named(operation: str) -> str:
    return _PLACEHOLDER.sub("{id}", operation)


def test_every_operation_is_there_and_no_other() -> None:
    assert {named(operation) for operation in OPERATIONS} == set(CLIENT)
    assert len(CLIENT) > 30


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_takes_what_the_service_takes(operation: str) -> None:
    theirs, ours = OPERATIONS[operation], CLIENT[named(operation)]
    taken = [
        field
        for kind in (theirs.query, theirs.body)
        if kind is not None
        for field in msgspec.structs.fields(kind)
        if field.encode_name != "page"  # which the client counts itself
    ]
    assert ours.fields == {field.encode_name for field in taken}
    assert ours.needed == {field.encode_name for field in taken if field.required}
    sent = set(ours.ask.query) if theirs.body is None else set(msgspec.json.decode(ours.ask.body or b"{}"))
    assert sent == ours.fields


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_is_read_as_the_service_writes_it_and_has_a_key_when_it_writes(operation: str) -> None:
    theirs, ours = OPERATIONS[operation], CLIENT[named(operation)]
    answer: Any = ours.ask.answer
    if theirs.response is None:
        assert answer.__args__ == (type(None),)
    else:
        assert answer == theirs.response
    assert (ours.ask.key is not None) == theirs.writes


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (OrderLine, orders.OrderItemCreate),
        (InlinePayment, orders.InlinePayment),
        (LineToReschedule, orders.StaffAssignment),
    ],
)
def test_the_parts_of_a_body_have_the_fields_of_the_service(
    ours: type[msgspec.Struct], theirs: type[msgspec.Struct]
) -> None:
    assert [f.encode_name for f in msgspec.structs.fields(ours)] == [
        f.encode_name for f in msgspec.structs.fields(theirs)
    ]
