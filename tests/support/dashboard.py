"""The dashboard through an HTTP client that acts like a browser: cookies, and forms with their token."""

import re
from typing import Any
from uuid import UUID

import httpx2

from frontdesk.accounts.sessions import SignInAttempt, open_session
from frontdesk.postgres.pool import Connection
from tests.support.connections import pooled_connection
from tests.support.shop import NO_CERTIFICATES, Shop

_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]{64})"')
_COOKIE = "frontdesk_session"
_EXPIRED = re.compile("This form has expired|انتهت صلاحية هذا النموذج")
PAGE = {"accept": "text/html,application/xhtml+xml"}


class DashboardClient:
    """One browser. `sit_down` gives it a user's session without the second that a password takes."""

    def __init__(self, origin: str, dsn: str) -> None:
        self.origin = origin
        self.dsn = dsn
        self.http = httpx2.AsyncClient(base_url=origin, timeout=120, verify=NO_CERTIFICATES, headers=PAGE)
        self._tokens: dict[str | None, str] = {}  # by the session that they belong to

    async def __aenter__(self) -> "DashboardClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def get(self, path: str, **rest: Any) -> httpx2.Response:
        return await self.http.get(path, **rest)

    async def form_token(self, path: str = "/settings/account") -> str:
        """Of any page that holds a form: they are all of one session and one business."""
        found = _TOKEN.search((await self.get(path)).text)
        assert found, path
        return found[1]

    async def post(
        self, path: str, fields: Any = None, *, page: str = "/settings/account", **rest: Any
    ) -> httpx2.Response:
        """A form sent from a page, as a browser would send it. The page is asked for once in a session."""
        session = self.http.cookies.get(_COOKIE)
        if session in self._tokens:
            answer = await self._send(path, self._tokens[session], fields, rest)
            if answer.status_code != 403 or not _EXPIRED.search(answer.text):
                return answer  # otherwise the session is at another business now
        return await self._send(path, self._remember(await self.form_token(page)), fields, rest)

    def _remember(self, token: str) -> str:
        session = self.http.cookies.get(_COOKIE)
        if session is not None:
            self._tokens[session] = token
        return token

    async def _send(self, path: str, token: str, fields: Any, rest: dict[str, Any]) -> httpx2.Response:
        sent = {"form_token": token, **(fields or {})}
        return await self.http.post(path, data=sent, headers={"origin": self.origin}, **rest)

    async def sign_in(self, email: str, password: str, **rest: Any) -> httpx2.Response:
        return await self.post("/sign-in", {"email": email, "password": password, **rest}, page="/sign-in")

    async def sign_in_as(self, user_id: UUID) -> None:
        attempt = SignInAttempt("", "", remember_me=False, address="127.0.0.1", user_agent="tests")
        async with pooled_connection(self.dsn) as raw:
            token = await open_session(Connection(raw), user_id, attempt)
        self.http.cookies.set(_COOKIE, token, domain="127.0.0.1")


async def dashboard_of(shop: Shop, user_id: UUID) -> DashboardClient:
    desk = DashboardClient(shop.origin, shop.dsn)
    await desk.sign_in_as(user_id)
    return desk
