"""A business as its applications see it: calls with its token or key, and a look behind the counter by SQL."""

import ssl
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import httpx2

from frontdesk.demo_data.create import Sandbox
from frontdesk.values.tenant_context import TenantContext
from tests.support.connections import pooled_connection

OPEN_API = "/open-api/v1"
KEY_API = "/api/v1"
# Nothing here speaks TLS, and reading the machine's certificates would cost 45 ms a client.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Shop:
    def __init__(self, origin: str, dsn: str, sandbox: Sandbox, http: httpx2.AsyncClient | None = None) -> None:
        self.origin = origin
        self.dsn = dsn
        self.sandbox = sandbox
        self.tenant_id: UUID = sandbox.tenant_id
        self._http = http  # without one, each request goes over a connection of its own
        self._token: str | None = None

    async def request(
        self, method: str, path: str, *, token: str | None = None, headers: Mapping[str, str] | None = None, **rest: Any
    ) -> httpx2.Response:
        """One request to the Open API, with a token of the shop's own client."""
        bearer = token or await self.token()
        return await self._send(method, OPEN_API + path, {"authorization": f"Bearer {bearer}", **(headers or {})}, rest)

    async def get(self, path: str, **rest: Any) -> httpx2.Response:
        return await self.request("GET", path, **rest)

    async def post(self, path: str, body: object = None, **rest: Any) -> httpx2.Response:
        return await self.request("POST", path, json=body, **rest)

    async def key_call(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **rest: Any
    ) -> httpx2.Response:
        """One request to the key interface, with the shop's key."""
        return await self._send(method, KEY_API + path, {"x-api-key": self.sandbox.api_key, **(headers or {})}, rest)

    async def _send(self, method: str, path: str, headers: dict[str, str], rest: dict[str, Any]) -> httpx2.Response:
        if self._http is not None:
            return await self._http.request(method, path, headers=headers, **rest)
        async with httpx2.AsyncClient(base_url=self.origin, timeout=120, verify=NO_CERTIFICATES) as http:
            return await http.request(method, path, headers=headers, **rest)

    async def token(self) -> str:
        if self._token is None:
            self._token = await self.new_token()
        return self._token

    async def new_token(self, scope: str = "") -> str:
        answer = await self.ask_for_token(scope=scope)
        assert answer.status_code == 200, answer.text
        token: str = answer.json()["access_token"]
        return token

    async def ask_for_token(self, **changes: Any) -> httpx2.Response:
        body = {
            "grant_type": "client_credentials",
            "client_id": self.sandbox.client_id,
            "client_secret": self.sandbox.client_secret,
            "scope": "",
            **changes,
        }
        return await self._send("POST", f"{OPEN_API}/oauth/token", {}, {"json": body})

    async def sql(self, statement: str, *args: object) -> list[Any]:
        """Behind the counter: $1 is this business."""
        async with pooled_connection(self.dsn) as raw:
            return await raw.fetch(statement, self.tenant_id, *args)

    async def tenant(self) -> TenantContext:
        """The business as an act is given it."""
        row = (await self.sql("SELECT * FROM tenants WHERE id = $1"))[0]
        return TenantContext(
            self.tenant_id,
            row["timezone"],
            row["currency"],
            row["currency_decimals"],
            tuple(row["languages"]),
            row["grid_minutes"],
        )

    async def first(self, path: str) -> dict[str, Any]:
        """The first record of a list."""
        record: dict[str, Any] = (await self.get(path)).json()["data"][0]
        return record
