"""The operations of the APIs as the pages of the reference show them, read from the OpenAPI descriptions."""

from functools import cache
from typing import Any, NamedTuple

from frontdesk.apis.openapi.build import NAMES, description, operation_ids
from frontdesk.apis.openapi.error_docs import ERROR_DOCS, ErrorDoc
from frontdesk.docs_site.fields import Field, resolve, root_fields, value_field
from frontdesk.http.errors import ERROR_PAGES, Code

ADDRESS = "/docs/reference"
API_TITLES = {"open-api": "Open API", "key-api": "POS API"}
_FIRST_ERROR = 400


class OperationError(NamedTuple):
    code: Code
    status: str
    doc: ErrorDoc

    @property
    def address(self) -> str:
        return f"{ERROR_PAGES}/{self.code}"


class Operation(NamedTuple):
    api: str
    id: str
    tag: str
    method: str
    path: str  # with the prefix of the API
    title: str
    paragraphs: list[str]
    is_authenticated: bool  # with a token or a key
    scopes: list[str]
    headers: list[Field]
    parameters: list[Field]  # of the path and the query
    body: list[Field]
    body_type: str | None
    request: Any  # an example, or None
    status: str
    answer: list[Field]
    answer_description: str
    response: Any
    errors: list[OperationError]

    @property
    def address(self) -> str:
        return f"{ADDRESS}/{self.api}/{self.id}"

    @property
    def can_be_tried(self) -> bool:
        """On its page, which sends JSON with a token or a key."""
        return self.is_authenticated and self.body_type in (None, "application/json")

    @property
    def has_dry_run(self) -> bool:
        return any(header.name == "Frontdesk-Dry-Run" for header in self.headers)

    @property
    def prefix(self) -> str:
        """What the paths of its API begin with."""
        return str(description(self.api)["servers"][0]["url"])

    @property
    def path_parameters(self) -> list[Field]:
        return [field for field in self.parameters if f"{{{field.name}}}" in self.path]

    @property
    def query_parameters(self) -> list[Field]:
        return [field for field in self.parameters if f"{{{field.name}}}" not in self.path]


class Group(NamedTuple):
    title: str
    text: str
    operations: list[Operation]


@cache
def groups(api: str) -> list[Group]:
    document = description(api)
    found = [
        _operation(api, document, path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return [
        Group(tag["name"], tag["description"], [operation for operation in found if operation.tag == tag["name"]])
        for tag in document["tags"]
    ]


def operations() -> list[Operation]:
    return [operation for api in NAMES for group in groups(api) for operation in group.operations]


def operation_addresses() -> dict[str, tuple[str, str]]:
    """The API and the id of the operation by the address of its page. The description is not built for it."""
    return {f"{ADDRESS}/{api}/{id_}": (api, id_) for api in NAMES for id_ in operation_ids(api)}


def find_operation(api: str, id_: str) -> Operation:
    return next(operation for group in groups(api) for operation in group.operations if operation.id == id_)


def _operation(api: str, document: dict[str, Any], path: str, method: str, published: dict[str, Any]) -> Operation:
    parameters = [resolve(document, parameter) for parameter in published.get("parameters", ())]
    media_type, body = _content(published.get("requestBody"))
    status, answer = next((code, answer) for code, answer in published["responses"].items() if code.startswith("2"))
    answer = resolve(document, answer)
    _, returned = _content(answer)
    scopes = {scope for option in published.get("security", ()) for named in option.values() for scope in named}
    return Operation(
        api=api,
        id=published["operationId"],
        tag=published["tags"][0],
        method=method.upper(),
        path=document["servers"][0]["url"] + path,
        title=published["operationId"].replace("_", " ").capitalize(),
        paragraphs=_paragraphs(published),
        is_authenticated=any({"bearer", "key"} & option.keys() for option in published.get("security", ())),
        scopes=sorted(scopes),
        headers=[value_field(document, parameter) for parameter in parameters if parameter["in"] == "header"],
        parameters=[value_field(document, parameter) for parameter in parameters if parameter["in"] != "header"],
        body=root_fields(document, body["schema"]) if body else [],
        body_type=media_type,
        request=body.get("example"),
        status=status,
        answer=root_fields(document, returned["schema"]) if returned else [],
        answer_description=answer["description"],
        response=returned.get("example"),
        errors=_errors(document, published["responses"]),
    )


def _paragraphs(published: dict[str, Any]) -> list[str]:
    """The summary and what follows; the scopes are listed by themselves."""
    texts = [f"{published['summary']}.", *published["description"].split("\n\n")]
    return [
        text
        for text in dict.fromkeys(texts)
        if not text.startswith(("Requires the scope", published["summary"] + "\n"))
    ]


def _content(holder: dict[str, Any] | None) -> tuple[str | None, dict[str, Any]]:
    """The media type, and what is published for it; nothing without a body."""
    for media_type, content in (holder or {}).get("content", {}).items():
        return media_type, content
    return None, {}


def _errors(document: dict[str, Any], responses: dict[str, Any]) -> list[OperationError]:
    found = []
    for status, response in responses.items():
        if not status.isdigit() or int(status) < _FIRST_ERROR:
            continue
        _, content = _content(resolve(document, response))
        codes = [Code(name) for name in content.get("examples", {}) if name in set(Code)]
        found += [OperationError(code, status, ERROR_DOCS[code]) for code in codes]
    return found
