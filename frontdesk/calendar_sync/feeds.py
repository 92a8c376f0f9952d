"""Calendar feeds: private addresses at which calendar programs read bookings."""

from base64 import b64encode
from uuid import UUID

from frontdesk.calendar_sync.feed_queries import CalendarSettings, FeedToChange, feed_of, get_calendar_settings
from frontdesk.calendar_sync.types import CustomerNames, FeedOwner
from frontdesk.postgres.act import Act, Context, FunctionCall, NewSecret
from frontdesk.postgres.query import Lock, Query, lock_row
from frontdesk.problems import check_version, or_not_found
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret, new_tenant_secret, tenant_of_secret
from frontdesk.values.ids import uuid7

PREFIX = "fdf_"


def tenant_of_feed(secret: str) -> UUID | None:
    return tenant_of_secret(PREFIX, secret)


def new_feed_secret(tenant_id: UUID, secret_box: SecretBox) -> NewSecret:
    secret = new_tenant_secret(PREFIX, tenant_id)
    return NewSecret(secret, secret_box.encrypt(secret.encode()))


class _FeedAct(Act[FeedToChange], frozen=True):
    owner: FeedOwner

    def load(self) -> Query[FeedToChange]:
        table, id_ = ("staff", self.owner.staff_id) if self.owner.staff_id else ("branches", self.owner.branch_id)
        return feed_of(self.owner).locking(lock_row(table, id_))


class CreateCalendarFeed(_FeedAct, frozen=True):
    """An existing one stays as it is: another request created it first."""

    language: str
    secret: NewSecret

    def decide(self, context: Context[FeedToChange]) -> FunctionCall:
        if context.loaded.feed is not None:
            return FunctionCall(None, {})
        return _save(self, context.loaded.owner, uuid7(), None)


class ReplaceCalendarFeed(_FeedAct, frozen=True):
    """Gives the feed a new address; the old one answers nothing any more."""

    language: str
    secret: NewSecret
    version: int

    def decide(self, context: Context[FeedToChange]) -> FunctionCall:
        feed = or_not_found(context.loaded.feed, "calendar feed")
        check_version(self.version, feed.version, feed.id)
        return _save(self, context.loaded.owner, feed.id, feed.version)


class DeleteCalendarFeed(_FeedAct, frozen=True):
    version: int

    def decide(self, context: Context[FeedToChange]) -> FunctionCall:
        feed = context.loaded.feed
        if feed is None:
            return FunctionCall(None, {})
        check_version(self.version, feed.version, feed.id)
        argument = {"id": feed.id, "version": feed.version, "name": context.loaded.owner}
        return FunctionCall("delete_calendar_feed", argument)


def _save(act: CreateCalendarFeed | ReplaceCalendarFeed, name: str, id_: UUID, version: int | None) -> FunctionCall:
    argument = {
        **act.owner._asdict(),
        "id": id_,
        "version": version,
        "name": name,
        "language": act.language,
        "secret_hash": b64encode(hash_secret(act.secret.text)).decode(),
        "secret": b64encode(act.secret.encrypted).decode(),
    }
    return FunctionCall("save_calendar_feed", argument)


class SaveCalendarSettings(Act[CalendarSettings], frozen=True):
    customer_names: CustomerNames
    version: int

    def load(self) -> Query[CalendarSettings]:
        return get_calendar_settings().locking(
            Lock("SELECT FROM calendar_settings WHERE tenant_id = $1 FOR NO KEY UPDATE", ())
        )

    def decide(self, context: Context[CalendarSettings]) -> FunctionCall:
        check_version(self.version, context.loaded.version, context.tenant.tenant_id)
        argument = {"customer_names": self.customer_names, "version": context.loaded.version}
        return FunctionCall("save_calendar_settings", argument)
