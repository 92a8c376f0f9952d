"""A client has at most 1,000 living tokens and takes at most 300 a minute."""

import asyncio

from frontdesk.auth.rate_limit import consume_attempt
from frontdesk.auth.throttle import subject
from frontdesk.auth.tokens import MAX_TOKENS, TOKENS_A_MINUTE
from frontdesk.postgres.pool import Connection
from frontdesk.security.secrets import hash_secret
from tests.factories.changes import ago, change_rows
from tests.factories.credentials import ApiClient, make_client
from tests.factories.used_up import insert_tokens
from tests.support.shop import Shop
from tests.support.waiting import eventually


async def living(shop: Shop, client: ApiClient) -> int:
    (row,) = await shop.sql(
        "SELECT count(*) AS count FROM access_tokens WHERE tenant_id = $1 AND client_id = $2 AND revoked_at IS NULL",
        client.id,
    )
    count: int = row["count"]
    return count


async def test_the_least_recently_used_token_goes_first(shop: Shop, other_shop: Shop) -> None:
    client, another = await make_client(shop), await make_client(shop)
    used, unused = await client.token(), await client.token()
    kept = await another.token()
    for token in (used, unused):
        taken = {"token_hash": hash_secret(token)}
        await change_rows(shop, "access_tokens", taken, created_at=ago(days=200), last_used_at=None)
    assert (await shop.get("/branches", token=used)).status_code == 200

    async def is_noted() -> bool:
        rows = await shop.sql(
            "SELECT FROM access_tokens WHERE tenant_id = $1 AND token_hash = $2 AND last_used_at IS NOT NULL",
            hash_secret(used),
        )
        return bool(rows)

    await eventually(is_noted)
    await insert_tokens(shop, client.id, MAX_TOKENS - 2)
    new = await client.token()
    assert await living(shop, client) == MAX_TOKENS
    statuses = [(await shop.get("/branches", token=token)).status_code for token in (used, unused, kept, new)]
    assert statuses == [200, 401, 200, 200]


async def test_many_tokens_taken_at_once_leave_no_more_than_allowed(shop: Shop) -> None:
    client = await make_client(shop)
    await insert_tokens(shop, client.id, MAX_TOKENS - 5)
    tokens = await asyncio.gather(*(client.token() for _ in range(20)))
    assert await living(shop, client) == MAX_TOKENS
    hashes = [hash_secret(token) for token in tokens]
    alive = "SELECT FROM access_tokens WHERE tenant_id = $1 AND token_hash = ANY($2) AND revoked_at IS NULL"
    assert len(await shop.sql(alive, hashes)) == 20


async def test_taking_tokens_has_a_limit_of_its_own(shop: Shop, other_shop: Shop, conn: Connection) -> None:
    client, another = await make_client(shop, rate_limit=2), await make_client(shop)
    for _ in range(TOKENS_A_MINUTE - 2):
        await consume_attempt(conn, subject("tokens", str(shop.tenant_id), str(client.id)), TOKENS_A_MINUTE)
    right = {"client_id": client.name, "client_secret": client.secret}
    answers = [await shop.ask_for_token(**right) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    refused = answers[-1]
    assert refused.json()["error"] == "rate_limit_exceeded"
    assert 0 < int(refused.headers["retry-after"]) <= 60
    token = answers[0].json()["access_token"]
    calls = [await shop.get("/branches", token=token) for _ in range(3)]
    assert [call.status_code for call in calls] == [200, 200, 429]
    await another.token()
    assert (await other_shop.ask_for_token()).status_code == 200
