"""authlib gets, uses and revokes a token from the metadata alone."""

import asyncio
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from authlib.oauth2 import OAuth2Client, OAuth2Error
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

from tests.factories.credentials import make_client
from tests.support.service import Service, running_service
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop


class Session:
    """The little that authlib's core wants of an HTTP library; what is sent is still all authlib's."""

    def post(self, url: str, data: dict[str, str], headers: dict[str, str], auth: Any) -> httpx2.Response:
        url, headers, body = auth.prepare("POST", url, dict(headers), urlencode(data))
        return httpx2.post(url, content=body, headers=headers, timeout=120, verify=NO_CERTIFICATES)

    def get(self, url: str, headers: dict[str, str]) -> httpx2.Response:
        return httpx2.get(url, headers=headers, timeout=120, verify=NO_CERTIFICATES)


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_authlib_gets_uses_and_gives_back_a_token(service: Service, shop: Shop, method: str) -> None:
    client = await make_client(shop, scopes=["branches:read", "items:read"])
    places = (await service.http.get("/.well-known/oauth-authorization-server")).json()
    assert method in places["token_endpoint_auth_methods_supported"]
    assert method in places["revocation_endpoint_auth_methods_supported"]

    def use() -> None:
        oauth = OAuth2Client(Session(), client.name, client.secret, method, method, scope="branches:read")
        token = oauth.fetch_token(places["token_endpoint"])
        assert (token["scope"], token.is_expired()) == ("branches:read", False)
        branches = f"{service.origin}{OPEN_API}/branches"
        url, headers, _ = oauth.token_auth.prepare(branches, {}, "")
        assert Session().get(url, headers).status_code == 200
        assert oauth.introspect_token(places["introspection_endpoint"]).json()["active"] is True
        assert oauth.revoke_token(places["revocation_endpoint"]).status_code == 200
        assert Session().get(url, headers).status_code == 401
        assert oauth.introspect_token(places["introspection_endpoint"]).json() == {"active": False}

    await asyncio.to_thread(use)


async def test_authlib_understands_a_refusal(service: Service, shop: Shop) -> None:
    client = await make_client(shop)

    def use() -> None:
        oauth = OAuth2Client(Session(), client.name, "wrong")
        with pytest.raises(OAuth2Error, match="authentication_failed"):
            oauth.fetch_token(f"{service.origin}{OPEN_API}/oauth/token")

    await asyncio.to_thread(use)


async def test_authlib_finds_no_fault_in_the_metadata(dsn: str) -> None:
    async with running_service(dsn, origin="https://desk.example.com") as service:
        body = (await service.http.get("/.well-known/oauth-authorization-server")).json()
    AuthorizationServerMetadata(body).validate()
