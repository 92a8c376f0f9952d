"""Sends webhooks to a receiver that is being built, as the service itself would send them."""

import time
from collections.abc import Iterable
from typing import NamedTuple

from frontdesk.errors import StartupError
from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient, RequestFailed
from frontdesk.net.safe_url import parse_url
from frontdesk.webhooks.retries import TIME_LIMIT
from frontdesk.webhooks.signing import delivery_headers, is_signing_secret


class Reply(NamedTuple):
    status: int | None  # None: no response
    milliseconds: int
    error: str | None = None

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    def __str__(self) -> str:
        return self.error or f"{self.status} in {self.milliseconds} ms"


class ReceiverConnection:
    """Its URL is the caller's own, so it may be on this machine."""

    def __init__(self, url: str) -> None:
        self._target = parse_url(url)
        self._client = OutboundClient(DnsResolver().resolve, allow_private=True)

    async def deliver(self, message_id: str, body: bytes, secrets: Iterable[str]) -> Reply:
        return await self.post(delivery_headers(message_id, int(time.time()), body, secrets), body)

    async def post(self, headers: dict[str, str], body: bytes) -> Reply:
        began = time.monotonic()
        try:
            response = await self._client.post(self._target, headers, body, limit=TIME_LIMIT)
        except RequestFailed as failed:
            return Reply(None, _milliseconds_since(began), str(failed))
        return Reply(response.status, _milliseconds_since(began))

    async def close(self) -> None:
        await self._client.close()


def check_secret(secret: str) -> str:
    if not is_signing_secret(secret):
        raise StartupError("the signing secret must be `whsec_` and base64, as a webhook's secret is")
    return secret


def _milliseconds_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
