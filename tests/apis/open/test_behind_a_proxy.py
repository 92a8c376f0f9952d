"""Behind a reverse proxy that the operator trusts, callers are identified by the forwarded address."""

from pathlib import Path

import httpx2
import pytest

from tests.factories.credentials import make_client
from tests.support.programs.process import running_process
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop


@pytest.mark.parametrize(("trusted", "status"), [("127.0.0.0/8", 200), ("10.0.0.5", 429)])
async def test_only_a_trusted_proxy_is_believed(
    dsn: str, tmp_path: Path, shop: Shop, other_shop: Shop, trusted: str, status: int
) -> None:
    client = await make_client(shop)
    right = {"grant_type": "client_credentials", "client_id": client.name, "client_secret": client.secret}
    async with (
        running_process(dsn, tmp_path, FRONTDESK_TRUSTED_PROXIES=trusted) as running,
        httpx2.AsyncClient(base_url=running.origin, timeout=120, verify=NO_CERTIFICATES) as http,
    ):
        for _ in range(11):
            guess = {**right, "client_secret": "wrong"}
            last = await http.post(f"{OPEN_API}/oauth/token", json=guess, headers={"x-forwarded-for": "203.0.113.7"})
        assert last.status_code == 429
        again = await http.post(f"{OPEN_API}/oauth/token", json=right, headers={"x-forwarded-for": "203.0.113.8"})
    assert again.status_code == status
