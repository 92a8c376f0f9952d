"""The till of the dashboard as a cashier without script uses it: read the page, change a field, press a button."""

import re
from decimal import Decimal
from html import unescape
from typing import Any

import httpx2

from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts

_CLEAR = re.compile(r'href="([^"]+)">\s*Clear\s*</a>')
_TOTAL = re.compile(r'id="total">([\d,.]+)<')


class Counter:
    def __init__(self, desk: DashboardClient) -> None:
        self.desk = desk
        self.page = ""
        self.url = ""
        self.status = 0

    async def open(self, path: str = "/till") -> "Counter":
        self._shown(await self.desk.http.get(path, follow_redirects=True))
        return self

    async def press(self, action: str = "/till", /, **fields: Any) -> httpx2.Response:
        """Sends the page's form with some fields changed; what it leads to is the page then."""
        answer = await self.post(action, **fields)
        self._shown(await self._follow(answer))
        return answer

    async def post(self, action: str = "/till", /, **fields: Any) -> httpx2.Response:
        sent = {**form_fields(self.page, "/till"), **fields, "form_token": [await self.desk.form_token()]}
        return await self.desk.http.post(action, data=sent, headers={"origin": self.desk.origin})

    async def clear(self) -> None:
        found = _CLEAR.search(self.page)
        assert found, self.text
        await self.open(unescape(found[1]))

    async def _follow(self, answer: httpx2.Response) -> httpx2.Response:
        if answer.status_code != 303:
            return answer
        return await self.desk.http.get(answer.headers["location"], follow_redirects=True)

    def _shown(self, answer: httpx2.Response) -> None:
        self.page, self.url, self.status = answer.text, str(answer.url), answer.status_code

    @property
    def text(self) -> str:
        return texts(self.page)

    @property
    def total(self) -> Decimal:
        found = _TOTAL.search(self.page)
        assert found, self.text
        return Decimal(found[1].replace(",", ""))
