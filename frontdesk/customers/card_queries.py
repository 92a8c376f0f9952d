"""Reads one customer with everything that the dashboard shows."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.auth.customer_reads import ShownFields
from frontdesk.customers.balance_queries import OWED
from frontdesk.customers.favorite_queries import FAVORITE, USUAL, Provider
from frontdesk.customers.list_queries import VISITED, ListedTag
from frontdesk.customers.types import ConsentChannel
from frontdesk.postgres.query import Query, optional_decoded
from frontdesk.values.pagination import PageRequest

_MIN_VISITS = 3  # fewer have no rhythm
_MAX_AHEAD = 50
_MAX_DUPLICATES = 3
_MAX_LIKE = 20
_MAX_NOTES = 200


class Visit(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    at: datetime
    items: list[str]
    staff: list[str]
    status: str
    payment_status: str
    total: Decimal


class CardNote(msgspec.Struct, frozen=True):
    id: UUID
    text: str
    is_warning: bool
    author: str | None
    created_at: datetime


class Consent(msgspec.Struct, frozen=True):
    how: ConsentChannel
    given_at: datetime
    recorded_by: str | None
    withdrawn_at: datetime | None
    withdrawn_by: str | None


class Duplicate(msgspec.Struct, frozen=True):
    """Another record that may be the same person."""

    id: UUID
    name: str
    phone: str | None
    email: str | None
    visits: int


class OpenOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: int


class Read(msgspec.Struct, frozen=True):
    """What a program was shown of the customer."""

    fields: ShownFields
    first_on: date
    last_on: date
    days: int


class Reader(msgspec.Struct, frozen=True):
    """A program that can read the customer or has: an installed application, or an API client of the business."""

    name: str
    install_id: UUID | None
    scopes: list[str]  # those with which it sees the customer; empty: not any more
    reads: list[Read]


class CustomerCard(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    first_name: str
    last_name: str | None
    email: str | None
    phone: str | None
    phone_country: str | None
    type: str
    city: str | None
    address: str | None
    note: str | None
    tax_registration_number: str | None
    birthday: str | None  # as in values/birthdays.py
    allergies: str | None
    favorite: Provider | None  # chosen by hand
    usual: Provider | None  # who has served the customer most in the last year
    blocked: bool
    blocked_reason: str | None
    created_at: datetime
    erased_at: datetime | None
    tags: list[ListedTag]
    other_tags: list[str]
    notes: list[CardNote]  # newest first
    consents: list[Consent]  # newest first
    visits: int
    first_visit: datetime | None
    last_visit: datetime | None
    booked: int
    missed: int
    spent: Decimal
    refunded: Decimal
    unpaid: Decimal
    unpaid_orders: list[OpenOrder]
    account_limit: Decimal | None  # None: buys nothing on account
    owes: Decimal  # on account; part of what is unpaid
    past: list[Visit]  # one page, newest first
    past_total: int
    upcoming_visits: list[Visit]
    canceled_ahead: list[Visit]  # canceled, and their time has not come
    duplicates: list[Duplicate]
    is_own: bool  # has visited the staff member who asks, or will
    readers: list[Reader]

    @property
    def days_between_visits(self) -> int | None:
        """On average; None after fewer than three visits."""
        if self.visits < _MIN_VISITS or self.first_visit is None or self.last_visit is None:
            return None
        return round((self.last_visit - self.first_visit).days / (self.visits - 1)) or None

    @property
    def due_at(self) -> datetime | None:
        """When the next visit is due, if none is booked."""
        days = self.days_between_visits
        if self.upcoming_visits or not days or self.last_visit is None:
            return None
        return self.last_visit + timedelta(days=days)

    @property
    def name(self) -> str:
        return " ".join(filter(None, [self.first_name, self.last_name]))

    @property
    def warnings(self) -> list[CardNote]:
        return [note for note in self.notes if note.is_warning]

    @property
    def consent(self) -> Consent | None:
        """The one that holds."""
        return next((consent for consent in self.consents if consent.withdrawn_at is None), None)


# A line stores its name in the tenant's first language; in other languages it has the current name in the catalog.
_ITEMS = """ARRAY(
    SELECT coalesce(coalesce(i.name, g.name)->>$3::text, l.name) FROM order_lines l
    LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
    LEFT JOIN packages g ON g.tenant_id = $1 AND g.id = l.package_id
    WHERE l.tenant_id = $1 AND l.order_id = o.id ORDER BY l.position LIMIT 4)"""
_STAFF = """ARRAY(
    SELECT DISTINCT p.name FROM order_lines l JOIN staff p ON p.tenant_id = $1 AND p.id = l.staff_id
    WHERE l.tenant_id = $1 AND l.order_id = o.id)"""
_VISIT = f"""json_build_object(
    'id', o.id, 'number', o.order_number, 'at', format_utc(coalesce(o.starts_at, o.created_at)), 'items', {_ITEMS},
    'staff', {_STAFF}, 'status', o.status, 'payment_status', o.payment_status, 'total', o.total::text)"""
# Orders contain their customer too.
_READERS = """(
    SELECT coalesce(json_agg(json_build_object('name', a.name, 'install_id', a.install_id, 'scopes', a.seen,
                             'reads', coalesce(a.reads, '[]')) ORDER BY a.name, a.id), '[]')
    FROM (SELECT id, name, install_id, ARRAY(
              SELECT scope FROM unnest(ARRAY['customer_notes:read', 'customers:read', 'orders:read']) AS scope
              WHERE scopes && ARRAY['*', scope] AND disabled_at IS NULL AND disconnected_at IS NULL
              ORDER BY scope) AS seen, reads_of_customer($1, $2, id) AS reads
          FROM api_clients WHERE tenant_id = $1) a
    WHERE a.seen <> '{}' OR a.reads IS NOT NULL)"""
_PAST = f"""(
    SELECT coalesce(json_agg({_VISIT} ORDER BY coalesce(o.starts_at, o.created_at) DESC, o.order_number DESC), '[]')
    FROM (SELECT * FROM own WHERE NOT is_ahead
          ORDER BY coalesce(starts_at, created_at) DESC, order_number DESC OFFSET $4 LIMIT $5) o)"""
_AHEAD = f"""(
    SELECT coalesce(json_agg({_VISIT} ORDER BY o.starts_at, o.order_number), '[]')
    FROM (SELECT * FROM own WHERE is_ahead AND (status = 'canceled') = {{}}
          ORDER BY starts_at, order_number LIMIT {_MAX_AHEAD}) o)"""
_UPCOMING, _CANCELED_AHEAD = _AHEAD.format("false"), _AHEAD.format("true")
# A booking that was canceled after its time had come was missed.
_MISSED = """(
    SELECT count(*) FROM own o WHERE o.status = 'canceled' AND o.starts_at IS NOT NULL AND EXISTS (
        SELECT FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.to_status = 'canceled'
            AND h.created_at >= o.starts_at))"""
_OPEN = "status NOT IN ('draft', 'canceled') AND total > paid_amount"
_TAGS = """(
    SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name_folded), '[]')
    FROM customer_tags x JOIN tags t ON t.tenant_id = $1 AND t.id = x.tag_id
    WHERE x.tenant_id = $1 AND x.customer_id = c.id)"""
_OTHER_TAGS = """ARRAY(
    SELECT t.name FROM tags t WHERE t.tenant_id = $1 AND t.model = 'customers' AND NOT EXISTS (
        SELECT FROM customer_tags x WHERE x.tenant_id = $1 AND x.customer_id = c.id AND x.tag_id = t.id)
    ORDER BY t.name_folded LIMIT 200)"""
_NOTES = f"""(
    SELECT coalesce(json_agg(json_build_object('id', n.id, 'text', n.text, 'is_warning', n.is_warning,
        'author', u.name, 'created_at', format_utc(n.created_at)) ORDER BY n.created_at DESC, n.id DESC), '[]')
    FROM (SELECT * FROM customer_notes WHERE tenant_id = $1 AND customer_id = c.id
          ORDER BY is_warning DESC, created_at DESC LIMIT {_MAX_NOTES}) n LEFT JOIN users u ON u.id = n.author_id)"""
_CONSENTS = """(
    SELECT coalesce(json_agg(json_build_object('how', k.how, 'given_at', format_utc(k.given_at),
        'recorded_by', r.name, 'withdrawn_at', format_utc(k.withdrawn_at), 'withdrawn_by', w.name)
        ORDER BY k.given_at DESC), '[]')
    FROM customer_consents k LEFT JOIN users r ON r.id = k.recorded_by LEFT JOIN users w ON w.id = k.withdrawn_by
    WHERE k.tenant_id = $1 AND k.customer_id = c.id)"""
# The same name or e-mail address, or a phone number with the same last seven digits. Each is found by its own index.
_DUPLICATES = f"""(
    SELECT coalesce(json_agg(json_build_object('id', d.id, 'name', concat_ws(' ', d.first_name, d.last_name),
        'phone', d.phone, 'email', d.email, 'visits', (
            SELECT count(*) FROM orders WHERE tenant_id = $1 AND customer_id = d.id AND {VISITED}))
        ORDER BY d.created_at, d.id), '[]')
    FROM (
        SELECT id FROM (
            (SELECT id FROM customers WHERE tenant_id = $1
               AND left(fold_text(name_search), 600) = left(fold_text(c.name_search), 600) LIMIT {_MAX_LIKE})
            UNION (SELECT id FROM customers WHERE tenant_id = $1 AND lower(email) = lower(c.email) LIMIT {_MAX_LIKE})
            UNION (SELECT id FROM customers
               WHERE tenant_id = $1 AND right(phone_digits, 7) = right(c.phone_digits, 7) LIMIT {_MAX_LIKE})) alike
        WHERE id <> c.id AND NOT EXISTS (
            SELECT FROM distinct_customers p WHERE p.tenant_id = $1
              AND p.customer_id = least(c.id, alike.id) AND p.other_id = greatest(c.id, alike.id))
        ORDER BY id LIMIT {_MAX_DUPLICATES}) f
    JOIN customers d ON d.tenant_id = $1 AND d.id = f.id
    WHERE c.erased_at IS NULL AND d.erased_at IS NULL)"""


def customer_card(
    customer_id: UUID, page_request: PageRequest, language: str | None, staff_id: UUID | None
) -> Query[CustomerCard | None]:
    """`page_request` is for the visits until now. With `staff_id`, only the visits of that staff member are read.

    `language` is for the names of the lines; None means the tenant's first language.
    """
    return Query(
        f"""
        WITH own AS MATERIALIZED (
            SELECT *, coalesce(starts_at > now(), false) AND status <> 'completed' AS is_ahead
            FROM orders o WHERE o.tenant_id = $1 AND o.customer_id = $2 AND o.parent_id IS NULL
              AND ($6::uuid IS NULL OR EXISTS (
                SELECT FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id AND l.staff_id = $6))
        ), sums AS (
            SELECT count(*) FILTER (WHERE {VISITED}) AS visits,
                   min(coalesce(starts_at, created_at)) FILTER (WHERE {VISITED}) AS first_visit,
                   max(coalesce(starts_at, created_at)) FILTER (WHERE {VISITED}) AS last_visit,
                   count(*) FILTER (WHERE starts_at IS NOT NULL AND status <> 'draft') AS booked, count(*) AS orders,
                   count(*) FILTER (WHERE NOT is_ahead) AS past,
                   coalesce(sum(paid_amount - refunded_amount), 0) AS spent,
                   coalesce(sum(refunded_amount), 0) AS refunded,
                   coalesce(sum(total - paid_amount) FILTER (WHERE {_OPEN}), 0) AS unpaid,
                   coalesce(sum({OWED}), 0) AS owes
            FROM own o
        )
        SELECT json_build_object(
            'id', c.id, 'version', c.version, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email,
            'phone', c.phone, 'phone_country', c.phone_country, 'type', c.type, 'city', c.city, 'address', c.address,
            'note', c.note, 'tax_registration_number', c.tax_registration_number, 'birthday', c.birthday,
            'allergies', c.allergies, 'favorite', {FAVORITE}, 'usual', {USUAL}, 'blocked', c.blocked,
            'blocked_reason', c.blocked_reason, 'created_at', format_utc(c.created_at),
            'erased_at', format_utc(c.erased_at), 'tags', {_TAGS}, 'other_tags', {_OTHER_TAGS}, 'notes', {_NOTES},
            'consents', {_CONSENTS}, 'visits', s.visits, 'first_visit', format_utc(s.first_visit),
            'last_visit', format_utc(s.last_visit), 'booked', s.booked, 'readers', {_READERS}, 'missed', {_MISSED},
            'spent', s.spent::text, 'refunded', s.refunded::text, 'unpaid', s.unpaid::text,
            'account_limit', c.account_limit::text, 'owes', s.owes::text,
            'unpaid_orders', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'number', o.order_number)), '[]')
                FROM (SELECT id, order_number FROM own WHERE {_OPEN} ORDER BY order_number LIMIT 3) o),
            'past', {_PAST}, 'past_total', s.past, 'upcoming_visits', {_UPCOMING},
            'canceled_ahead', {_CANCELED_AHEAD}, 'duplicates', {_DUPLICATES}, 'is_own', s.orders > 0)::text AS document
        FROM customers c, sums s WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id, language, page_request.offset, page_request.per_page, staff_id),
        optional_decoded(CustomerCard),
    )


def customer_with_phone(digits: str) -> Query[tuple[UUID, str] | None]:
    """The id and the name of the customer who has the number."""
    return Query(
        """
        SELECT id, concat_ws(' ', first_name, last_name) AS name
        FROM customers WHERE tenant_id = $1 AND phone_digits = $2
        """,
        (digits,),
        lambda row: None if row is None else (row["id"], row["name"]),
    )
