"""The database holds no secret that anyone was given."""

from frontdesk.postgres.pool import Connection
from tests.factories.credentials import make_client
from tests.support.shop import Shop


async def test_no_secret_is_anywhere_in_the_database(shop: Shop, conn: Connection) -> None:
    client = await make_client(shop)
    sandbox = shop.sandbox
    known = (client.secret, await client.token(), sandbox.client_secret, sandbox.api_key, await shop.token())
    secrets = [sandbox.password, *(secret.partition("_")[2] for secret in known)]
    seen = 0
    for table in await conn.fetch("SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'"):
        rows = await conn.fetch(f"SELECT t::text AS row FROM {table['name']} t")
        text = "\n".join(row["row"] for row in rows)
        seen += len(rows)
        for secret in secrets:
            assert secret not in text, table["name"]
            assert secret.encode().hex() not in text, table["name"]
    assert seen > 100
