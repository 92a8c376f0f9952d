"""Where a webhook may lead: not inside, by no trick of names, and to nobody who is not who they say they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dns.asyncresolver
import pytest
from dnslib import QTYPE, RR, A
from dnslib.server import DNSLogger, DNSServer

from frontdesk.net import outbound_http
from frontdesk.net.dns import DnsResolver
from frontdesk.net.safe_url import UrlRejected, validate_url
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.security.encryption import SecretBox
from frontdesk.values.actor import SYSTEM
from frontdesk.webhooks.change import RotateWebhookSecret
from frontdesk.webhooks.new_secret import new_secret
from tests.support.connections import pooled_connection
from tests.support.servers.certificates import Authority
from tests.support.servers.receiver import receiving
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import PATIENCE_SECONDS
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_attempts, wait_for_state

PUBLIC = "192.31.196.1"  # only ever resolved to, never connected to


class FickleZone:
    """A name server that gives each of its answers once, and the last one for ever; with no time to live.

    A question that a slow machine sends again gets the same answer, and is counted once. The worker also sends what
    other tests left: it finds no other name.
    """

    NAME = "rebind.example"

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self._given: dict[int, str] = {}  # by the id of the question

    @property
    def asked(self) -> int:
        return len(self._given)

    def resolve(self, request: Any, _handler: Any) -> Any:
        reply = request.reply()
        if QTYPE[request.q.qtype] == "A" and request.q.qname == self.NAME:
            if request.header.id not in self._given:
                answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                self._given[request.header.id] = answer
            address = self._given[request.header.id]
            reply.add_answer(RR(request.q.qname, QTYPE.A, rdata=A(address), ttl=0))
        return reply


@contextmanager
def names_from(zone: FickleZone) -> Iterator[DnsResolver]:
    server = DNSServer(zone, address="127.0.0.1", port=0, logger=DNSLogger("", logf=lambda _: None))
    server.start_thread()
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], server.server.server_address[1]
    resolver.lifetime = PATIENCE_SECONDS
    try:
        yield DnsResolver(resolver, ttl=0)
    finally:
        server.stop()
        server.server.server_close()


async def test_a_name_that_turns_private_after_it_was_checked_reaches_nothing(service: Service) -> None:
    zone = FickleZone(PUBLIC, "127.0.0.1")
    with names_from(zone) as names:
        async with receiving() as receiver, running_worker(service.dsn, allow_private=False, resolve=names.resolve):
            url = f"http://{zone.NAME}:{receiver.port}/"
            await validate_url(url, names.resolve, allow_private=False)
            hook = await make_webhook(await service.new_shop(), url)
            await emit_events(hook)
            (attempt,) = await wait_for_attempts(hook)
            assert attempt["error"] == "the URL has a host on a private network"
            with pytest.raises(UrlRejected):
                await validate_url(url, names.resolve, allow_private=False)
    assert receiver.connections == 0
    assert zone.asked >= 3  # a slow machine retries the delivery meanwhile


async def test_the_address_that_was_checked_is_the_one_that_is_connected_to(service: Service) -> None:
    """The name is asked for once: a second look, whose answer nobody checked, would have led elsewhere."""
    zone = FickleZone("127.0.0.2", "127.0.0.1")
    with names_from(zone) as names:
        async with (
            receiving() as elsewhere,
            receiving(host="127.0.0.2", port=elsewhere.port) as checked,
            running_worker(service.dsn, resolve=names.resolve),
        ):
            hook = await make_webhook(await service.new_shop(), f"http://{zone.NAME}:{checked.port}/")
            await emit_events(hook)
            await wait_for_attempts(hook)
    assert zone.asked == 1
    assert (len(checked.received), elsewhere.connections) == (1, 0)


@pytest.mark.parametrize("url", ["http://127.0.0.1:{}/", "http://localhost:{}/", "http://[::ffff:127.0.0.1]:{}/"])
async def test_a_private_url_that_got_in_some_other_way_is_not_sent_to(service: Service, url: str) -> None:
    async with receiving() as receiver, running_worker(service.dsn, allow_private=False):
        hook = await make_webhook(await service.new_shop(), url.format(receiver.port))
        await emit_events(hook)
        (attempt,) = await wait_for_attempts(hook)
    assert attempt["error"] == "the URL has a host on a private network"
    assert receiver.connections == 0


async def to_loopback(_host: str) -> list[str]:
    return ["127.0.0.1"]


async def test_webhook_deliveries_verify_the_certificate(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound_http, "_CONNECT_TIMEOUT", PATIENCE_SECONDS)  # of TLS on a busy machine
    ours, theirs = Authority(tmp_path), Authority(tmp_path, "Nobody knows it")
    shop = await service.new_shop()
    cases = {
        None: ours.serving("hooks.example"),
        "the certificate is not valid: Hostname mismatch": ours.serving("other.example"),
        "the certificate is not valid: certificate has expired": ours.serving("hooks.example", days=-1),
        "the certificate is not valid: unable to get local issuer": theirs.serving("hooks.example"),
    }
    for error, tls in cases.items():
        trusting = running_worker(service.dsn, resolve=to_loopback, tls=ours.trusting())
        async with receiving(tls=tls) as receiver, trusting:
            hook = await make_webhook(shop, f"https://hooks.example:{receiver.port}/")
            await emit_events(hook)
            (attempt,) = await wait_for_attempts(hook)
        assert (attempt["error"] or "").startswith(error or ""), attempt["error"]
        assert attempt["status"] == (None if error else 200)
        assert len(receiver.received) == (0 if error else 1)


async def test_plain_http_on_a_port_of_https_fails_and_says_so(service: Service, tmp_path: Path) -> None:
    async with receiving() as receiver, running_worker(service.dsn, tls=Authority(tmp_path).trusting()):
        hook = await make_webhook(await service.new_shop(), receiver.url.replace("http:", "https:"))
        await emit_events(hook)
        (attempt,) = await wait_for_attempts(hook)
    assert attempt["error"].startswith(("TLS failed", "the connection was closed", "cannot connect"))


async def test_a_secret_that_cannot_be_read_fails_the_attempt_and_says_what_to_do(service: Service) -> None:
    async with receiving() as receiver:
        async with running_worker(service.dsn, secret_box=SecretBox(["quite another key, much too late"])):
            hook = await make_webhook(await service.new_shop(), receiver.url)
            await emit_events(hook)
            (attempt,) = await wait_for_attempts(hook)
        assert attempt["error"].startswith("the signing secret cannot be decrypted")
        assert receiver.received == []
        async with running_worker(service.dsn):
            await hook.make_due()
            await wait_for_state(hook)


async def test_after_a_lost_key_one_rotation_heals_a_webhook(service: Service, shop: Shop) -> None:
    """The earlier secret, which should sign beside the new one for a day, cannot be opened any more."""
    another = SecretBox(["quite another key, much too late"])
    async with receiving() as receiver:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        async with running_worker(service.dsn, secret_box=another), pooled_connection(service.dsn) as raw:
            row = await hook.row()
            act = RotateWebhookSecret(row["id"], row["client_id"], new_secret(another))
            await run(Connection(raw), await hook.shop.tenant(), act, actor=SYSTEM)
            await emit_events(hook)
            await wait_for_state(hook)
        assert len(receiver.received) == 1


async def test_webhook_secrets_are_encrypted_in_the_database(service: Service) -> None:
    hook = await make_webhook(await service.new_shop(), "http://127.0.0.1/")
    row = await hook.row()
    assert hook.secret.encode() not in row["secret"]
    assert hook.secret.removeprefix("whsec_").encode() not in row["secret"]
