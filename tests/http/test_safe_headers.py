"""Headers that browsers need on every answer, whoever writes it; and the Host header of a request."""

import pytest

from tests.support.http_errors import assert_error, send_raw
from tests.support.service import Service
from tests.support.shop import KEY_API, OPEN_API

PATHS = (
    "/health/live",
    "/health/ready",
    "/static/app.css",
    "/static/nothing.css",
    "/feeds/nothing.ics",
    "/pictures/nothing",
    "/docs",
    "/openapi.json",
    "/sign-in",
    "/nowhere",
    "/book/nobody",
    "/",
    "/changelog",
    "/.well-known/oauth-authorization-server",
    f"{OPEN_API}/orders",
    f"{OPEN_API}/nothing",
    f"{KEY_API}/orders",
)


@pytest.mark.parametrize("path", PATHS)
async def test_every_response_has_the_security_headers(service: Service, path: str) -> None:
    for method in ("GET", "HEAD", "DELETE"):
        answer = await service.http.request(method, path, headers={"accept": "text/html"})
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] in ("same-origin", "no-referrer")
        assert "frame-ancestors" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 40_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
    ],
    ids=["no HTTP", "too long", "two hosts"],
)
async def test_protocol_errors_have_the_security_headers(service: Service, request_: bytes) -> None:
    answer = await send_raw(service.origin, request_)
    assert answer.status_code in (400, 431)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize("path", ["/health/live", "/", f"{OPEN_API}/orders"])
async def test_a_request_names_its_host(service: Service, path: str) -> None:
    answer = await send_raw(service.origin, f"GET {path} HTTP/1.1\r\naccept: */*\r\n\r\n".encode())
    body = assert_error(answer, 400, "bad_request")
    assert body["message"] == "The request must have one Host header."
    old = await send_raw(service.origin, b"GET /health/live HTTP/1.0\r\n\r\n")  # which knows no Host header
    assert old.status_code == 200


@pytest.mark.parametrize(("coding", "status"), [("gzip, chunked", 501), ("chunked", 401), ("Chunked", 401)])
async def test_a_body_that_is_encoded_twice_is_refused(service: Service, coding: str, status: int) -> None:
    head = f"POST {OPEN_API}/orders HTTP/1.1\r\nhost: a\r\ntransfer-encoding: {coding}\r\n\r\n"
    answer = await send_raw(service.origin, head.encode() + b"2\r\n{}\r\n0\r\n\r\n")
    assert answer.status_code == status
