"""A process without memory says "try again": the next request, or another process, may have some."""

from pathlib import Path

import httpx2

from frontdesk.config import Settings
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.server.app import Frontdesk
from tests.support.http_errors import assert_error
from tests.support.service import SECRET_KEYS


class WithoutMemory(Frontdesk):
    async def _handle(self, _request: Request) -> Response:
        raise MemoryError


async def test_a_request_without_memory_is_unavailable(dsn: str, tmp_path: Path) -> None:
    app = WithoutMemory(Settings(data_dir=tmp_path, secret_keys=SECRET_KEYS), dsn)
    transport = httpx2.ASGITransport(app)  # type: ignore[arg-type]  # a scope is a dict
    async with httpx2.AsyncClient(transport=transport, base_url="http://desk.test") as http:
        answer = await http.get("/open-api/v1/items")
    assert_error(answer, 503, "service_unavailable")
    assert answer.headers["retry-after"] == "1"
