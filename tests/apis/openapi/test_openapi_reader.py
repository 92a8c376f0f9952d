"""The reader behind every test notices an answer that is not as described."""

from typing import Any

import msgspec
import pytest

from tests.support.openapi_check import ResponseValidator

PAGE: dict[str, Any] = {
    "data": [],
    "links": {"first": "x", "last": "x", "prev": None, "next": None},
    "meta": {"current_page": 1, "last_page": 1, "per_page": 25, "total": 0},
}
REFUSAL = {
    "error": "not_found",
    "message": "No such order.",
    "request_id": "1",
    "doc_url": "http://desk.example/docs/errors/not_found",
}


def answering(status: int, body: Any, **headers: str) -> ResponseValidator:
    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        head = {"content-type": "application/json", "x_request_id": "1", "cache-control": "no-store", **headers}
        listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in head.items() if value]
        await send({"type": "http.response.start", "status": status, "headers": listed})
        await send({"type": "http.response.body", "body": msgspec.json.encode(body)})

    return ResponseValidator(app)  # type: ignore[arg-type]


async def lies_of(reader: ResponseValidator, path: str, method: str = "GET") -> list[str]:
    async def nothing(*_: Any) -> None: ...

    await reader({"type": "http", "method": method, "path": f"/open-api/v1{path}"}, nothing, nothing)
    return list(reader.violations)


@pytest.mark.parametrize(
    ("reader", "path"),
    [
        (answering(200, {"data": []}), "/branches"),
        (answering(200, {**PAGE, "more": 1}), "/branches"),
        (answering(200, {**PAGE, "data": [{"id": "1"}]}), "/branches"),
        (answering(201, PAGE), "/branches"),
        (answering(200, PAGE, x_request_id=""), "/branches"),
        (answering(200, PAGE, **{"content-type": "text/plain"}), "/branches"),
        (answering(404, {**REFUSAL, "error": "total_mismatch"}), "/orders/018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"),
        (answering(404, REFUSAL), "/branches"),
    ],
    ids=[
        "a part is missing",
        "a field is new",
        "a record is short",
        "another status",
        "no request id",
        "another kind",
        "another code",
        "no such refusal",
    ],
)
async def test_a_response_that_differs_from_the_openapi_description_is_found(
    reader: ResponseValidator, path: str
) -> None:
    assert await lies_of(reader, path) != []


async def test_a_response_of_the_openapi_description_is_accepted() -> None:
    assert await lies_of(answering(200, PAGE), "/branches") == []
    assert await lies_of(answering(404, REFUSAL), "/orders/018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a") == []
    assert await lies_of(answering(404, REFUSAL), "/nowhere") == []
