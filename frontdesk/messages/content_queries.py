"""Reads what a message says: the business, its words, and the order as it is now."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.messages.secret_data import decrypt_values
from frontdesk.messages.types import (
    Appointment,
    BookedService,
    Business,
    Content,
    CustomText,
    Message,
    MessageSettings,
    OtherDate,
)
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.records import from_row
from frontdesk.security.encryption import DecryptionFailed, SecretBox
from frontdesk.values.money import deposit_of

_TEXTS = msgspec.json.Decoder(dict[str, dict[str, CustomText]])
_DATA = msgspec.json.Decoder(dict[str, Any])
_SERVICES = msgspec.json.Decoder(tuple[BookedService, ...])
_DATES = msgspec.json.Decoder(tuple[OtherDate, ...])


class _Offer(msgspec.Struct, frozen=True):
    """The `data` of an offer from the waiting list, or of a sample: a time that is not an order."""

    starts_at: datetime
    ends_at: datetime
    services: tuple[BookedService, ...]
    branch: str
    address: str | None = None
    number: int = 0
    phone: str | None = None


async def find_content(conn: Connection, secret_box: SecretBox, tenant_id: UUID, message_id: UUID) -> Content | None:
    row = await conn.fetchrow(
        """
        SELECT m.id, m.tenant_id, m.kind, m.email, m.name AS customer_name, m.language, m.data, m.secret, m.created_at,
               m.order_id, m.customer_id, m.unsubscribe_token,
               coalesce(n.names ->> m.language, n.name) AS name, n.timezone, n.currency, n.currency_decimals,
               n.languages, n.accent, n.cancellation_hours, u.slug, s.confirmation, s.change, s.cancellation,
               s.reminder, s.birthday, s.for_applications, s.reminder_hours, s.quiet_from, s.quiet_until, s.texts,
               coalesce(s.version, 0) AS settings_version, o.order_number, o.status, o.version, o.updated_at,
               o.starts_at, o.total, o.paid_amount, o.source, n.deposit_percent, p.payment_instructions,
               coalesce(b.names ->> m.language, b.name) AS branch, b.address, b.phone, b.location,
               CASE WHEN o.starts_at IS NOT NULL THEN booking_code(m.tenant_id, o.id) END AS code,
               m.kind = 'cancellation' AND EXISTS (SELECT FROM order_status_history h WHERE h.tenant_id = m.tenant_id
                    AND h.order_id = m.order_id AND h.to_status = 'canceled' AND h.changed_by_type = 'customer')
                    AS canceled_by_customer,
               g.to_refund, g.refunded,
               (SELECT max(upper(k.during)) FROM bookings k
                WHERE k.tenant_id = m.tenant_id AND k.order_id = m.order_id) AS ends_at,
               (SELECT json_agg(json_build_object('names', i.name, 'provider', coalesce(f.names ->> m.language, f.name),
                    'options', ARRAY(SELECT q.name FROM item_options q
                        WHERE q.tenant_id = m.tenant_id AND q.id = ANY (l.option_ids))) ORDER BY lower(k.during), k.id)
                FROM bookings k JOIN items i ON i.tenant_id = k.tenant_id AND i.id = k.item_id
                JOIN order_lines l ON l.tenant_id = k.tenant_id AND l.id = k.line_id
                JOIN staff f ON f.tenant_id = k.tenant_id AND f.id = k.staff_id
                WHERE k.tenant_id = m.tenant_id AND k.order_id = m.order_id) AS services,
               (SELECT json_agg(json_build_object('order_id', a.id, 'version', a.version, 'changed_at', a.updated_at,
                    'starts_at', a.starts_at, 'ends_at', (SELECT max(upper(k.during)) FROM bookings k
                        WHERE k.tenant_id = m.tenant_id AND k.order_id = a.id),
                    'code', booking_code(m.tenant_id, a.id)) ORDER BY a.starts_at)
                FROM orders a
                WHERE a.tenant_id = m.tenant_id AND a.starts_at IS NOT NULL
                  AND (a.status = 'canceled') = (m.kind = 'cancellation') AND a.id IN (
                    SELECT value::uuid FROM jsonb_array_elements_text(coalesce(m.data -> 'also', '[]')))) AS also
        FROM messages m
        JOIN tenants n ON n.id = m.tenant_id
        LEFT JOIN tenant_slugs u ON u.tenant_id = m.tenant_id AND u.is_current
        LEFT JOIN message_settings s ON s.tenant_id = m.tenant_id
        LEFT JOIN booking_page_settings p ON p.tenant_id = m.tenant_id
        LEFT JOIN orders o ON o.tenant_id = m.tenant_id AND o.id = m.order_id
        LEFT JOIN branches b ON b.tenant_id = m.tenant_id AND b.id = o.branch_id
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(a.paid_amount - a.refunded_amount), 0) AS to_refund,
                   coalesce(sum(a.refunded_amount), 0) AS refunded
            FROM orders a
            WHERE m.kind = 'cancellation' AND a.tenant_id = m.tenant_id AND a.status = 'canceled' AND a.id IN (
                SELECT m.order_id UNION ALL
                SELECT value::uuid FROM jsonb_array_elements_text(coalesce(m.data -> 'also', '[]')))) g
        WHERE m.tenant_id = $1 AND m.id = $2 AND (m.email IS NOT NULL OR m.phone IS NOT NULL)
        """,
        tenant_id,
        message_id,
    )
    if row is None:
        return None
    try:
        appointment = _appointment(row)
    except msgspec.ValidationError:  # an offer without a provider or a branch, stored before they were checked
        return None
    return Content(_message(row, secret_box), read_business(row), read_settings(row), appointment)


async def find_account_content(conn: Connection, secret_box: SecretBox, message_id: UUID) -> Content | None:
    row = await conn.fetchrow(
        """
        SELECT id, NULL::uuid AS tenant_id, kind, email, name AS customer_name, language, data, secret, created_at,
               NULL::uuid AS order_id, NULL::uuid AS customer_id, NULL AS unsubscribe_token
        FROM account_messages WHERE id = $1
        """,
        message_id,
    )
    return None if row is None else Content(_message(row, secret_box))


def read_settings(row: Record) -> MessageSettings:
    if not row["settings_version"]:
        return MessageSettings()
    return from_row(MessageSettings, row, texts=_TEXTS.decode(row["texts"]), version=row["settings_version"])


def _message(row: Record, secret_box: SecretBox) -> Message:
    secrets = {}
    if row["secret"] is not None:
        try:
            secrets = decrypt_values(secret_box, row["secret"])
        except DecryptionFailed:  # the key was lost: the message says that there was a link, without it
            secrets = {}
    return from_row(Message, row, name=row["customer_name"], data=_DATA.decode(row["data"]), secrets=secrets)


def read_business(row: Record) -> Business:
    return from_row(Business, row, decimals=row["currency_decimals"], languages=tuple(row["languages"]))


def _appointment(row: Record) -> Appointment | None:
    if row["order_id"] is None:
        return _offer(row) if '"starts_at"' in row["data"] else None
    location = row["location"] or ""
    return from_row(
        Appointment,
        row,
        number=row["order_number"],
        changed_at=row["updated_at"],
        services=_SERVICES.decode(row["services"] or "[]"),
        paid=row["paid_amount"],
        map_url=location if location.startswith("https://") else None,
        also=_DATES.decode(row["also"] or "[]"),
        deposit=_deposit(row),
        payment=msgspec.json.decode(row["payment_instructions"] or "{}", type=dict[str, str]),
    )


def _deposit(row: Record) -> Decimal | None:
    if row["source"] != "online" or row["paid_amount"]:
        return None
    return deposit_of(row["total"], row["deposit_percent"], row["currency_decimals"])


def _offer(row: Record) -> Appointment:
    offer = msgspec.json.decode(row["data"], type=_Offer)
    return Appointment(
        number=offer.number,
        status="offered",
        version=0,
        changed_at=row["created_at"],
        starts_at=offer.starts_at,
        ends_at=offer.ends_at,
        services=offer.services,
        total=Decimal(),
        paid=Decimal(),
        branch=offer.branch,
        address=offer.address,
        phone=offer.phone,
        map_url=None,
        code=None,
    )
