"""What was deleted, merged into another record or erased: its kinds, the published form, and the list."""

from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.postgres.query import Query, page, page_of
from frontdesk.values.api_types import Timestamp
from frontdesk.values.pagination import BEFORE_ALL, ChangesSince, Page, PageRequest
from frontdesk.webhooks.event_types import READ_SCOPES, EventType


class DeletedResource(StrEnum):
    """Whatever has an event that it was deleted. Everything else stays, with `status` false where it is out of use."""

    CUSTOMER = "customer"
    ITEM = "item"
    CATEGORY = "category"
    PACKAGE = "package"
    STAFF = "staff"
    HOUR_EXCEPTION = "hour_exception"
    TIME_OFF = "time_off"
    PAYMENT_METHOD = "payment_method"
    TAX_CLASS = "tax_class"

    @property
    def scope(self) -> Scope:
        (scope,) = READ_SCOPES[EventType(f"{self}.deleted")]
        return scope


class Deletion(msgspec.Struct):
    """Of an erased record, too, no more than its id."""

    id: UUID
    resource: DeletedResource
    deleted: bool  # always true
    deleted_at: Timestamp
    merged_into: UUID | None  # the record of the same kind that has everything of this one


def list_deletions(resources: list[DeletedResource], since: ChangesSince, page_request: PageRequest) -> Query[Page]:
    """The earliest first."""
    source = """FROM deleted_records
        WHERE tenant_id = $1 AND resource = ANY ($2::text[]) AND (deleted_at, id) > ($3::timestamptz, $4::uuid)"""
    form = """json_build_object(
        'id', d.id, 'resource', d.resource, 'deleted', true, 'deleted_at', format_utc(d.deleted_at),
        'merged_into', d.merged_into)"""
    return Query(
        f"""
        SELECT {page_of(form, "d.deleted_at, d.id")} AS documents, (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY deleted_at, id OFFSET $5 LIMIT $6) d
        """,
        (resources, since.moment, since.after or BEFORE_ALL, page_request.offset, page_request.per_page),
        page,
        is_late=False,
    )
