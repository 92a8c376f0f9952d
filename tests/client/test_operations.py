"""The client agrees with the published OpenAPI description: every operation, parameter, field and known value."""

import inspect
import re
from types import NoneType
from typing import Any, NamedTuple, Union, get_type_hints
from urllib.parse import unquote

import pytest
from msgspec import UnsetType

from frontdesk.apis.openapi.build import description
from frontdesk.docs_site.guide_files import FOLDER
from frontdesk_client.client import Resources
from frontdesk_client.models import DataResponse, ExportedRecord, TokenResponse
from frontdesk_client.operations import LinesOperation, ListOperation, Operation, Resource
from frontdesk_client.request import ApiRequest, decode
from tests.client.schema_comparison import request_differences, resolve, response_differences, type_options

_NOT_IN_CLIENT = "/oauth/"  # the client requests its tokens itself
_OPERATIONS = (Operation, ListOperation, LinesOperation)
_SET_BY_THE_CLIENT = ("page", "fields")  # the second by `only`
_PATH_PARAMETER = re.compile(r"\{[a-z]+\}")


class Method(NamedTuple):
    request: ApiRequest[Any]
    parameters: dict[str, inspect.Parameter]  # by their name in the API
    types: dict[str, Any]


def client_methods() -> dict[str, Method]:
    """By HTTP method and path. Each is called with the names of its parameters as values."""
    resources = vars(Resources(None)).values()  # type: ignore[type-var]
    classes = [type(resource) for resource in resources if isinstance(resource, Resource)]
    operations = [value for class_ in classes for value in vars(class_).values()]
    return dict(describe(value) for value in operations if isinstance(value, _OPERATIONS))


def describe(
    operation: "Operation[Any, Any] | ListOperation[Any, Any] | LinesOperation[Any, Any]",
) -> tuple[str, Method]:
    parameters = [one for one in inspect.signature(operation.build).parameters.values() if one.name != "self"]
    in_path = {one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD and one.name.endswith("_id")}
    request = operation.build(None, **{one.name: "{id}" if one.name in in_path else one.name for one in parameters})
    hints = get_type_hints(operation.build)
    unsent = in_path if request.method == "GET" else {*in_path, "idempotency_key"}  # of a write it is a header
    sent = [one for one in parameters if one.name not in unsent]
    return f"{request.method} {unquote(request.path)}", Method(
        request,
        {one.name.removesuffix("_"): one for one in sent},
        {one.name.removesuffix("_"): hints[one.name] for one in sent},
    )


def published_operations() -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {_PATH_PARAMETER.sub('{id}', path)}": operation
        for path, operations in description("open-api")["paths"].items()
        for method, operation in operations.items()
        if not path.startswith(_NOT_IN_CLIENT)
    }


CLIENT = client_methods()
PUBLISHED = published_operations()


def test_the_client_has_every_operation_and_no_other() -> None:
    assert CLIENT.keys() == PUBLISHED.keys()
    assert len(CLIENT) > 30


def test_the_guide_lists_every_method_in_both_languages() -> None:
    methods = {
        name: [method for method, value in vars(type(resource)).items() if isinstance(value, _OPERATIONS)]
        for name, resource in vars(Resources(None)).items()  # type: ignore[type-var]
        if isinstance(resource, Resource)
    }
    for guide in ("python-client", "python-client-ar"):
        rows = re.findall(r"^\| `(\w+)` \| (`.+`) \|$", (FOLDER / f"{guide}.md").read_text("utf-8"), re.MULTILINE)
        assert {name: re.findall(r"`(\w+)`", listed) for name, listed in rows if name in methods} == methods


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_method_takes_the_published_parameters(name: str) -> None:
    method, fields = CLIENT[name], published_fields(PUBLISHED[name])
    assert method.parameters.keys() == fields.keys()
    required = {field for field, one in method.parameters.items() if one.default is one.empty}
    assert required == {field for field, (_, is_required) in fields.items() if is_required}
    differences = [
        difference
        for field, (schema, _) in fields.items()
        for difference in request_differences(sent_type(method.types[field]), schema, field)
    ]
    assert differences == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_method_sends_its_parameters_and_a_key_if_it_writes(name: str) -> None:
    method, operation = CLIENT[name], PUBLISHED[name]
    sent = decode(method.request.body, dict[str, Any]) if method.request.body else method.request.query
    assert sent.keys() == method.parameters.keys()
    takes_key = any(
        parameter.get("$ref", "").endswith("Idempotency-Key") or parameter.get("name") == "Idempotency-Key"
        for parameter in operation.get("parameters", ())
    )
    assert (method.request.idempotency_key is not None) == takes_key


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_response_is_decoded_as_published(name: str) -> None:
    response_type: Any = CLIENT[name].request.response_type
    schema = response_schema(PUBLISHED[name])
    if schema is None:
        assert response_type == (ExportedRecord if name.endswith("/records") else DataResponse[None])
    else:
        assert list(response_differences(response_type, schema, name)) == []


def test_a_token_response_is_decoded_as_published() -> None:
    schema = response_schema(description("open-api")["paths"]["/oauth/token"]["post"])
    assert schema is not None
    assert list(response_differences(TokenResponse, schema, "token")) == []


def published_fields(operation: dict[str, Any]) -> dict[str, tuple[dict[str, Any], bool]]:
    """The query parameters and the fields of the body, with whether each is required."""
    query = {
        parameter["name"]: (parameter["schema"], parameter["required"])
        for parameter in operation.get("parameters", ())
        if parameter.get("in") == "query" and parameter["name"] not in _SET_BY_THE_CLIENT
    }
    if "requestBody" not in operation:
        return query
    body = resolve(operation["requestBody"]["content"]["application/json"]["schema"])
    required = body.get("required", ())
    return query | {name: (field, name in required) for name, field in body["properties"].items()}


def response_schema(operation: dict[str, Any]) -> dict[str, Any] | None:
    (success,) = [response for status, response in operation["responses"].items() if status.startswith("2")]
    schema: dict[str, Any] | None = success.get("content", {}).get("application/json", {}).get("schema")
    return schema


def sent_type(hint: Any) -> Any:
    """None and UNSET are the values for which a method omits a field. Where there is UNSET, None is sent as null."""
    options = type_options(hint)
    omitted = UnsetType if UnsetType in options else NoneType
    return Union[tuple(option for option in options if option is not omitted)]  # noqa: UP007 - built at run time
