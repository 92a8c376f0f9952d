"""Patroni with the sample of deploy/: its leader is killed, switched over, frozen and cut off while orders come in."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from frontdesk.values.ids import uuid7
from tests.support.branch import BranchFixture, line, open_branch
from tests.support.invariants import broken_invariants
from tests.support.programs.process import running_process
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.patroni import PatroniCluster, running_patroni
from tests.support.servers.receiver import Receiver, receiving
from tests.support.service import PLENTY, SECRET_KEYS
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop
from tests.support.waiting import eventually

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` starts Patroni"),
    pytest.mark.timeout(900),
]
MAX_PAUSE = 15.0  # seconds without an order
ORDERS_BETWEEN = 20
CALLERS = 4


class OrderWriter:
    """Sends each order again, with its key, until it is answered."""

    def __init__(self, branch: BranchFixture, item_id: Any) -> None:
        self._branch = branch
        self._item_id = item_id
        self.acknowledged: list[str] = []
        self.unavailable = 0
        self.longest_pause = 0.0
        self._last = time.monotonic()
        self.closing = False

    async def write(self) -> None:
        shop = self._branch.shop
        bearer = {"authorization": f"Bearer {await shop.token()}"}
        body = self._branch.order(line(self._item_id, "product"))
        async with httpx2.AsyncClient(base_url=shop.origin, timeout=30, verify=NO_CERTIFICATES, headers=bearer) as http:
            while not self.closing:
                await self._place(http, body)

    async def _place(self, http: httpx2.AsyncClient, body: object) -> None:
        key = {"Idempotency-Key": str(uuid7())}
        while True:
            answer = await http.post(f"{OPEN_API}/orders", json=body, headers=key)
            if answer.status_code == 201:
                break
            assert answer.status_code == 503, answer.text
            self.unavailable += 1
            await asyncio.sleep(0.2)
        now = time.monotonic()
        self.longest_pause = max(self.longest_pause, now - self._last)
        self._last = now
        self.acknowledged.append(answer.json()["data"]["id"])

    async def more(self) -> None:
        """Until orders come in again."""
        target = len(self.acknowledged) + ORDERS_BETWEEN
        await eventually(lambda: len(self.acknowledged) >= target, 120)


Fault = Callable[[PatroniCluster], Awaitable[Callable[[], None]]]  # it returns what ends it


async def kill(cluster: PatroniCluster) -> Callable[[], None]:
    leader = await cluster.leader()
    leader.kill()
    return leader.start


async def switch_over(cluster: PatroniCluster) -> Callable[[], None]:
    await cluster.switch_over()
    return lambda: None


async def freeze(cluster: PatroniCluster) -> Callable[[], None]:
    leader = await cluster.leader()
    leader.freeze()
    return leader.thaw


async def cut_off(cluster: PatroniCluster) -> Callable[[], None]:
    leader = await cluster.leader()
    leader.cut()
    return leader.heal


@pytest.mark.parametrize("fault", [kill, switch_over, freeze, cut_off], ids=lambda fault: fault.__name__)
async def test_orders_go_on_when_the_leader_is_lost(tmp_path: Path, fault: Fault) -> None:
    async with (
        running_patroni() as cluster,
        running_process(
            cluster.dsn, tmp_path, FRONTDESK_SECRET_KEY=SECRET_KEYS[0], FRONTDESK_WEBHOOK_ALLOW_PRIVATE="on"
        ) as process,
        receiving() as receiver,
    ):
        raw = await connect(cluster.dsn)
        sandbox = await create_sandbox(Connection(raw), rate_limit=PLENTY)
        await raw.close()
        shop = Shop(process.origin, cluster.dsn, sandbox)
        made = await shop.post("/webhooks", {"url": receiver.url, "events": ["order.created"]})
        assert made.status_code == 201, made.text
        branch = await open_branch(shop)
        writer = OrderWriter(branch, await branch.add_product(stock=None))
        writers = [asyncio.create_task(writer.write()) for _ in range(CALLERS)]
        await writer.more()
        writer.longest_pause = 0.0
        mend = await fault(cluster)
        await writer.more()
        pause = writer.longest_pause
        mend()
        await cluster.whole()
        await writer.more()
        writer.closing = True
        await asyncio.gather(*writers)
        await _check(cluster, shop, writer, receiver)
        print(f"{fault.__name__}: {len(writer.acknowledged)} orders, {writer.unavailable} × 503, pause {pause:.1f} s")
        assert pause < MAX_PAUSE


async def _check(cluster: PatroniCluster, shop: Shop, writer: OrderWriter, receiver: Receiver) -> None:
    """Every acknowledged order is there once, with its event, which has arrived."""
    raw = await connect(cluster.dsn)
    try:
        rows = await raw.fetch("SELECT id FROM orders WHERE tenant_id = $1", shop.tenant_id)
        assert set(writer.acknowledged) <= {str(row["id"]) for row in rows}
        assert len(set(writer.acknowledged)) == len(writer.acknowledged)
        events = await raw.fetch(
            "SELECT data FROM events WHERE tenant_id = $1 AND type = 'order.created'", shop.tenant_id
        )
        emitted = {msgspec.json.decode(row["data"])["order"]["id"] for row in events}
        assert set(writer.acknowledged) <= emitted
        await eventually(lambda: len(set(receiver.ids())) >= len(writer.acknowledged), 120)
        assert await broken_invariants(Connection(raw), shop.tenant_id) == []
    finally:
        await raw.close()
