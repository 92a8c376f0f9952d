"""What was saved and does not work, for the overview: one statement. Each kind is named a few times only."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.attention.rules import (
    BRANCH_WITHOUT_CONTACT,
    ITEM_WITHOUT_OPTION,
    MESSAGE_WAITS_FOR_SERVER,
    NO_PAYMENT_METHOD,
    PACKAGE_WITHOUT_STOCK,
    PRODUCT_WITHOUT_STOCK,
    PROVIDER_WITHOUT_STAFF,
    SERVICE_WITHOUT_PROVIDER,
    STAFF_WITHOUT_MEMBER,
    STAFF_WITHOUT_SERVICE,
    TAX_NOT_ANSWERED,
)
from frontdesk.attention.weekly import BranchWeek
from frontdesk.postgres.query import Query, decoded

_NAMED = 5  # rows of a kind


class NamedItem(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    providers: int = 0  # who could perform a service


class NamedRow(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class UnlinkedProvider(msgspec.Struct, frozen=True):
    id: UUID  # of the user
    name: str
    staff: NamedRow | None  # with the same address or name, or the only one who is nobody's


class BranchContact(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    has_phone: bool
    has_address: bool


class WaitingMail(msgspec.Struct, frozen=True):
    count: int
    since: datetime | None
    answer: str | None  # of the mail server, to the newest


class OffWebhook(msgspec.Struct, frozen=True):
    id: UUID
    client_id: UUID
    name: str


class SetupProblems(msgspec.Struct, frozen=True):
    services: list[NamedItem]
    products: list[NamedItem]
    unsold: list[NamedItem]  # no option is on sale
    packages: list[NamedItem]
    idle_staff: list[NamedRow]
    unlinked: list[UnlinkedProvider]
    contacts: list[BranchContact]
    mail: WaitingMail
    tax: bool
    no_payment_method: bool
    webhooks: list[OffWebhook]  # switched off because they failed
    applications: list[NamedRow]  # with a new version that asks for other rights
    weeks: list[BranchWeek]
    has_team: bool
    has_online_booking: bool
    dismissed: list[str]  # steps of the set-up that are optional
    slug: str  # in the address of the booking page
    is_page_shown: bool


_ITEM = "json_build_object('id', i.id, 'name', i.name)"
# Hours as the service applies them: one that is not active is closed.
_HOURS = """json_build_object('all_time', {0}.all_time AND {0}.active, 'intervals', (
            SELECT coalesce(json_agg(json_build_array(k.day, k.opens, k.closes)), '[]') FROM working_intervals k
            WHERE k.tenant_id = $1 AND k.working_hour_id = {0}.id AND k.active AND {0}.active))"""
_WEEK = f"""json_build_object('id', b.id, 'name', b.name,
        'hours', (SELECT {_HOURS.format("h")} FROM working_hours h
            WHERE h.tenant_id = $1 AND h.branch_id = b.id AND h.is_default),
        'staff', (SELECT coalesce(json_agg(CASE WHEN h.id IS NOT NULL THEN {_HOURS.format("h")} END), '[]')
            FROM staff f LEFT JOIN working_hours h ON h.tenant_id = $1 AND h.staff_id = f.id AND h.is_default
            WHERE f.tenant_id = $1 AND f.branch_id = b.id AND f.active AND EXISTS (
                SELECT FROM staff_services v WHERE v.tenant_id = $1 AND v.staff_id = f.id)),
        'longest', (
            SELECT coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'minutes', i.duration)), '[]')
            FROM (SELECT i.id, i.name, i.duration FROM items i
                  WHERE i.tenant_id = $1 AND i.branch_id = b.id AND i.type = 'service' AND i.status
                  ORDER BY i.duration DESC, i.id LIMIT {_NAMED}) i))"""
# Only branches in which something can be booked need hours and people.
_BOOKED = """b.status AND EXISTS (SELECT FROM items i
            WHERE i.tenant_id = $1 AND i.branch_id = b.id AND i.type = 'service' AND i.status)"""


def _rows(json: str, table: str, rule: str, order: str) -> str:
    alias = table[-1]
    return f"""(SELECT coalesce(json_agg({json} ORDER BY {order}), '[]') FROM (
            SELECT * FROM {table} WHERE {alias}.tenant_id = $1 AND {rule} ORDER BY {order} LIMIT {_NAMED}) {alias})"""


_SERVICE = """json_build_object('id', i.id, 'name', i.name, 'providers', (
            SELECT count(*) FROM staff f WHERE f.tenant_id = $1 AND f.branch_id = i.branch_id AND f.active))"""
_CONTACT = """json_build_object('id', b.id, 'name', b.name, 'has_phone', b.phone IS NOT NULL,
            'has_address', b.address IS NOT NULL)"""
# Of `users u`.
_OWN_STAFF = f"""(SELECT json_build_object('id', f.id, 'name', f.name) FROM (
            SELECT f.*, lower(f.email) IS NOT DISTINCT FROM lower(u.email) AS has_email,
                lower(f.name) = lower(u.name) AS has_name, count(*) OVER () AS count
            FROM staff f WHERE f.tenant_id = $1 AND {STAFF_WITHOUT_MEMBER}) f
        WHERE f.has_email OR f.has_name OR f.count = 1
        ORDER BY f.has_email DESC, f.has_name DESC, f.sort_order, f.id LIMIT 1)"""
_PROBLEMS = f"""
    SELECT json_build_object(
        'services', {_rows(_SERVICE, "items i", SERVICE_WITHOUT_PROVIDER, "i.sort_order, i.id")},
        'products', {_rows(_ITEM, "items i", PRODUCT_WITHOUT_STOCK, "i.sort_order, i.id")},
        'unsold', {_rows(_ITEM, "items i", ITEM_WITHOUT_OPTION, "i.sort_order, i.id")},
        'packages', {
    _rows("json_build_object('id', p.id, 'name', p.name)", "packages p", PACKAGE_WITHOUT_STOCK, "p.id")
},
        'idle_staff', {
    _rows("json_build_object('id', s.id, 'name', s.name)", "staff s", STAFF_WITHOUT_SERVICE, "s.sort_order, s.id")
},
        'unlinked', (SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'staff', {_OWN_STAFF})
                ORDER BY o.created_at, u.id), '[]')
            FROM (SELECT * FROM memberships o WHERE o.tenant_id = $1 AND {PROVIDER_WITHOUT_STAFF}
                  ORDER BY o.created_at, o.user_id LIMIT {_NAMED}) o JOIN users u ON u.id = o.user_id),
        'contacts', {_rows(_CONTACT, "branches b", BRANCH_WITHOUT_CONTACT, "b.name, b.id")},
        'mail', (SELECT json_build_object('count', count(*), 'since', min(m.created_at),
            'answer', (array_agg(m.answer ORDER BY m.id DESC))[1])
            FROM (SELECT * FROM messages m WHERE m.tenant_id = $1 AND {MESSAGE_WAITS_FOR_SERVER} LIMIT 1000) m),
        'tax', {TAX_NOT_ANSWERED},
        'no_payment_method', {NO_PAYMENT_METHOD},
        'webhooks', (SELECT coalesce(json_agg(json_build_object('id', w.id, 'client_id', w.client_id, 'name', a.name)
                ORDER BY w.disabled_at), '[]')
            FROM webhooks w JOIN api_clients a ON a.tenant_id = $1 AND a.id = w.client_id
                AND a.disabled_at IS NULL AND a.disconnected_at IS NULL
            WHERE w.tenant_id = $1 AND w.disabled_at IS NOT NULL
              AND w.disabled_reason ->> 'kind' <> ALL ($2::text[])),
        'applications', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', a.name) ORDER BY t.id), '[]')
            FROM installs t JOIN applications a ON a.id = t.application_id
            WHERE t.tenant_id = $1 AND t.disconnected_at IS NULL AND t.version <> a.approved_version),
        'weeks', (SELECT coalesce(json_agg({_WEEK} ORDER BY b.name, b.id), '[]') FROM branches b
            WHERE b.tenant_id = $1 AND {_BOOKED}),
        'has_team', (SELECT count(*) > 1 FROM memberships o WHERE o.tenant_id = $1)
            OR EXISTS (SELECT FROM invitations o WHERE o.tenant_id = $1),
        'has_online_booking', EXISTS (SELECT FROM source_sums o WHERE o.tenant_id = $1 AND o.source = 'online')
            OR EXISTS (SELECT FROM unsummed_sales o WHERE o.tenant_id = $1 AND o.source = 'online'),
        'dismissed', n.setup_dismissed,
        'slug', (SELECT u.slug FROM tenant_slugs u WHERE u.tenant_id = $1 AND u.is_current),
        'is_page_shown', NOT EXISTS (SELECT FROM booking_page_settings g WHERE g.tenant_id = $1 AND NOT g.shown)
        )::text AS document
    FROM tenants n WHERE n.id = $1"""


def find_problems(meant: Sequence[str]) -> Query[SetupProblems]:
    """`meant` are the reasons of webhooks that were switched off on purpose."""
    return Query(_PROBLEMS, (list(meant),), decoded(SetupProblems))


def find_week(branch_id: UUID) -> Query[BranchWeek | None]:
    """Of one branch, for the page of its hours; None where nothing can be booked."""
    return Query(
        f"""
        SELECT (SELECT {_WEEK} FROM branches b WHERE b.tenant_id = $1 AND b.id = $2 AND {_BOOKED})::text AS document
        """,
        (branch_id,),
        lambda row: msgspec.json.decode(row["document"], type=BranchWeek) if row and row["document"] else None,
    )


def is_service(item_id: UUID) -> Query[bool]:
    return Query(
        "SELECT FROM items WHERE tenant_id = $1 AND id = $2 AND type = 'service'",
        (item_id,),
        lambda row: row is not None,
    )


def can_link(user_id: UUID, staff_id: UUID) -> Query[bool]:
    """Whether a provider and a staff member are without each other."""
    return Query(
        f"""
        SELECT FROM memberships o JOIN staff f ON f.tenant_id = $1 AND f.id = $3
        WHERE o.tenant_id = $1 AND o.user_id = $2 AND {PROVIDER_WITHOUT_STAFF} AND {STAFF_WITHOUT_MEMBER}
        """,
        (user_id, staff_id),
        lambda row: row is not None,
    )
