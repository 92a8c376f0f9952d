"""`frontdesk doctor` about the hosts of an address that names several: which is the primary, which does not answer?"""

import asyncio
from urllib.parse import urlsplit

import asyncpg

from frontdesk.postgres.connect import connect, split_hosts
from frontdesk.server.finding import Finding

_SECONDS = 5.0


async def examine_hosts(dsn: str) -> list[Finding]:
    """Nothing about the only host: whether that answers is found anyway."""
    addresses = split_hosts(dsn)
    return list(await asyncio.gather(*map(_examine_host, addresses))) if len(addresses) > 1 else []


async def _examine_host(address: str) -> Finding:
    subject = f"host {urlsplit(address).netloc.rpartition('@')[2]}"
    try:
        raw = await connect(address, wait=_SECONDS)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if isinstance(error.__cause__, asyncpg.TargetServerAttributeNotMatched):
            return Finding("ok", subject, "is a standby, which accepts no writes")
        text = f"does not answer ({type(error).__name__}): check that server, or remove it from FRONTDESK_DATABASE_URL"
        return Finding("warn", subject, text)
    raw.terminate()
    return Finding("ok", subject, "is the primary")
