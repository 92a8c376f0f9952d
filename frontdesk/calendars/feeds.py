"""Calendar feeds: private addresses at which calendar programs read bookings."""

from base64 import b64encode
from uuid import UUID

from frontdesk.calendars.feed_queries import CalendarSettings, SeenFeed, feed_of, get_calendar_settings
from frontdesk.calendars.types import CustomerNames, FeedOwner
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import check_version, not_found
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret, new_tenant_secret, tenant_of_secret

PREFIX = "fdf_"


def tenant_of_feed(secret: str) -> UUID | None:
    return tenant_of_secret(PREFIX, secret)


def look_at_feed(owner: FeedOwner) -> Look[SeenFeed]:
    if owner.staff_id is not None:
        lock = Lock("SELECT FROM staff WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (owner.staff_id,))
    else:
        lock = Lock("SELECT FROM branches WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (owner.branch_id,))
    return Look(feed_of(owner), lock)


def plan_feed(
    seen: SeenFeed, tenant_id: UUID, owner: FeedOwner, id_: UUID, language: str, secret_box: SecretBox
) -> FunctionCall:
    """Creates the feed. An existing one stays as it is: another request created it first."""
    if seen.feed is not None:
        return FunctionCall(None, {})
    return _save(seen, tenant_id, owner, id_, language, secret_box)


def plan_replaced_feed(
    seen: SeenFeed, tenant_id: UUID, owner: FeedOwner, version: int, language: str, secret_box: SecretBox
) -> FunctionCall:
    """Gives the feed a new address; the old one answers nothing any more."""
    if seen.feed is None:
        raise not_found("calendar feed")
    check_version(version, seen.feed.version, seen.feed.id)
    return _save(seen, tenant_id, owner, seen.feed.id, language, secret_box)


def plan_deleted_feed(seen: SeenFeed, version: int) -> FunctionCall:
    if seen.feed is None:
        return FunctionCall(None, {})
    check_version(version, seen.feed.version, seen.feed.id)
    return FunctionCall("delete_calendar_feed", {"id": seen.feed.id, "version": seen.feed.version, "name": seen.owner})


def _save(
    seen: SeenFeed, tenant_id: UUID, owner: FeedOwner, id_: UUID, language: str, secret_box: SecretBox
) -> FunctionCall:
    secret = new_tenant_secret(PREFIX, tenant_id)
    argument = {
        **owner._asdict(),
        "id": id_,
        "version": seen.feed.version if seen.feed else None,
        "name": seen.owner,
        "language": language,
        "secret_hash": b64encode(hash_secret(secret)).decode(),
        "secret": b64encode(secret_box.encrypt(secret.encode())).decode(),
    }
    return FunctionCall("save_calendar_feed", argument)


def look_at_calendar_settings() -> Look[CalendarSettings]:
    lock = Lock("SELECT FROM calendar_settings WHERE tenant_id = $1 FOR NO KEY UPDATE", ())
    return Look(get_calendar_settings(), lock)


def plan_calendar_settings(seen: CalendarSettings, tenant_id: UUID, names: CustomerNames, version: int) -> FunctionCall:
    check_version(version, seen.version, tenant_id)
    return FunctionCall("save_calendar_settings", {"customer_names": names, "version": seen.version})
