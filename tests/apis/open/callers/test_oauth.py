"""The client credentials grant, revocation, introspection and the metadata, over real HTTP."""

import base64
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.credentials import format_client_id, new_client_secret, new_token
from frontdesk.auth.scopes import Scope
from frontdesk.auth.throttle import subject
from frontdesk.postgres.pool import Connection
from tests.factories.changes import change_tenant
from tests.factories.credentials import ApiClient, make_client
from tests.support.http_errors import assert_error
from tests.support.service import Service, running_service
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

TOKEN = f"{OPEN_API}/oauth/token"
REVOKE = f"{OPEN_API}/oauth/revoke"
INTROSPECT = f"{OPEN_API}/oauth/introspect"
YEAR = 31_536_000
NOBODY = UUID(int=7)
PLANS = {True: "professional", False: "starter"}


async def test_a_token_is_issued_with_exactly_the_published_fields(service: Service, shop: Shop) -> None:
    answer = await service.http.post(TOKEN, json=_credentials(shop.sandbox) | {"scope": ""})
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"token_type", "expires_in", "access_token", "scope"}
    assert (body["token_type"], body["expires_in"]) == ("Bearer", YEAR)
    assert body["scope"].split() == sorted(Scope)
    _is_not_stored(answer)
    assert (await shop.get("/branches", token=body["access_token"])).status_code == 200


async def test_a_token_lives_for_a_year(shop: Shop) -> None:
    client = await make_client(shop)
    await client.token()
    rows = await shop.sql(
        "SELECT expires_at - created_at AS life, created_at FROM access_tokens WHERE tenant_id = $1 AND client_id = $2",
        client.id,
    )
    assert rows[0]["life"] == timedelta(seconds=YEAR)
    assert abs(rows[0]["created_at"] - datetime.now(UTC)) < timedelta(minutes=1)


async def test_earlier_tokens_stay_valid(shop: Shop) -> None:
    client = await make_client(shop)
    tokens = [await client.token() for _ in range(3)]
    assert len(set(tokens)) == 3
    for token in tokens:
        assert (await shop.get("/branches", token=token)).status_code == 200


async def test_a_token_request_can_be_a_form(service: Service, shop: Shop) -> None:
    answer = await service.http.post(TOKEN, data=_credentials(shop.sandbox) | {"scope": "items:read staff:read"})
    assert answer.json()["scope"] == "items:read staff:read"


async def test_a_token_request_in_json_with_the_content_type_of_a_form_is_read(service: Service, shop: Shop) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert (await service.http.post(TOKEN, json=_credentials(shop.sandbox), headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "body", [{"data": {"grant_type": "client_credentials"}}, {"json": {"grant_type": "client_credentials"}}]
)
async def test_client_credentials_can_be_sent_by_http_basic(service: Service, shop: Shop, body: dict[str, Any]) -> None:
    auth = (shop.sandbox.client_id, shop.sandbox.client_secret)
    assert (await service.http.post(TOKEN, auth=auth, **body)).status_code == 200


async def test_http_basic_is_percent_decoded_as_the_rfc_asks(service: Service, shop: Shop) -> None:
    pair = ":".join("".join(f"%{byte:02X}" for byte in text.encode()) for text in _pair(shop.sandbox))
    answer = await _post_basic(service, base64.b64encode(pair.encode()))
    assert answer.status_code == 200


@pytest.mark.parametrize("sent", [b"!", b"eA==", b"\xe9\xe9", b"/////w==", b"x y", b"a" * 5000])
async def test_http_basic_that_cannot_be_read_is_refused(service: Service, sent: bytes) -> None:
    _is_challenged(await _post_basic(service, sent))


async def test_a_wrong_secret_is_refused(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    for wrong in (new_client_secret(), client.secret[:-1], client.secret + "A", client.secret.swapcase()):
        _is_challenged(await _ask(service, client, client_secret=wrong))


async def test_a_secret_of_another_client_is_refused(service: Service, shop: Shop, other_shop: Shop) -> None:
    client = await make_client(shop)
    for stranger in (await make_client(shop), await make_client(other_shop)):
        _is_challenged(await _ask(service, client, client_secret=stranger.secret))


@pytest.mark.parametrize(
    "name",
    [
        format_client_id(NOBODY, NOBODY),
        "fdc_",
        "fdc_x",
        "x",
        "admin",
        "' OR 1=1 --",
        "\u0661",
        "fdc_" + "A" * 43,
        "x" * 512,
    ],
)
async def test_an_unknown_or_malformed_client_id_is_refused_in_the_same_words(service: Service, name: str) -> None:
    body = {"grant_type": "client_credentials", "client_id": name, "client_secret": new_client_secret()}
    answer = await service.http.post(TOKEN, json=body)
    assert _is_challenged(answer)["message"] == "The client id or client secret is wrong."


async def test_a_client_id_with_another_business_in_it_is_refused(
    service: Service, shop: Shop, other_shop: Shop
) -> None:
    client = await make_client(shop)
    _is_challenged(await _ask(service, client, client_id=format_client_id(other_shop.tenant_id, client.id)))


@pytest.mark.parametrize("grant", ["password", "implicit", "refresh_token", "", "CLIENT_CREDENTIALS", 1, None])
async def test_another_grant_is_a_validation_error(service: Service, shop: Shop, grant: object) -> None:
    answer = await service.http.post(TOKEN, json=_credentials(shop.sandbox) | {"grant_type": grant})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["grant_type"]
    _is_not_stored(answer)


@pytest.mark.parametrize("form", ["json", "data"])
async def test_everything_that_is_missing_is_named_at_once(service: Service, form: str) -> None:
    answer = await service.http.post(TOKEN, **{form: {"scope": "x"}})  # type: ignore[arg-type]
    body = assert_error(answer, 422, "validation_error")
    assert body["errors"] == {name: ["is required"] for name in ("grant_type", "client_id", "client_secret")}


@pytest.mark.parametrize("wrong", ["", 7, None, ["x"], "x" * 513])
async def test_credentials_of_a_wrong_kind_are_a_validation_error(service: Service, shop: Shop, wrong: object) -> None:
    body = _credentials(shop.sandbox) | {"client_id": wrong, "client_secret": wrong}
    answer = assert_error(await service.http.post(TOKEN, json=body), 422, "validation_error")
    assert set(answer["errors"]) == {"client_id", "client_secret"}


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff"])
async def test_an_unreadable_body_is_a_validation_error(service: Service, raw: bytes) -> None:
    assert_error(await service.http.post(TOKEN, content=raw), 422, "validation_error")


@pytest.mark.parametrize("raw", [b"grant_type=%ff", b"a=\xff", b"&".join(b"a=1" for _ in range(21))])
async def test_an_unreadable_form_is_a_validation_error(service: Service, raw: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert_error(await service.http.post(TOKEN, content=raw, headers=headers), 422, "validation_error")


@pytest.mark.parametrize("scope", ["", "   ", "*", "* items:read", None])
async def test_no_scope_and_the_star_mean_everything_approved(service: Service, shop: Shop, scope: str | None) -> None:
    client = await make_client(shop, scopes=["items:read", "staff:read"])
    assert (await _ask(service, client, scope=scope)).json()["scope"] == "items:read staff:read"


async def test_an_absent_scope_means_everything_approved(service: Service, shop: Shop) -> None:
    client = await make_client(shop, scopes=["staff:read"])
    body = {"grant_type": "client_credentials", "client_id": client.name, "client_secret": client.secret}
    assert (await service.http.post(TOKEN, json=body)).json()["scope"] == "staff:read"


async def test_a_token_holds_no_more_than_was_asked_for(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    answer = await _ask(service, client, scope="staff:read  items:read staff:read")
    assert answer.json()["scope"] == "items:read staff:read"
    token = answer.json()["access_token"]
    assert (await shop.get("/items", token=token)).status_code == 200
    assert_error(await shop.get("/branches", token=token), 403, "insufficient_scope")


@pytest.mark.parametrize(
    "scope", ["items", "items:delete", "ITEMS:READ", "items:read,staff:read", "* nothing", "items:read x"]
)
async def test_an_unknown_scope_is_a_validation_error(service: Service, shop: Shop, scope: str) -> None:
    client = await make_client(shop)
    assert list(assert_error(await _ask(service, client, scope=scope), 422, "validation_error")["errors"]) == ["scope"]


async def test_a_scope_that_is_not_approved_is_refused_and_named(service: Service, shop: Shop) -> None:
    client = await make_client(shop, scopes=["items:read"])
    answer = await _ask(service, client, scope="items:read staff:read branches:read")
    assert assert_error(answer, 403, "insufficient_scope")["details"] == {"scope": "branches:read staff:read"}
    _is_not_stored(answer)
    assert not await shop.sql("SELECT FROM access_tokens WHERE tenant_id = $1 AND client_id = $2", client.id)


async def test_a_wrong_secret_comes_before_a_wrong_scope(service: Service, shop: Shop) -> None:
    client = await make_client(shop, scopes=["items:read"])
    for scope in ("nothing", "staff:read"):
        _is_challenged(await _ask(service, client, client_secret="wrong", scope=scope))


async def test_a_client_takes_its_own_token_back(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    token, other = await client.token(), await client.token()
    answer = await service.http.post(REVOKE, data=_about(client, token) | {"token_type_hint": "access_token"})
    assert (answer.status_code, answer.json()) == (200, {})
    _is_not_stored(answer)
    assert_error(await shop.get("/branches", token=token), 401, "authentication_failed")
    assert (await shop.get("/branches", token=other)).status_code == 200
    assert (await service.http.post(REVOKE, json=_about(client, token))).status_code == 200


async def test_a_client_cannot_revoke_the_token_of_another(service: Service, shop: Shop, other_shop: Shop) -> None:
    token = await (await make_client(shop)).token()
    for stranger in (await make_client(shop), await make_client(other_shop)):
        assert (await service.http.post(REVOKE, json=_about(stranger, token))).status_code == 200
        assert (await shop.get("/branches", token=token)).status_code == 200


async def test_revoking_an_unknown_token_is_no_error(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    for nothing in (new_token(shop.tenant_id), "x", client.secret, "\u00e9"):
        assert (await service.http.post(REVOKE, json=_about(client, nothing))).status_code == 200


@pytest.mark.parametrize("address", [REVOKE, INTROSPECT])
async def test_a_token_must_be_named_and_the_client_must_prove_itself(
    service: Service, shop: Shop, address: str
) -> None:
    client = await make_client(shop)
    token = await client.token()
    named = {"client_id": client.name, "client_secret": client.secret}
    answer = assert_error(await service.http.post(address, json=named), 422, "validation_error")
    assert answer["errors"] == {"token": ["is required"]}
    answer = assert_error(await service.http.post(address, json={}), 422, "validation_error")
    assert set(answer["errors"]) == {"token", "client_id", "client_secret"}
    _is_challenged(await service.http.post(address, json=_about(client, token) | {"client_secret": "wrong"}))
    assert (await shop.get("/branches", token=token)).status_code == 200


async def test_introspection_tells_what_a_token_may_do_now(service: Service, shop: Shop) -> None:
    client = await make_client(shop, scopes=["items:read", "staff:read"])
    token = await client.token("items:read")
    answer = await service.http.post(INTROSPECT, data={"token": token}, auth=(client.name, client.secret))
    _is_not_stored(answer)
    facts = answer.json()
    assert set(facts) == {"active", "scope", "client_id", "token_type", "exp", "iat", "tenant_id"}
    assert (facts["active"], facts["scope"], facts["client_id"]) == (True, "items:read", client.name)
    assert (facts["token_type"], facts["tenant_id"]) == ("Bearer", str(shop.tenant_id))
    assert facts["exp"] - facts["iat"] == YEAR
    assert abs(facts["iat"] - datetime.now(UTC).timestamp()) < 60
    await client.change("scopes = $3", ["staff:read"])
    assert (await service.http.post(INTROSPECT, json=_about(client, token))).json()["scope"] == ""


async def test_introspection_hides_expired_and_foreign_tokens(service: Service, shop: Shop, other_shop: Shop) -> None:
    client, stranger = await make_client(shop), await make_client(other_shop)
    dead = await client.token()
    await service.http.post(REVOKE, json=_about(client, dead))
    foreign = [await stranger.token(), await shop.token()]
    for token in (dead, *foreign, new_token(shop.tenant_id), "x"):
        assert (await service.http.post(INTROSPECT, json=_about(client, token))).json() == {"active": False}


async def test_no_token_of_a_business_without_the_open_api_is_active(service: Service) -> None:
    shop = await service.new_shop()
    client = await make_client(shop)
    token = await client.token()
    for has_api in (True, False, True):
        await change_tenant(shop, plan=PLANS[has_api], open_api=has_api)
        facts = (await service.http.post(INTROSPECT, json=_about(client, token))).json()
        assert facts["active"] is has_api
        assert has_api or facts == {"active": False}


async def test_the_metadata_names_every_endpoint(service: Service) -> None:
    body = (await service.http.get("/.well-known/oauth-authorization-server")).json()
    assert body["issuer"] == service.origin
    for name, address in (("token", TOKEN), ("revocation", REVOKE), ("introspection", INTROSPECT)):
        assert body[f"{name}_endpoint"] == service.origin + address
        methods = set(body[f"{name}_endpoint_auth_methods_supported"])
        assert methods - {"none"} == {"client_secret_basic", "client_secret_post"}
    assert body["authorization_endpoint"] == f"{service.origin}/oauth/authorize"
    assert body["grant_types_supported"] == ["authorization_code", "client_credentials"]
    assert set(body["scopes_supported"]) == {*Scope, "*"}


async def test_the_metadata_uses_the_operators_origin(dsn: str) -> None:
    async with running_service(dsn, origin="https://desk.example.com") as public:
        body = (await public.http.get("/.well-known/oauth-authorization-server")).json()
    assert body["token_endpoint"] == f"https://desk.example.com{TOKEN}"


async def test_ten_wrong_secrets_block_the_client_even_with_the_right_one(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    for _ in range(10):
        _is_challenged(await _ask(service, client, client_secret="wrong"))
    for secret in ("wrong", client.secret):
        answer = await _ask(service, client, client_secret=secret)
        body = assert_error(answer, 429, "rate_limit_exceeded")
        assert body["details"] == {"retry_after": int(answer.headers["retry-after"])}
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        _is_not_stored(answer)
    await _a_minute_later(shop)
    assert (await _ask(service, client)).status_code == 200


async def test_wrong_secrets_count_together_at_all_three_endpoints(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    wrong = _about(client, "x") | {"client_secret": "wrong", "grant_type": "client_credentials"}
    for number in range(10):
        _is_challenged(await service.http.post((TOKEN, REVOKE, INTROSPECT)[number % 3], json=wrong))
    for address in (TOKEN, REVOKE, INTROSPECT):
        assert_error(await service.http.post(address, json=wrong), 429, "rate_limit_exceeded")


async def test_a_blocked_client_blocks_no_other_client_and_no_other_address(service: Service, shop: Shop) -> None:
    client, neighbour = await make_client(shop), await make_client(shop)
    token = await client.token()
    for _ in range(11):
        last = await _ask(service, client, client_secret="wrong")
    assert last.status_code == 429
    assert (await _ask(service, neighbour)).status_code == 200
    pretended = {"x-forwarded-for": "203.0.113.7"}
    assert (await service.http.post(TOKEN, json=_credentials(client), headers=pretended)).status_code == 429
    elsewhere = httpx2.AsyncHTTPTransport(local_address="127.0.0.2", verify=NO_CERTIFICATES)
    async with httpx2.AsyncClient(base_url=service.origin, timeout=120, transport=elsewhere) as http:
        assert (await http.post(TOKEN, json=_credentials(client))).status_code == 200
    assert (await shop.get("/branches", token=token)).status_code == 200


async def test_right_secrets_are_never_counted_as_guesses(service: Service, shop: Shop, conn: Connection) -> None:
    client = await make_client(shop)
    guesses = "SELECT coalesce(sum(total), 0) FROM throttles WHERE subject = ANY($1)"
    subjects = [subject("client", "127.0.0.1"), subject("client", "127.0.0.1", client.name)]
    before = await conn.fetchval(guesses, subjects)
    for _ in range(25):
        assert (await _ask(service, client)).status_code == 200
    assert await conn.fetchval(guesses, subjects) == before


async def test_wrong_requests_that_guess_no_secret_are_not_counted(service: Service, shop: Shop) -> None:
    client = await make_client(shop)
    for _ in range(12):
        assert_error(await _ask(service, client, grant_type="password", client_secret="wrong"), 422, "validation_error")
        assert_error(await _ask(service, client, scope="nothing"), 422, "validation_error")
    assert (await _ask(service, client)).status_code == 200


def _pair(holder: Any) -> tuple[str, str]:
    return (holder.name, holder.secret) if isinstance(holder, ApiClient) else (holder.client_id, holder.client_secret)


def _credentials(holder: Any) -> dict[str, Any]:
    name, secret = _pair(holder)
    return {"grant_type": "client_credentials", "client_id": name, "client_secret": secret}


def _about(client: ApiClient, token: str) -> dict[str, Any]:
    return {"client_id": client.name, "client_secret": client.secret, "token": token}


async def _ask(service: Service, client: ApiClient, **changes: object) -> httpx2.Response:
    return await service.http.post(TOKEN, json=_credentials(client) | changes)


async def _post_basic(service: Service, encoded: bytes) -> httpx2.Response:
    headers = {b"authorization": b"Basic " + encoded, b"content-type": b"application/x-www-form-urlencoded"}
    return await service.http.post(TOKEN, content=f"grant_type={quote('client_credentials')}", headers=headers)


def _is_challenged(answer: httpx2.Response) -> dict[str, Any]:
    body = assert_error(answer, 401, "authentication_failed")
    assert answer.headers["www-authenticate"] == 'Bearer realm="frontdesk", Basic realm="frontdesk"'
    _is_not_stored(answer)
    return body


def _is_not_stored(answer: httpx2.Response) -> None:
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["pragma"] == "no-cache"


async def _a_minute_later(shop: Shop) -> None:
    await shop.sql(
        """
        UPDATE throttles SET bucket_ends = ARRAY(SELECT e - interval '1 minute' FROM unnest(bucket_ends) e)
        WHERE $1::uuid IS NOT NULL
        """
    )
