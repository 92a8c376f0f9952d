"""Sending a row's request, and reading a refusal."""

from typing import Any

import httpx2

from tests.contract.api import Api, unknown_id
from tests.contract.endpoints import KEY_ENDPOINTS, Endpoint
from tests.contract.requests import Request, request_of, send


def assert_error(answer: httpx2.Response, status: int, code: str) -> dict[str, Any]:
    """The error body, after checking that it is one; without what belongs to this one request."""
    assert (answer.status_code, answer.json().get("error")) == (status, code), f"{answer.status_code} {answer.text}"
    body: dict[str, Any] = answer.json()
    assert isinstance(body["message"], str)
    assert body["message"]
    assert body.keys() <= {"error", "message", "errors", "details", "request_id", "doc_url"}
    assert answer.headers["content-type"] == "application/json"
    assert body.pop("request_id") == answer.headers["x-request-id"]
    assert body.pop("doc_url") == str(answer.url.join(f"/docs/errors/{code}"))
    return body


def request_of_nothing(endpoint: Endpoint) -> Request:
    """A request that everything before body and record must already refuse."""
    return Request(endpoint.at(unknown_id()), {}, None if endpoint.method == "GET" else {})


async def send_as_documented(api: Api, endpoint: Endpoint, token: str | None = None) -> httpx2.Response:
    answer = await send(api, endpoint, await request_of(api, endpoint), token)
    assert answer.status_code == endpoint.status, f"{endpoint.id}: {answer.status_code} {answer.text}"
    return answer


async def follow_link(api: Api, endpoint: Endpoint, link: str) -> httpx2.Response:
    """By the link as it stands, so that it must be whole."""
    assert link.startswith(f"{api.origin}/"), link
    key, token = {"x-api-key": api.shop.sandbox.api_key}, {"authorization": f"Bearer {await api.token()}"}
    answer = await api.send("GET", link, key if endpoint in KEY_ENDPOINTS else token)
    assert answer.status_code == 200, answer.text
    return answer
