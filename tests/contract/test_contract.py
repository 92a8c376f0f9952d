"""The published tables of endpoints, scopes, fields, errors and limits, each row driven over HTTP."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from tests.contract.api import Api, unknown_id
from tests.contract.bodies import BODIES, broken, minimal
from tests.contract.calls import assert_error, follow_link, request_of_nothing, send_as_documented
from tests.contract.endpoints import BY_ID, ENDPOINTS, EVERYTHING, KEY_ENDPOINTS, SCOPES, Endpoint, Shape
from tests.contract.errors import ERRORS, HEADERS, ScenarioContext
from tests.contract.kinds import Array, Record, faults, promised, seen
from tests.contract.limits import LIMITS
from tests.contract.requests import Request, filter_value, id_for, request_of, send
from tests.contract.rows import row, rows
from tests.contract.views import OPEN_VIEWS, VIEWS, Records, View
from tests.support.service import Service
from tests.support.shop import KEY_API, OPEN_API, Shop

EVERY_ROW = (*ENDPOINTS, *KEY_ENDPOINTS)
PAGES = [endpoint for endpoint in EVERY_ROW if endpoint.shape is Shape.PAGE]
# A page of what has changed begins behind the last record of the one before (tests/apis/open/changes), and no sandbox
# has notes, time off, rates or pinned items (tests/apis/open/back_office).
_NOT_NUMBERED = ("/deletions", "/customers/{uuid}/notes", "/time-off", "/commission-rates", "/pinned-items")
NUMBERED_PAGES = [endpoint for endpoint in PAGES if endpoint.path not in _NOT_NUMBERED]
MALFORMED = "not-an-id"


def of(endpoints: Any) -> list[Any]:
    return [row(endpoint.id, endpoint) for endpoint in endpoints]


@pytest.fixture(scope="session")
def reader(service: Service, shop: Shop) -> Api:
    return Api(service, shop)


@pytest.fixture(scope="session")
async def stranger(service: Service) -> Api:
    """Another business, in which what no list of a sandbox has is made."""
    return Api(service, await service.new_shop())


@pytest.fixture(scope="session")
async def writer(service: Service) -> Api:
    """A business that these tests may write to; it can ask for tokens of any scopes."""
    return Api(service, await service.new_shop(scopes=["*"]))


@pytest.fixture(scope="session")
async def starter(service: Service) -> Api:
    return Api(service, await service.new_shop(plan="starter"))


# Endpoints


@pytest.mark.every_statement
@pytest.mark.parametrize("endpoint", of(EVERY_ROW))
async def test_an_endpoint_answers_with_no_more_than_its_scope(writer: Api, endpoint: Endpoint) -> None:
    answer = await send_as_documented(writer, endpoint, await writer.token(*endpoint.scopes))
    assert_headers(answer.headers)
    match endpoint.shape:
        case Shape.PAGE:
            assert answer.json().keys() == {"data", "links", "meta"}
        case Shape.RECORD:
            assert answer.json().keys() == {"data"}
            assert isinstance(answer.json()["data"], dict)
        case Shape.ARRAY:
            assert answer.json().keys() == {"data"}
            assert isinstance(answer.json()["data"], list)
        case Shape.LINES:
            assert all(json.loads(line).keys() == {"resource", "record"} for line in answer.text.splitlines())
        case Shape.NOTHING:
            assert answer.content == b""
    if endpoint.view:
        data = answer.json()["data"]
        shown = Record(VIEWS[endpoint.view].fields, complete=endpoint.view not in OPEN_VIEWS)
        assert not list(faults(Array(shown) if isinstance(data, list) else shown, data, "data"))


def assert_headers(headers: httpx2.Headers) -> None:
    """The id of the request and the state of the rate."""
    assert re.fullmatch(r"[A-Za-z0-9._\-]{1,128}", headers["x-request-id"])
    limit, remaining, reset = (int(headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))
    assert 0 <= remaining < limit
    assert 1 <= reset <= 60
    assert re.fullmatch(rf'"[a-z]+";q={limit};w=60', headers["ratelimit-policy"])
    assert re.fullmatch(rf'"[a-z]+";r={remaining};t={reset}', headers["ratelimit"])


@pytest.mark.parametrize("endpoint", of(ENDPOINTS))
async def test_a_request_without_a_valid_token_is_refused(reader: Api, endpoint: Endpoint) -> None:
    """The ways in which a token is wrong are in tests/apis/open/callers/test_authentication.py."""
    request = request_of_nothing(endpoint)
    sent: list[dict[str, str]] = [{}, {"authorization": f"Bearer {await reader.token()}x"}]
    for headers in sent:
        answer = await reader.send(endpoint.method, OPEN_API + request.path, headers, body=request.body)
        assert_error(answer, 401, "authentication_failed")
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("endpoint", of(KEY_ENDPOINTS))
async def test_a_request_without_a_valid_key_is_refused(reader: Api, endpoint: Endpoint) -> None:
    request = request_of_nothing(endpoint)
    sent: list[dict[str, str]] = [{}, {"x-api-key": "nonsense"}, {"x-api-key": f"{reader.shop.sandbox.api_key}x"}]
    sent += [{"authorization": f"Bearer {await reader.token()}"}]
    for headers in sent:
        answer = await reader.send(endpoint.method, KEY_API + request.path, headers, body=request.body)
        assert_error(answer, 401, "authentication_failed")


@pytest.mark.parametrize("endpoint", of(ENDPOINTS))
async def test_all_other_scopes_together_do_not_open_an_endpoint(writer: Api, endpoint: Endpoint) -> None:
    for scope in endpoint.scopes:
        request = request_of_nothing(endpoint) if len(endpoint.scopes) == 1 else await request_of(writer, endpoint)
        answer = await send(writer, endpoint, request, await writer.token_without(scope))
        body = assert_error(answer, 403, "insufficient_scope")
        assert scope in body["message"]
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith("Bearer")
        assert 'error="insufficient_scope"' in challenge
        assert f'scope="{scope}"' in challenge
        assert "ratelimit" in answer.headers


@pytest.mark.parametrize("endpoint", of(ENDPOINTS))
async def test_a_plan_without_the_open_api_closes_an_endpoint(starter: Api, endpoint: Endpoint) -> None:
    assert_error(await send(starter, endpoint, request_of_nothing(endpoint)), 403, "feature_disabled")


@pytest.mark.parametrize("endpoint", of(KEY_ENDPOINTS))
async def test_the_key_interface_works_on_every_plan(starter: Api, endpoint: Endpoint) -> None:
    """Ids in its paths are asked for of the database, because the Open API is closed on this plan."""
    table = {"/pos": "orders", "/services": "items", "/metadata": "branches", "/tags": "tags"}.get(
        "/" + endpoint.path.split("/")[1]
    )
    only = "AND type = 'service'" if table == "items" else ""
    request = Request(endpoint.path, {"model": "customers", "phone": "+966500000000"})
    if table is not None and endpoint.has_id:
        [found, *_] = await starter.shop.sql(f"SELECT id FROM {table} WHERE tenant_id = $1 {only}")
        request = Request(endpoint.at(str(found["id"])), {})
    if endpoint.path.startswith("/requests"):
        request = await request_of(starter, endpoint)
    if endpoint.method == "POST":
        answer = await send(starter, endpoint, Request(endpoint.path, {"model": "customers"}, {}))
        assert answer.status_code in (400, 422), f"{answer.status_code} {answer.text}"
    else:
        answer = await send(starter, endpoint, request)
        assert answer.status_code == endpoint.status, f"{answer.status_code} {answer.text}"


@pytest.mark.parametrize("endpoint", of(endpoint for endpoint in EVERY_ROW if endpoint.has_id))
async def test_only_an_id_of_the_same_business_is_known(writer: Api, stranger: Api, endpoint: Endpoint) -> None:
    request = await request_of(writer, endpoint)
    foreign, unknown, malformed = [
        await send(writer, endpoint, request._replace(path=endpoint.at(id_)))
        for id_ in (await id_for(stranger, endpoint), unknown_id(), MALFORMED)
    ]
    assert assert_error(foreign, 404, "not_found") == assert_error(unknown, 404, "not_found")
    assert_error(malformed, 404, "not_found")
    own = await send(writer, endpoint, request)
    assert own.status_code == endpoint.status, f"{own.status_code} {own.text}"


async def test_the_token_endpoint_answers_as_its_row_says(service: Service, writer: Api) -> None:
    answer = await writer.shop.ask_for_token(scope="")
    assert answer.status_code == 200
    body = answer.json()
    assert body.keys() == {"token_type", "expires_in", "access_token", "scope"}
    assert (body["token_type"], body["expires_in"]) == ("Bearer", 31_536_000)
    assert set(body["scope"].split()) == SCOPES.keys()
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"]
    assert (await writer.request("GET", "/branches", token=body["access_token"])).status_code == 200


@pytest.mark.parametrize("field", ["client_id", "client_secret"])
async def test_wrong_client_credentials_get_no_token(writer: Api, field: str) -> None:
    assert_error(await writer.shop.ask_for_token(**{field: "nonsense"}), 401, "authentication_failed")


@pytest.mark.parametrize("field", ["grant_type", "client_id", "client_secret"])
@pytest.mark.parametrize("value", [None, 7, ""])
async def test_a_token_request_needs_its_fields(writer: Api, field: str, value: object) -> None:
    body = assert_error(await writer.shop.ask_for_token(**{field: value}), 422, "validation_error")
    assert field in body["errors"]


# Lists


@pytest.mark.parametrize("endpoint", of(NUMBERED_PAGES))
async def test_a_list_comes_in_pages_that_link_to_each_other(reader: Api, endpoint: Endpoint) -> None:
    request = await request_of(reader, endpoint)
    defaults = (await send(reader, endpoint, request)).json()
    assert defaults.keys() == {"data", "links", "meta"}
    total = defaults["meta"]["total"]
    assert defaults["meta"] == {
        "current_page": 1, "last_page": max(1, -(-total // 25)), "per_page": 25, "total": total
    }  # fmt: skip
    assert len(defaults["data"]) == min(25, total) > 0
    assert [type(number) for number in defaults["meta"].values()] == [int] * 4

    size = -(-total // 3)
    walked: Records = []
    answer = await send(reader, endpoint, request._replace(params={**request.params, "per_page": str(size)}))
    for page in range(1, -(-total // size) + 1):
        body = answer.json()
        assert body["meta"]["current_page"] == page
        assert body["links"].keys() == {"first", "last", "prev", "next"}
        assert (body["links"]["prev"] is None) == (page == 1)
        walked += body["data"]
        if body["links"]["next"] is not None:
            answer = await follow_link(reader, endpoint, body["links"]["next"])
    assert body["links"]["next"] is None
    assert len({record["id"] for record in walked}) == len(walked) == total

    past = (await send(reader, endpoint, request._replace(params={**request.params, "page": "1000"}))).json()
    assert (past["data"], past["links"]["next"], past["meta"]["total"]) == ([], None, total)


@pytest.mark.parametrize("endpoint", of(PAGES))
async def test_a_list_refuses_pages_that_cannot_be(reader: Api, endpoint: Endpoint) -> None:
    request = await request_of(reader, endpoint)
    in_detail = endpoint in (PAGES[0], PAGES[-1])  # all lists decode both alike
    wrong, huge = ["0", "-1", "1.5", "two", "", "1e1"] if in_detail else ["0"], "99999999999999999999"
    for name, values in {"page": wrong, "per_page": (*wrong, "101", huge)}.items():
        for value in values:
            answer = await send(reader, endpoint, request._replace(params={**request.params, name: value}))
            assert list(assert_error(answer, 422, "validation_error")["errors"]) == [name], value
    most = await send(reader, endpoint, request._replace(params={**request.params, "per_page": "100"}))
    assert most.json()["meta"]["per_page"] == 100
    beyond = (await send(reader, endpoint, request._replace(params={**request.params, "page": huge}))).json()
    assert (beyond["data"], beyond["meta"]["current_page"]) == ([], int(huge))


@pytest.mark.parametrize("endpoint", of(PAGES))
async def test_links_keep_every_filter(reader: Api, endpoint: Endpoint) -> None:
    filters = {name: await filter_value(reader, filter_.good) for name, filter_ in endpoint.filters.items()}
    request = await request_of(reader, endpoint)
    answer = await send(reader, endpoint, request._replace(params={**filters, "per_page": "1", "page": "2"}))
    assert answer.status_code == 200, answer.text
    prefix = KEY_API if endpoint in KEY_ENDPOINTS else OPEN_API
    for name, link in answer.json()["links"].items():
        if link is None:
            assert name == "next"
            continue
        parts = urlsplit(link)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == reader.origin + prefix + request.path
        query = {key: values[0] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
        assert query.pop("page").isdecimal()
        if "updated_since" in filters or "since" in filters:  # it goes on behind the last record
            assert ("after" in query) == (name == "next")
            query.pop("after", None)
        assert query == {**filters, "per_page": "1"}


@pytest.mark.parametrize("endpoint", of(page for page in PAGES if page.filters))
async def test_filters_are_checked(reader: Api, endpoint: Endpoint) -> None:
    good = {name: await filter_value(reader, filter_.good) for name, filter_ in endpoint.filters.items()}
    assert (await send(reader, endpoint, Request(endpoint.path, good))).status_code == 200
    for name, filter_ in endpoint.filters.items():
        for bad in filter_.bad:
            value = await filter_value(reader, bad)
            answer = await send(reader, endpoint, Request(endpoint.path, {**good, name: value}))
            assert assert_error(answer, 422, "validation_error")["errors"], (name, value)


# Scopes


async def test_the_service_knows_exactly_these_scopes(service: Service) -> None:
    metadata = (await service.http.get("/.well-known/oauth-authorization-server")).json()
    assert set(metadata["scopes_supported"]) == {*SCOPES, EVERYTHING}


@pytest.mark.parametrize("scope", rows(SCOPES))
async def test_a_scope_is_granted_by_itself(writer: Api, scope: str) -> None:
    granted = (await writer.shop.ask_for_token(scope=scope)).json()
    assert granted["scope"] == scope
    assert any(endpoint.scopes == (scope,) for endpoint in ENDPOINTS), "it opens nothing"


async def test_a_scope_that_the_business_did_not_approve_is_not_granted(service: Service) -> None:
    shop = await service.new_shop()
    for scope in SCOPES:
        approved = sorted(SCOPES.keys() - {scope})
        await shop.sql("UPDATE api_clients SET scopes = $2 WHERE tenant_id = $1 AND install_id IS NULL", approved)
        assert_error(await shop.ask_for_token(scope=scope), 403, "insufficient_scope")
        granted = (await shop.ask_for_token(scope=EVERYTHING)).json()
        assert sorted(granted["scope"].split()) == approved


async def test_the_scope_star_opens_an_endpoint_of_every_scope(writer: Api) -> None:
    everything = await writer.token(EVERYTHING)
    for endpoint in {endpoint.scopes: endpoint for endpoint in ENDPOINTS}.values():
        await send_as_documented(writer, endpoint, everything)


async def test_a_name_that_is_no_scope_is_refused(writer: Api) -> None:
    for scope in ("orders", "orders:delete", "ORDERS:READ", "items:read nonsense"):
        body = assert_error(await writer.shop.ask_for_token(scope=scope), 422, "validation_error")
        assert list(body["errors"]) == ["scope"]


# Fields


async def records_of(name: str, view: View, reader: Api, writer: Api) -> Records:
    api = writer if view.written else reader
    if f"view {name}" not in api.kept:
        api.kept[f"view {name}"] = await view.load(api)
    found: Records = api.kept[f"view {name}"]
    assert found, "no record to look at"
    return found


@pytest.mark.parametrize("name", rows(VIEWS))
async def test_fields_are_there_and_have_their_types(reader: Api, writer: Api, name: str) -> None:
    view = VIEWS[name]
    found = await records_of(name, view, reader, writer)
    shown = Record(view.fields, complete=name not in OPEN_VIEWS)
    wrong = {fault for record in found for fault in faults(shown, record, name)}
    assert not wrong, sorted(wrong)[:5]
    if view.depth:
        for field, kind in view.fields.items():
            met = {place for record in found for place in seen(kind, record[field], field)}
            assert set(promised(kind, field)) <= met, f"never seen with a value: {field}"


# Bodies


@pytest.mark.parametrize("endpoint", of(BY_ID[name] for name in BODIES))
async def test_a_body_is_checked_and_needs_its_required_fields_only(writer: Api, endpoint: Endpoint) -> None:
    request = await request_of(writer, endpoint)
    status, code = (400, "bad_request") if endpoint.id == "POST /tags" else (422, "validation_error")
    for place, field in BODIES[endpoint.id].items():
        for done, body in broken(request.body, place, field):
            answer = await send(writer, endpoint, request._replace(body=body))
            assert (place, done, answer.status_code) == (place, done, status), answer.text
            errors = assert_error(answer, status, code).get("errors", {})
            named = any(f"{name}.".startswith(f"{place}.") for name in errors)
            assert status == 400 or named, f"{place}: {done}: {errors}"
    body = minimal(endpoint.id, request.body)
    answer = await send(writer, endpoint, request._replace(body=body))
    assert answer.status_code == endpoint.status, f"{answer.status_code} {answer.text}"


# Errors and limits


@pytest.mark.parametrize("name", rows(ERRORS))
async def test_an_error_is_answered_as_its_row_says(service: Service, writer: Api, stranger: Api, name: str) -> None:
    status, code = name.partition(":")[0].split()
    answer = await ERRORS[name](ScenarioContext(writer, stranger, service))
    assert_error(answer, int(status), code)
    assert code not in HEADERS or answer.headers[HEADERS[code]]


@pytest.mark.parametrize("name", rows(LIMITS))
async def test_a_limit_holds_on_both_sides(service: Service, writer: Api, name: str) -> None:
    await LIMITS[name](service, writer)
