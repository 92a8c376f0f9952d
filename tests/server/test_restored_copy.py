"""A restored copy has the original's queues. It sends nothing of them until an operator says so."""

from pathlib import Path

from frontdesk.messages.worker import MailSettings, MessageWorker
from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.postgres.pool import Pool
from frontdesk.security.encryption import SecretBox
from frontdesk.webhooks.delivery_worker import DeliveryWorker
from tests.cli.test_commands import command, printed, second_dsn
from tests.factories.messages import insert_message
from tests.factories.users import make_user
from tests.support.dashboard import dashboard_of
from tests.support.servers.receiver import Receiver, receiving
from tests.support.service import SECRET_KEYS, running_service
from tests.support.shop import Shop
from tests.webhooks.fixture import VAULT, emit_events, make_webhook

__all__ = ["second_dsn"]
NOT_SENT = "mail and webhooks are not sent"


async def test_a_restored_copy_sends_neither_webhooks_nor_mail_until_it_is_told_to(
    empty_dsn: str, second_dsn: str, tmp_path: Path
) -> None:
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
    async with receiving() as there:
        await _queue_both(shop, there)
        await _check_copy(empty_dsn, second_dsn, str(tmp_path / "copy"))
        assert len(there.received) == 1


async def _check_copy(empty_dsn: str, second_dsn: str, file: str) -> None:
    await printed(empty_dsn, "backup", file)
    restored = await command(second_dsn, "restore", file)
    assert NOT_SENT in restored.stdout + restored.stderr
    assert NOT_SENT in await _state(second_dsn)
    assert "are sent" in await _state(empty_dsn)

    assert await _states_after_a_turn(second_dsn) == {"due"}
    await printed(second_dsn, "sending", "on")
    assert "due" not in await _states_after_a_turn(second_dsn)


async def test_a_copy_that_takes_the_place_of_the_original_goes_on_sending(
    empty_dsn: str, second_dsn: str, tmp_path: Path
) -> None:
    await printed(empty_dsn, "sandbox")
    await printed(empty_dsn, "sending", "off")
    file = str(tmp_path / "copy")
    await printed(empty_dsn, "backup", file)
    await printed(second_dsn, "restore", "--send", file)
    assert "are sent" in await _state(second_dsn)


async def test_the_console_says_that_nothing_is_sent_and_starts_it(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        await printed(empty_dsn, "sending", "off")
        async with await dashboard_of(shop, await make_user(shop, None, operator=True)) as operator:
            page = (await operator.get("/operator/health")).text
            assert "This service sends no mail and no webhooks" in page
            assert (await operator.post("/operator/health/sending")).status_code == 303
            assert "This service sends no mail" not in (await operator.get("/operator/health")).text
    assert "are sent" in await _state(empty_dsn)


async def _state(dsn: str) -> str:
    outcome = await command(dsn, "sending")
    return outcome.stdout + outcome.stderr


async def _queue_both(shop: Shop, there: Receiver) -> None:
    await emit_events(await make_webhook(shop, there.url))
    await insert_message(shop)


async def _states_after_a_turn(dsn: str) -> set[str]:
    """Of both queues, once each worker has taken a turn and ended."""
    database, dns = Pool(dsn), DnsResolver()
    deliverer = DeliveryWorker(database, OutboundClient(dns.resolve, allow_private=True), VAULT, origin="http://x")
    sender = MessageWorker(database, SecretBox(SECRET_KEYS), MailSettings(None, "desk@example.com", "http://x"))
    for worker in (deliverer, sender):
        await worker._take_turn()
        worker.start()
        await worker.stop(30)
    async with database.connection() as conn:
        rows = await conn.fetch("SELECT state FROM webhook_deliveries UNION SELECT state FROM messages")
    await database.close()
    return {row["state"] for row in rows}
