"""Nothing outside the database is awaited while one of the ten connections is held."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from frontdesk.net import email_domains as emails
from frontdesk.net.dns import DnsResolver
from frontdesk.net.email_domains import DomainChecker
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.net.safe_url import parse_url, validate_url
from frontdesk.postgres import connection_guard
from frontdesk.postgres.connection_guard import ConnectionHeld
from frontdesk.postgres.pool import Pool
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.servers.dns import Zone, running_name_server
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.support.waiting import eventually

CONNECTIONS = 10
Asking = tuple[Service, Zone]


@pytest.fixture
async def asking(dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Asking]:
    """A service whose name server does not answer until the test says so."""
    monkeypatch.setattr(emails, "_TIMEOUT", 60.0)
    zone = Zone(everything="SILENCE")
    with running_name_server(zone) as resolver:
        async with running_service(dsn, email_dns=True, email_resolver=resolver) as running:
            yield running, zone
            zone.everything = None


@pytest.mark.parametrize("with_key", [True, False])
async def test_a_silent_name_server_does_not_block_other_requests(asking: Asking, with_key: bool) -> None:
    service, zone = asking
    shop, other = await service.new_shop(), await service.new_shop()
    await asyncio.gather(shop.token(), other.token())
    waiting = [
        asyncio.create_task(
            shop.post(
                "/customers",
                {"first_name": "Joud", "email": f"joud@nowhere-{n}.corp.com"},
                headers={"idempotency-key": str(uuid4())} if with_key else {},
            )
        )
        for n in range(2 * CONNECTIONS)
    ]
    await eventually(lambda: len({name.split()[0] for name in zone.queries}) == len(waiting))
    json_exact(await other.get("/customers"), 200)
    json_exact(await other.post("/customers", {"first_name": "Sami"}, headers={"idempotency-key": "own"}), 201)
    assert not any(task.done() for task in waiting)
    zone.everything = None
    for answer in await asyncio.gather(*waiting):
        assert_error(answer, 422, "validation_error")


async def test_a_replay_asks_no_name_server(asking: Asking, service: Service, other_shop: Shop) -> None:
    silent, zone = asking
    shop = await service.new_shop()
    body, headers = {"first_name": "Joud", "email": "joud@mail.corp.com"}, {"idempotency-key": "once"}
    made = json_exact(await shop.post("/customers", body, headers=headers), 201)
    elsewhere = Shop(silent.origin, silent.dsn, shop.sandbox)
    again = await elsewhere.post("/customers", body, headers=headers)
    assert again.headers["idempotent-replayed"] == "true"
    assert json_exact(again, 201) == made
    assert not zone.queries


async def test_waiting_for_the_network_with_a_connection_in_hand_is_an_error(dsn: str) -> None:
    """What makes every other test of the suite fail when a handler breaks the rule."""
    assert connection_guard.STRICT
    names, database = DnsResolver(), Pool(dsn)
    client = OutboundClient(names.resolve, allow_private=True)
    target = parse_url("http://127.0.0.1:1025/")
    async with database.connection():
        for waits in (
            names.resolve("localhost"),
            validate_url("https://localhost/", names.resolve, allow_private=True),
            DomainChecker(False, None).check("a@corp.com"),
            client.post(target, {}, b"", limit=1),
        ):
            with pytest.raises(ConnectionHeld):
                await waits
    await DomainChecker(False, None).check("a@corp.com")
    await database.close()
