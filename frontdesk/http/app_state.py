"""What all requests of the process share."""

import asyncio
from collections.abc import Mapping

import msgspec

from frontdesk.config import Settings
from frontdesk.http.access_log import RequestRecorder
from frontdesk.http.body import BodyBudget
from frontdesk.http.errors import OperationErrors
from frontdesk.http.known_callers import KnownCallers
from frontdesk.live.feed import LiveFeed
from frontdesk.net.dns import DnsResolver
from frontdesk.net.email_domains import DomainChecker
from frontdesk.net.safe_url import UrlRejected, validate_url
from frontdesk.postgres.pool import Pool
from frontdesk.postgres.replica import Replica
from frontdesk.runtime.time_limits import Deadlines
from frontdesk.security.encryption import SecretBox
from frontdesk.storage.store import ObjectStore


class AppState(msgspec.Struct, frozen=True):
    settings: Settings
    database: Pool
    domains: DomainChecker
    secret_box: SecretBox
    dns: DnsResolver
    live: LiveFeed
    slow_database: Pool  # of reports, exports and archives, so that short requests never wait for a connection
    recorder: RequestRecorder
    replica: Replica | None = None  # for reads that may be a moment late
    storage: ObjectStore | None = None
    body_budget: BodyBudget = msgspec.field(default_factory=BodyBudget)
    known_callers: KnownCallers = msgspec.field(default_factory=KnownCallers)
    deadlines: Deadlines = msgspec.field(default_factory=Deadlines)
    operations: Mapping[str, OperationErrors] = {}  # of both APIs, such as "GET /orders"
    import_submitted: asyncio.Event = msgspec.field(default_factory=asyncio.Event)  # wakes the worker of this process


async def check_outbound_url(resources: AppState, url: str) -> None:
    """Rejects the field `url` if the service will not send requests there."""
    try:
        await validate_url(url, resources.dns.resolve, allow_private=resources.settings.webhook_allow_private)
    except UrlRejected as rejected:
        raise rejected.within("url") from rejected
