"""The objects of one bucket. Every request has a limit of time, and storage that does not answer is left alone for a
while, so that nothing waits for it again and again.
"""

import html
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime

import msgspec
from prometheus_client import Counter

from frontdesk.config_storage import StorageSettings
from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient, OutboundResponse, RequestFailed
from frontdesk.net.safe_url import ParsedUrl, parse_url
from frontdesk.storage.signing import Credentials, sign

SECONDS = 5.0  # of one request about an object of a few hundred kilobytes
_PAUSE_SECONDS = 5.0  # after which storage that did not answer is asked again
_MAX_ANSWER = 16 * 1024 * 1024  # no picture, error or list of a thousand keys is as large
_ATTEMPTS = 2  # S3 asks to repeat what it answers with a status of 500 or more; a connection may just have been closed
_CODE = re.compile(rb"<Code>(\w+)</Code>")
_KEY = re.compile(rb"<Key>([^<]*)</Key>")
_NEXT = re.compile(rb"<NextContinuationToken>([^<]*)</NextContinuationToken>")
_KEYS = "check FRONTDESK_STORAGE_ACCESS_KEY and FRONTDESK_STORAGE_SECRET_KEY"
_ADVICE = {
    "AccessDenied": "the key needs the rights to list the bucket, and to put, get and delete its objects",
    "AuthorizationHeaderMalformed": "check FRONTDESK_STORAGE_REGION",
    "InvalidAccessKeyId": _KEYS,
    "NoSuchBucket": "create the bucket, or check FRONTDESK_STORAGE_BUCKET",
    "PermanentRedirect": "check FRONTDESK_STORAGE_ENDPOINT and FRONTDESK_STORAGE_REGION",
    "RequestTimeTooSkewed": "run a time service on this machine",
    "SignatureDoesNotMatch": _KEYS,
}
_requests = Counter("frontdesk_storage_requests_total", "Requests to the bucket, by outcome", ["method", "outcome"])
for _method in ("PUT", "GET", "DELETE", "POST"):
    for _outcome in ("answered", "refused", "failed", "paused"):
        _requests.labels(_method, _outcome)


class StorageFailed(Exception):
    """The message is one line for the operator."""


class ObjectMissing(StorageFailed):
    pass


class ObjectStore:
    def __init__(
        self, settings: StorageSettings, client: OutboundClient, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.prefix = settings.prefix
        self._bucket = settings.bucket
        self._endpoint = parse_url(settings.endpoint)
        self._credentials = Credentials(settings.region, settings.access_key, settings.secret_key)
        self._client = client
        self._clock = clock
        self._paused_until = -_PAUSE_SECONDS

    async def close(self) -> None:
        await self._client.close()

    async def put(self, key: str, content: bytes, media_type: str) -> None:
        await self.send("PUT", key, {"content-type": media_type}, content)

    async def get(self, key: str) -> bytes:
        return (await self.send("GET", key)).body

    async def delete(self, key: str) -> None:
        """Also succeeds if there is no such object."""
        await self.send("DELETE", key)

    async def list_keys(self, prefix: str, at_once: int = 1000) -> AsyncIterator[str]:
        """In their order, without the prefix of all keys."""
        query = {"list-type": "2", "max-keys": str(at_once), "prefix": self.prefix + prefix}
        while True:
            body = (await self.send("GET", None, query=query)).body
            for key in _KEY.findall(body):
                yield html.unescape(key.decode()).removeprefix(self.prefix)
            following = _NEXT.search(body)
            if following is None:
                return
            query["continuation-token"] = html.unescape(following[1].decode())

    async def send(
        self,
        method: str,
        key: str | None,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        *,
        query: Mapping[str, str] | None = None,
        max_bytes: int = _MAX_ANSWER,
        seconds: float | None = None,
    ) -> OutboundResponse:
        """Without a key it is about the bucket. Raises StorageFailed unless the status is one of success."""
        if self._clock() < self._paused_until:
            _requests.labels(method, "paused").inc()
            raise StorageFailed("the storage did not answer a moment ago")
        path, reason = f"/{self._bucket}" if key is None else f"/{self._bucket}/{self.prefix}{key}", ""
        for _ in range(_ATTEMPTS):
            target, signed = self._sign(method, path, query or {}, headers or {}, body)
            try:
                answer = await self._client.request(
                    method, target, signed, body, limit=seconds or SECONDS, max_bytes=max_bytes
                )
            except RequestFailed as error:
                reason = f"{target.authority} does not answer ({error}): check FRONTDESK_STORAGE_ENDPOINT"
                if isinstance(error.__cause__, TimeoutError):
                    break
                continue
            if answer.status < 500:
                return _checked(method, path, answer)
            reason = f"the storage answers with status {answer.status}"
        _requests.labels(method, "failed").inc()
        self._paused_until = self._clock() + _PAUSE_SECONDS
        raise StorageFailed(reason)

    def _sign(
        self, method: str, path: str, query: Mapping[str, str], headers: Mapping[str, str], body: bytes
    ) -> tuple[ParsedUrl, dict[str, str]]:
        host = self._endpoint.authority
        signed = sign(self._credentials, method, host, path, query, headers, body, datetime.now(UTC))
        return msgspec.structs.replace(self._endpoint, path=signed.target), signed.headers


def _checked(method: str, path: str, answer: OutboundResponse) -> OutboundResponse:
    if answer.status < 300:
        _requests.labels(method, "answered").inc()
        return answer
    _requests.labels(method, "refused").inc()
    found = _CODE.search(answer.body)
    code = found[1].decode() if found else f"status {answer.status}"
    if code == "NoSuchKey" or (answer.status == 404 and code not in _ADVICE):
        raise ObjectMissing(f"there is no object {path}")
    raise StorageFailed(f"the storage refuses ({code}): {_ADVICE.get(code, 'ask who runs it')}")


def open_store(settings: StorageSettings, dns: DnsResolver) -> ObjectStore:
    """The operator chose the address, so it may be on a private network."""
    return ObjectStore(settings, OutboundClient(dns.resolve, allow_private=True))
