"""One business as an application sees it, over one kept connection, with tokens of any scopes."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import httpx2

from tests.contract.endpoints import SCOPES
from tests.support.service import Service
from tests.support.shop import KEY_API, OPEN_API, Shop


class Api:
    def __init__(self, service: Service, shop: Shop) -> None:
        self.http = service.http
        self.origin = service.origin
        self.shop = shop
        self.kept: dict[str, Any] = {}  # what was looked up or made once and serves many rows
        self._tokens: dict[str, str] = {}

    async def token(self, *scopes: str) -> str:
        """A token of exactly these scopes; of everything when none is named."""
        wanted = " ".join(scopes)
        if wanted not in self._tokens:
            self._tokens[wanted] = await (self.shop.new_token(wanted) if wanted else self.shop.token())
        return self._tokens[wanted]

    async def token_without(self, scope: str) -> str:
        return await self.token(*(other for other in SCOPES if other != scope))

    async def request(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        params: Mapping[str, str] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        sent = {"authorization": f"Bearer {token or await self.token()}", **(headers or {})}
        return await self.send(method, OPEN_API + path, sent, params, body)

    async def key_call(
        self, method: str, path: str, *, params: Mapping[str, str] | None = None, body: Any = None
    ) -> httpx2.Response:
        return await self.send(method, KEY_API + path, {"x-api-key": self.shop.sandbox.api_key}, params, body)

    async def send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        params: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> httpx2.Response:
        rest = {} if body is None else {"json": body}
        return await self.http.request(method, path, headers=headers, params=params, **rest)

    async def post(self, path: str, body: Any) -> httpx2.Response:
        return await self.request("POST", path, body=body)

    async def list(self, path: str, **params: str) -> list[dict[str, Any]]:
        """All records of a list, page after page."""
        found: list[dict[str, Any]] = []
        page = 1
        while True:
            answer = await self.request("GET", path, params={**params, "per_page": "100", "page": str(page)})
            assert answer.status_code == 200, f"GET {path}: {answer.status_code} {answer.text}"
            body = answer.json()
            found += body["data"]
            if page >= body["meta"]["last_page"]:
                return found
            page += 1

    async def first(self, path: str, **params: str) -> dict[str, Any]:
        found = await self.list(path, **params)
        assert found, f"GET {path} found nothing"
        return found[0]

    async def record(self, path: str) -> dict[str, Any]:
        answer = await self.request("GET", path)
        assert answer.status_code == 200, f"GET {path}: {answer.status_code} {answer.text}"
        data: dict[str, Any] = answer.json()["data"]
        return data


def unknown_id() -> str:
    return str(uuid4())
