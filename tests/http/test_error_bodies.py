"""Every error body names its request, and the page about its code at the address of this installation."""

from html import unescape

import pytest

from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.http.errors import STATUS, Code
from tests.support.http_errors import RawResponse, send_raw
from tests.support.service import Service, running_service
from tests.support.shop import KEY_API, OPEN_API

# Refused by the protocol, by the routing, and by both APIs.
REFUSED = {
    "no HTTP": (b"nonsense\r\n\r\n", "bad_request"),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", "bad_request"),
    "two hosts": (b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", "bad_request"),
    "a long head": (b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 40_000 + b"\r\n\r\n", "bad_request"),
    "a wrong method": (b"PUT /open-api/v1/orders HTTP/1.1\r\nhost: a\r\n\r\n", "method_not_allowed"),
    "no such path": (b"GET /open-api/v1/nothing HTTP/1.1\r\nhost: a\r\n\r\n", "not_found"),
    "no token": (f"GET {OPEN_API}/orders HTTP/1.1\r\nhost: a\r\n\r\n".encode(), "authentication_failed"),
    "no key": (f"GET {KEY_API}/tags HTTP/1.1\r\nhost: a\r\n\r\n".encode(), "authentication_failed"),
    "a wrong method elsewhere": (b"PUT /health/live HTTP/1.1\r\nhost: a\r\n\r\n", "method_not_allowed"),
}
WITHOUT_ONE_HOST = ("no HTTP", "no host", "two hosts")


def _check(answer: RawResponse, origin: str, code: str) -> None:
    body = answer.json()
    assert body["error"] == code
    assert body["request_id"] == answer.headers["x-request-id"]
    assert body["doc_url"] == f"{origin}/docs/errors/{code}"


@pytest.mark.parametrize("name", REFUSED)
async def test_an_error_names_its_request_and_its_page(service: Service, name: str) -> None:
    request, code = REFUSED[name]
    called = service.origin if name in WITHOUT_ONE_HOST else "http://a"
    _check(await send_raw(service.origin, request), called, code)


async def test_the_page_is_at_the_address_that_the_operator_has_set(empty_dsn: str) -> None:
    origin = "https://desk.example.com"
    async with running_service(empty_dsn, origin=origin) as service:
        for request, code in REFUSED.values():
            _check(await send_raw(service.origin, request), origin, code)


@pytest.mark.parametrize("code", Code)
async def test_an_error_code_has_a_page(service: Service, code: Code) -> None:
    page = await service.http.get(f"/docs/errors/{code}")
    assert page.status_code == 200
    for word in (">Cause<", ">What to do<", f"{STATUS[code]} response", f"docs/errors/{code}", service.origin):
        assert word in page.text
    assert ERROR_DOCS[code].why.split("`")[0].strip() in unescape(page.text)


async def test_the_page_of_an_error_lists_the_operations_that_answer_with_it(service: Service) -> None:
    page = (await service.http.get("/docs/errors/timeslot_unavailable")).text
    assert "/docs/reference/open-api/create_order" in page
    assert "/docs/reference/open-api/list_orders" not in page


async def test_the_search_finds_the_page_of_an_error(service: Service) -> None:
    page = await service.http.get("/docs/search", params={"q": "timeslot_unavailable"})
    assert 'href="/docs/errors/timeslot_unavailable"' in page.text
