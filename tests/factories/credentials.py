"""More API clients and keys of a business than the sandbox brings, each with a limit and scopes of its own."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from frontdesk.auth.credentials import format_client_id, new_client_secret, new_key
from frontdesk.security.secrets import hash_secret
from frontdesk.values.ids import uuid7
from tests.support.shop import Shop


class ApiClient:
    def __init__(self, shop: Shop, id_: UUID, secret: str) -> None:
        self.shop = shop
        self.id = id_
        self.secret = secret
        self.name = format_client_id(shop.tenant_id, id_)

    async def token(self, scope: str = "") -> str:
        answer = await self.shop.ask_for_token(client_id=self.name, client_secret=self.secret, scope=scope)
        assert answer.status_code == 200, answer.text
        token: str = answer.json()["access_token"]
        return token

    async def change(self, assignments: str, *args: object) -> None:
        """As the dashboard would; $3 is the first argument."""
        statement = f"UPDATE api_clients SET {assignments} WHERE tenant_id = $1 AND id = $2"
        await self.shop.sql(statement, self.id, *args)


async def make_client(
    shop: Shop, *, scopes: Sequence[str] = ("*",), rate_limit: int | None = None, install_id: UUID | None = None
) -> ApiClient:
    client = ApiClient(shop, uuid7(), new_client_secret())
    await shop.sql(
        """
        INSERT INTO api_clients (tenant_id, id, name, secret_hash, scopes, rate_limit, install_id)
        VALUES ($1, $2, 'Test client', $3, $4, $5, $6)
        """,
        client.id,
        hash_secret(client.secret),
        list(scopes),
        rate_limit,
        install_id,
    )
    return client


async def make_key(shop: Shop, *, rate_limit: int | None = None, expires_at: datetime | None = None) -> str:
    key = new_key(shop.tenant_id)
    await shop.sql(
        """
        INSERT INTO api_keys (tenant_id, id, name, key_hash, rate_limit, expires_at)
        VALUES ($1, $2, 'Test key', $3, $4, $5)
        """,
        uuid7(),
        hash_secret(key),
        rate_limit,
        expires_at,
    )
    return key


async def make_branch_key(shop: Shop, branch_id: UUID) -> str:
    """A key that works in one branch only."""
    key = new_key(shop.tenant_id)
    await shop.sql(
        "INSERT INTO api_keys (tenant_id, id, name, key_hash, branch_id, rate_limit) VALUES ($1, $2, 'B', $3, $4, $5)",
        uuid7(),
        hash_secret(key),
        branch_id,
        1_000_000,
    )
    return key
