"""Who may call the Open API: token, plan, rate, scope, body, record, in that order; and what each refusal says."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from frontdesk.auth.credentials import new_token
from frontdesk.security.secrets import hash_secret
from tests.factories.changes import change_tenant
from tests.factories.credentials import make_client
from tests.support.http_errors import assert_error
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop

NOBODY = "00000000-0000-7000-8000-000000000000"
READABLE = (
    ("/branches", "branches:read"),
    ("/categories", "categories:read"),
    ("/customers", "customers:read"),
    ("/customers/phone?phone=966500000000", "customers:read"),
    (f"/customers/{NOBODY}", "customers:read"),
    ("/items", "items:read"),
    (f"/items/{NOBODY}", "items:read"),
    ("/staff", "staff:read"),
    (f"/staff/{NOBODY}", "staff:read"),
    (f"/staff/{NOBODY}/working-hour", "staff:read"),
    ("/payment-methods", "payment_methods:read"),
    (f"/payment-methods/{NOBODY}", "payment_methods:read"),
)
WRITABLE = (("/customers", "customers:write"), ("/payment-methods", "payment_methods:write"))
RATE_HEADERS = ("ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")


@pytest.mark.parametrize("sent", [None, "Bearer", "Basic abc", "Basic eDp4", "fdt_x", "?"])
async def test_a_request_without_a_token_is_challenged(service: Service, sent: str | None) -> None:
    headers = {} if sent is None else {"authorization": sent}
    answer = await service.http.get(f"{OPEN_API}/items", headers=headers)
    assert_error(answer, 401, "authentication_failed")
    assert answer.headers["www-authenticate"] == 'Bearer realm="frontdesk"'


@pytest.mark.parametrize(
    "sent",
    ["Bearer x", "Bearer fdt_short", "Bearer a b", "Bearer \xe9"],
)
async def test_a_header_that_holds_no_token_is_an_invalid_token(service: Service, sent: str) -> None:
    answer = await service.http.get(f"{OPEN_API}/items", headers={b"authorization": sent.encode("latin-1")})
    assert_error(answer, 401, "authentication_failed")
    assert answer.headers["www-authenticate"] == 'Bearer realm="frontdesk", error="invalid_token"'


async def test_a_well_formed_token_that_was_never_issued_is_refused(shop: Shop) -> None:
    answer = await shop.get("/items", token=new_token(shop.tenant_id))
    assert_error(answer, 401, "authentication_failed")
    assert "invalid_token" in answer.headers["www-authenticate"]
    assert_error(await shop.get("/items", token=new_token(uuid4())), 401, "authentication_failed")


async def test_a_token_cannot_be_moved_to_another_business(shop: Shop, other_shop: Shop) -> None:
    """The tenant is readable in the token, so a caller may try to change it."""
    own, others = await shop.token(), await other_shop.token()
    swapped = others[:25] + own[25:]
    assert_error(await shop.get("/items", token=swapped), 401, "authentication_failed")


async def test_other_secrets_are_no_tokens(shop: Shop) -> None:
    for secret in (shop.sandbox.api_key, shop.sandbox.client_secret, shop.sandbox.client_id):
        assert_error(await shop.get("/items", token=secret), 401, "authentication_failed")


async def test_the_scheme_is_read_in_any_case(shop: Shop, service: Service) -> None:
    for scheme in ("bearer", "BEARER", "Bearer  "):
        sent = {"authorization": f"{scheme} {await shop.token()}"}
        assert (await service.http.get(f"{OPEN_API}/branches", headers=sent)).status_code == 200


async def test_a_token_in_the_address_is_not_looked_at(shop: Shop, service: Service) -> None:
    answer = await service.http.get(f"{OPEN_API}/branches?access_token={await shop.token()}")
    assert_error(answer, 401, "authentication_failed")


async def test_an_expired_token_is_refused(shop: Shop) -> None:
    token = await shop.new_token()
    assert (await shop.get("/branches", token=token)).status_code == 200
    await _change_token(shop, token, "expires_at = now()")
    assert_error(await shop.get("/branches", token=token), 401, "authentication_failed")


async def test_a_plan_without_the_open_api_disables_it(service: Service) -> None:
    starter = await service.new_shop(plan="starter")
    answer = await starter.get("/branches")
    assert_error(answer, 403, "feature_disabled")
    assert "www-authenticate" not in answer.headers
    assert set(RATE_HEADERS) <= set(answer.headers)
    assert_error(await starter.ask_for_token(), 403, "feature_disabled")
    assert_error(await starter.ask_for_token(client_secret="wrong"), 401, "authentication_failed")


async def test_a_suspended_business_is_refused(service: Service) -> None:
    shop = await service.new_shop()
    token = await shop.token()
    await change_tenant(shop, suspended_at=datetime.now(UTC))
    refused = await shop.get("/branches", token=token)
    assert_error(refused, 403, "business_suspended")
    assert set(RATE_HEADERS) <= set(refused.headers)
    assert_error(await shop.ask_for_token(), 403, "business_suspended")
    assert_error(await shop.ask_for_token(client_secret="wrong"), 401, "authentication_failed")
    await change_tenant(shop, plan="starter", open_api=False)
    assert_error(await shop.get("/branches", token=token), 403, "business_suspended")
    await change_tenant(shop, plan="professional", open_api=True)
    await change_tenant(shop, suspended_at=None)
    assert (await shop.get("/branches", token=token)).status_code == 200


@pytest.mark.parametrize(("path", "scope"), READABLE)
async def test_every_read_needs_its_scope_and_no_other(shop: Shop, path: str, scope: str) -> None:
    await _needs_scope(shop, "GET", path, scope)


@pytest.mark.parametrize(("path", "scope"), WRITABLE)
async def test_every_write_needs_its_scope_and_no_other(shop: Shop, path: str, scope: str) -> None:
    await _needs_scope(shop, "POST", path, scope, json={})


async def test_everything_approved_means_every_scope(shop: Shop) -> None:
    client = await make_client(shop, scopes=["*"])
    token = await client.token()
    for path, _ in READABLE:
        assert (await shop.get(path, token=token)).status_code in (200, 404)


async def test_a_bad_token_comes_before_the_plan(service: Service) -> None:
    starter = await service.new_shop(plan="starter")
    assert_error(await starter.get("/branches", token=new_token(starter.tenant_id)), 401, "authentication_failed")


async def test_a_bad_token_comes_before_the_rate_and_costs_nothing(shop: Shop) -> None:
    client = await make_client(shop, rate_limit=1)
    token = await client.token()
    assert (await shop.get("/branches", token=token)).status_code == 200
    await _change_token(shop, token, "revoked_at = now()")
    assert_error(await shop.get("/branches", token=token), 401, "authentication_failed")
    assert await _used(shop, client.id) == 1


async def test_the_plan_comes_before_the_rate_and_costs_nothing(service: Service) -> None:
    shop = await service.new_shop()
    client = await make_client(shop, rate_limit=2)
    token = await client.token()
    for _ in range(2):
        await shop.get("/branches", token=token)
    assert_error(await shop.get("/branches", token=token), 429, "rate_limit_exceeded")
    await change_tenant(shop, plan="starter", open_api=False)
    for _ in range(3):
        answer = await shop.get("/branches", token=token)
        assert_error(answer, 403, "feature_disabled")
        assert set(RATE_HEADERS) <= set(answer.headers)
        assert answer.headers["x-ratelimit-limit"] == "2"
    assert await _used(shop, client.id) == 2


async def test_the_plan_comes_before_the_scope(service: Service) -> None:
    starter = await service.new_shop(plan="starter", scopes=["items:read"])
    assert_error(await starter.get("/branches"), 403, "feature_disabled")


async def test_the_rate_comes_before_the_scope(shop: Shop) -> None:
    client = await make_client(shop, scopes=["items:read"], rate_limit=1)
    token = await client.token()
    assert_error(await shop.get("/branches", token=token), 403, "insufficient_scope")
    assert_error(await shop.get("/branches", token=token), 429, "rate_limit_exceeded")


async def test_the_scope_comes_before_the_body(shop: Shop) -> None:
    token = await (await make_client(shop, scopes=["items:read"])).token()
    assert_error(await shop.request("POST", "/customers", token=token, content=b"{"), 403, "insufficient_scope")
    assert_error(await shop.get("/branches?page=0", token=token), 403, "insufficient_scope")
    huge = b" " * 2 * 1024 * 1024
    assert_error(await shop.request("POST", "/customers", token=token, content=huge), 403, "insufficient_scope")


async def test_the_rate_comes_before_the_body(shop: Shop) -> None:
    token = await (await make_client(shop, rate_limit=1)).token()
    assert_error(await shop.request("POST", "/customers", token=token, content=b"{"), 422, "validation_error")
    assert_error(await shop.request("POST", "/customers", token=token, content=b"{"), 429, "rate_limit_exceeded")


async def test_the_scope_comes_before_the_record(shop: Shop) -> None:
    token = await (await make_client(shop, scopes=["branches:read"])).token()
    assert_error(await shop.get(f"/items/{uuid4()}", token=token), 403, "insufficient_scope")
    assert_error(await shop.get("/items/none", token=token), 403, "insufficient_scope")


async def test_the_route_comes_before_the_token(service: Service) -> None:
    assert_error(await service.http.get(f"{OPEN_API}/nothing"), 404, "not_found")
    assert_error(await service.http.delete(f"{OPEN_API}/items"), 405, "method_not_allowed")


async def test_rate_headers_count_down_in_both_forms(shop: Shop) -> None:
    token = await (await make_client(shop, rate_limit=3)).token()
    for left in (2, 1, 0):
        headers = (await shop.get("/branches", token=token)).headers
        reset = headers["x-ratelimit-reset"]
        assert headers["ratelimit-policy"] == '"default";q=3;w=60'
        assert headers["ratelimit"] == f'"default";r={left};t={reset}'
        assert (headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]) == ("3", str(left))
        assert 1 <= int(reset) <= 61


@pytest.mark.parametrize(
    ("method", "path", "rest", "status"),
    [
        ("GET", "/branches", {}, 200),
        ("HEAD", "/branches", {}, 200),
        ("GET", f"/items/{NOBODY}", {}, 404),
        ("GET", "/items/none", {}, 404),
        ("GET", "/items?page=0", {}, 422),
        ("POST", "/customers", {"content": b"{"}, 422),
        ("POST", "/customers", {"content": b" " * 2_000_000}, 413),
        ("GET", "/staff", {}, 403),
    ],
)
async def test_every_counted_answer_carries_the_rate(
    shop: Shop, method: str, path: str, rest: dict[str, Any], status: int
) -> None:
    scopes = ["branches:read", "items:read", "customers:write"]
    client = await make_client(shop, scopes=scopes, rate_limit=5)
    answer = await shop.request(method, path, token=await client.token(), **rest)
    assert answer.status_code == status
    assert set(RATE_HEADERS) <= set(answer.headers)
    assert answer.headers["x-ratelimit-remaining"] == "4"
    assert await _used(shop, client.id) == 1


async def test_a_rate_limited_request_gets_retry_after(shop: Shop) -> None:
    token = await (await make_client(shop, rate_limit=1)).token()
    await shop.get("/branches", token=token)
    answer = await shop.get("/branches", token=token)
    body = assert_error(answer, 429, "rate_limit_exceeded")
    wait = answer.headers["retry-after"]
    assert 1 <= int(wait) <= 60
    assert body["details"] == {"limit": 1, "retry_after": int(wait)}
    assert answer.headers["x-ratelimit-remaining"] == "0"
    assert answer.headers["ratelimit"] == f'"default";r=0;t={answer.headers["x-ratelimit-reset"]}'


async def _needs_scope(shop: Shop, method: str, path: str, scope: str, **rest: Any) -> None:
    """All scopes but one are not enough; that one alone is."""
    asked = {name for _, name in (*READABLE, *WRITABLE)}
    client = await make_client(shop, scopes=sorted(asked - {scope}))
    token = await client.token()
    answer = await shop.request(method, path, token=token, **rest)
    assert assert_error(answer, 403, "insufficient_scope")["details"] == {"scope": scope}
    challenge = f'Bearer realm="frontdesk", error="insufficient_scope", scope="{scope}"'
    assert answer.headers["www-authenticate"] == challenge
    await client.change("scopes = $3", [scope])
    assert (await shop.request(method, path, token=token, **rest)).status_code in (200, 404, 422)


async def _change_token(shop: Shop, token: str, assignment: str) -> None:
    statement = f"UPDATE access_tokens SET {assignment} WHERE tenant_id = $1 AND token_hash = $2"
    await shop.sql(statement, hash_secret(token))


async def _used(shop: Shop, caller_id: object) -> int:
    rows = await shop.sql("SELECT total FROM rate_windows WHERE tenant_id = $1 AND caller_id = $2", caller_id)
    used: int = rows[0]["total"] if rows else 0
    return used


async def test_a_narrow_token_is_told_whether_the_business_approves_the_scope(service: Service) -> None:
    narrow = await (approved := await service.new_shop(scopes=["*"])).new_token("orders:read")
    answer = assert_error(await approved.get("/branches", token=narrow), 403, "insufficient_scope")
    assert "request a token that includes it" in answer["message"]
    other = await service.new_shop(scopes=["orders:read"])
    answer = assert_error(await other.get("/branches"), 403, "insufficient_scope")
    assert "Ask the business to approve it" in answer["message"]
