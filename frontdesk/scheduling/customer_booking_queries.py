"""A booking as its customer sees it without an account, and all coming ones of an e-mail address."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.auth.customer_reads import EVERYONE, ShownFields
from frontdesk.orders.types import Status
from frontdesk.postgres.query import Query, optional_decoded


class CustomerBookingService(msgspec.Struct, frozen=True):
    line_id: UUID
    item_id: UUID
    names: dict[str, str]  # by language
    option_ids: list[UUID]
    options: list[dict[str, str]]
    quantity: int
    staff_id: UUID
    staff: str
    starts_at: datetime
    ends_at: datetime


class CustomerBookingBranch(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    address: str | None
    phone: str | None
    location: str | None  # a link to a map
    latitude: Decimal | None
    longitude: Decimal | None


class CustomerBooking(msgspec.Struct, frozen=True):
    id: UUID
    code: str
    version: int
    number: int
    status: Status
    is_online: bool  # booked by the customer
    currency: str
    total: Decimal
    paid_amount: Decimal
    refunded_amount: Decimal
    is_deposit: bool  # what is paid does not settle the order
    first_name: str
    name: str
    email: str | None
    starts_at: datetime
    created_at: datetime
    changed_at: datetime
    arrived: bool
    invoiced: bool
    canceled_at: datetime | None
    canceled_by_customer: bool
    mailed: list[str]  # the kinds of messages that are on their way or were sent
    branch: CustomerBookingBranch
    services: list[CustomerBookingService]
    products: list[dict[str, str]]  # their names

    @property
    def ends_at(self) -> datetime:
        return max((service.ends_at for service in self.services), default=self.starts_at)

    @property
    def remaining(self) -> Decimal:
        return Decimal(0) if self.status is Status.CANCELED else max(self.total - self.paid_amount, Decimal(0))

    @property
    def to_give_back(self) -> Decimal:
        """What the business still has of a canceled booking."""
        return self.paid_amount - self.refunded_amount if self.status is Status.CANCELED else Decimal(0)

    @property
    def staff(self) -> list[str]:
        """Each once, in the order of the services."""
        return list(dict.fromkeys(service.staff for service in self.services))


_SERVICES = """(
    SELECT coalesce(json_agg(json_build_object(
        'line_id', l.id, 'item_id', k.item_id, 'names', i.name, 'option_ids', l.option_ids, 'options', ARRAY(
            SELECT v.name FROM item_options v WHERE v.tenant_id = $1 AND v.id = ANY (l.option_ids)),
        'quantity', l.quantity, 'staff_id', k.staff_id, 'staff', coalesce(s.names ->> $3, s.name),
        'starts_at', format_utc(lower(k.during)), 'ends_at', format_utc(upper(k.during)))
        ORDER BY lower(k.during), l.position), '[]')
    FROM bookings k
    JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
    JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
    JOIN staff s ON s.tenant_id = $1 AND s.id = k.staff_id
    WHERE k.tenant_id = $1 AND k.order_id = o.id)"""
_BOOKING = f"""json_build_object(
    'id', o.id, 'code', w.code, 'version', o.version, 'number', o.order_number, 'status', o.status,
    'is_online', o.source = 'online',
    'currency', o.currency, 'total', o.total::text, 'paid_amount', o.paid_amount::text,
    'refunded_amount', o.refunded_amount::text, 'is_deposit', o.paid_amount < o.total,
    'first_name', coalesce(c.first_name, ''), 'name', concat_ws(' ', c.first_name, c.last_name),
    'email', message_address(o.created_by_type, o.contact_email, c.email),
    'starts_at', format_utc(o.starts_at), 'created_at', format_utc(o.created_at),
    'changed_at', format_utc(o.updated_at), 'arrived', o.arrived_at IS NOT NULL,
    'invoiced', EXISTS (SELECT FROM invoices v WHERE v.tenant_id = $1 AND v.order_id = o.id),
    'canceled_at', CASE WHEN o.status = 'canceled' THEN (
        SELECT format_utc(max(h.created_at)) FROM order_status_history h
        WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.to_status = 'canceled') END,
    'canceled_by_customer', o.status = 'canceled' AND EXISTS (
        SELECT FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.to_status = 'canceled'
        AND h.changed_by_type = 'customer'),
    'mailed', ARRAY(SELECT m.kind FROM messages m
        WHERE m.tenant_id = $1 AND m.order_id = o.id AND m.state IN ('due', 'sent', 'handled')),
    'branch', json_build_object('id', b.id, 'name', coalesce(b.names ->> $3, b.name), 'address', b.address,
        'phone', b.phone, 'location', b.location, 'latitude', b.latitude::text, 'longitude', b.longitude::text),
    'services', {_SERVICES},
    'products', (SELECT coalesce(json_agg(coalesce(i.name, p.name) ORDER BY l.position), '[]')
        FROM order_lines l LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
        WHERE l.tenant_id = $1 AND l.order_id = o.id AND l.type <> 'service'))"""
# A person who knows a customer's phone number can book for them. They get a code, but neither the name nor the address
# that the business knows: a customer who books online is shown only if the booking has created them.
_FROM = """booking_links w
    JOIN orders o ON o.tenant_id = $1 AND o.id = w.order_id AND o.status <> 'draft' AND o.starts_at IS NOT NULL
    JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        AND NOT (o.created_by_type = 'customer' AND (c.created_at < o.created_at - interval '10 seconds' OR EXISTS (
            SELECT FROM orders e WHERE e.tenant_id = $1 AND e.customer_id = c.id AND e.created_at < o.created_at)))
    WHERE w.tenant_id = $1"""
_BY_CODE = f"SELECT {_BOOKING}::text AS document FROM {_FROM} AND w.code = $2"
_MAX_LISTED = 50
# Of the customers with this address; files of all customers count since the customer was among them.
_READERS = f"""(
    SELECT coalesce(json_agg(json_build_object('name', g.name, 'fields', g.fields, 'last_on', g.last_on)
                             ORDER BY g.last_on DESC, g.name, g.fields), '[]')
    FROM (
        SELECT CASE WHEN a.install_id IS NOT NULL THEN a.name END AS name, r.fields, max(r.last_on) AS last_on
        FROM customers c
        JOIN customer_reads r ON r.tenant_id = $1 AND r.customer_id IN (c.id, '{EVERYONE}')
            AND r.last_on >= (c.created_at AT TIME ZONE 'UTC')::date
        JOIN api_clients a ON a.tenant_id = $1 AND a.id = r.caller_id
        WHERE c.tenant_id = $1 AND lower(c.email) = lower(k.email) GROUP BY 1, 2) g)"""
_BY_TOKEN = f"""
    SELECT json_build_object('email', k.email, 'readers', {_READERS}, 'bookings', (
        SELECT coalesce(json_agg({_BOOKING} ORDER BY o.starts_at, o.id), '[]') FROM (
            SELECT w.* FROM upcoming_orders_of_email($1, k.email, {_MAX_LISTED}) f
            JOIN booking_links w ON w.tenant_id = $1 AND w.order_id = f) w
        JOIN orders o ON o.tenant_id = $1 AND o.id = w.order_id
        JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id))::text AS document
    FROM booking_list_links k WHERE k.tenant_id = $1 AND k.token_hash = $2 AND k.expires_at > now()"""


class CustomerReader(msgspec.Struct, frozen=True):
    """A program that was shown the customer."""

    name: str | None  # of an application; None: of the business itself
    fields: ShownFields
    last_on: date


class CustomerBookings(msgspec.Struct, frozen=True):
    email: str
    bookings: list[CustomerBooking]
    readers: list[CustomerReader]  # the latest first


def find_customer_booking(code: str, language: str) -> Query[CustomerBooking | None]:
    """The names of the branch and of providers are those of the language."""
    return Query(_BY_CODE, (code, language), optional_decoded(CustomerBooking))


def find_customer_bookings(token_hash: bytes, language: str) -> Query[CustomerBookings | None]:
    """The coming bookings of the e-mail address that the link was sent to."""
    return Query(_BY_TOKEN, (token_hash, language), optional_decoded(CustomerBookings))
