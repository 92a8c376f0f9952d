"""An operation that goes away says so in time, and then is gone; on a surface of the tests' own."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any

import pytest

from frontdesk.apis.dry_run import render_events
from frontdesk.apis.openapi.document import KEY_API, describe
from frontdesk.apis.openapi.tags import Tag
from frontdesk.apis.pos.api import pos_api
from frontdesk.apis.problems import answer_problem
from frontdesk.http.authentication import Authentication
from frontdesk.http.deprecation import Deprecation
from frontdesk.http.endpoints import Api, Endpoint, Endpoints
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.problems import Problem
from frontdesk.runtime.time_limits import Deadlines

NOW = datetime.now(UTC)
LEAVING = Deprecation(NOW - timedelta(days=10), NOW + timedelta(days=365), "/test/v2/things")
OVER = Deprecation(NOW - timedelta(days=800), NOW - timedelta(days=1))

operations = Endpoints()


@operations.get("/staying", requires_auth=False)
async def staying(request: Request) -> Response:
    """Stay."""
    return json_response({})


@operations.get("/leaving", requires_auth=False, deprecation=LEAVING)
async def leaving(request: Request) -> Response:
    """Leave."""
    return json_response({})


@operations.get("/gone", requires_auth=False, deprecation=OVER)
async def gone(request: Request) -> Response:
    """Be gone."""
    raise AssertionError("the handler must not be called")


def nobody_is_asked(_request: Request, _endpoint: Endpoint) -> Authentication:
    raise AssertionError


surface = Api("Test", "/test/v1", nobody_is_asked, answer_problem, [operations], render_events=render_events)


def asked_at(path: str) -> Request:
    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    scope = {"type": "http", "method": "GET", "path": f"/test/v1{path}", "headers": [], "query_string": b""}
    return Request(scope, receive, SimpleNamespace(deadlines=Deadlines()), "id")  # type: ignore[arg-type]


async def test_an_operation_that_stays_announces_nothing() -> None:
    asked = asked_at("/staying")
    assert (await surface.handle(asked)).status == 200
    assert asked.headers == {}


async def test_a_deprecated_operation_has_the_headers_of_deprecation_and_sunset() -> None:
    asked = asked_at("/leaving")
    assert (await surface.handle(asked)).status == 200
    assert asked.headers["deprecation"] == f"@{int(LEAVING.since.timestamp())}"
    assert parsedate_to_datetime(asked.headers["sunset"]) == LEAVING.sunset.replace(microsecond=0)
    assert asked.headers["link"] == '</test/v2/things>; rel="successor-version"'


async def test_after_its_sunset_an_operation_is_gone_and_still_says_since_when() -> None:
    asked = asked_at("/gone")
    with pytest.raises(Problem) as refusal:
        await surface.handle(asked)
    error = answer_problem(refusal.value, {})
    assert (error.status, error.code) == (410, "gone")
    assert "sunset" in asked.headers


def test_nobody_is_given_less_than_twelve_months() -> None:
    with pytest.raises(ValueError, match="twelve months"):
        Deprecation(NOW, NOW + timedelta(days=364))


def test_the_description_marks_it_and_shows_headers_and_410() -> None:
    tags = {operation.path: Tag("Examples", "Operations of this test.") for operation in surface.operations}
    described = describe(surface, KEY_API._replace(tags=tags))["paths"]
    assert "deprecated" not in described["/staying"]["get"]
    operation = described["/leaving"]["get"]
    assert operation["deprecated"] is True
    assert {"Deprecation", "Sunset", "Link"} <= operation["responses"]["200"]["headers"].keys()
    assert "gone" in operation["responses"]["410"]["content"]["application/json"]["examples"]


def test_nothing_of_the_interfaces_has_outlived_its_sunset() -> None:
    over = [o.path for o in pos_api().operations if o.deprecation and o.deprecation.sunset < NOW]
    assert over == [], "take them out: they answer 410 to everybody"
