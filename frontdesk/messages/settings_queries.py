"""Statements about the settings of messages, and what a sample of a message needs."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_, translate
from frontdesk.messages.content_queries import read_business, read_settings
from frontdesk.messages.types import Appointment, BookedService, Business, MessageSettings
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, found, json_bytes
from frontdesk.problems import not_found

_NAMES = msgspec.json.Decoder(dict[str, str])
_SAMPLE_NUMBER = 1049
_SAMPLE_PRICE = Decimal(180)


class NoticeSettings(msgspec.Struct, frozen=True):
    settings: MessageSettings
    business: Business
    sample: Appointment  # tomorrow's first service, with the names of the business


def settings_to_change() -> Query[MessageSettings]:
    return Query(
        """
        SELECT s.*, coalesce(s.version, 0) AS settings_version
        FROM (SELECT 1) one LEFT JOIN message_settings s ON s.tenant_id = $1
        """,
        (),
        lambda row: read_settings(row) if row else MessageSettings(),
    )


def published_message_settings() -> Query[bytes]:
    return Query(f"SELECT {json_bytes('message_settings_document($1, $1)')} AS document", (), document("business"))


async def find_notice_settings(conn: Connection, tenant_id: UUID, now: datetime) -> NoticeSettings:
    row = await conn.fetchrow(
        """
        SELECT n.name, n.timezone, n.currency, n.currency_decimals, n.languages, n.accent, n.cancellation_hours, u.slug,
               s.confirmation, s.change, s.cancellation, s.reminder, s.birthday, s.for_applications, s.reminder_hours,
               s.quiet_from, s.quiet_until, s.texts, coalesce(s.version, 0) AS settings_version, b.name AS branch,
               b.address, b.phone, i.names, i.duration, f.name AS provider
        FROM tenants n
        LEFT JOIN tenant_slugs u ON u.tenant_id = n.id AND u.is_current
        LEFT JOIN message_settings s ON s.tenant_id = n.id
        LEFT JOIN LATERAL (SELECT name, address, phone FROM branches
                           WHERE tenant_id = $1 AND status ORDER BY created_at LIMIT 1) b ON true
        LEFT JOIN LATERAL (SELECT name AS names, duration FROM items
                           WHERE tenant_id = $1 AND type = 'service' ORDER BY sort_order, id LIMIT 1) i ON true
        LEFT JOIN LATERAL (SELECT name FROM staff
                           WHERE tenant_id = $1 AND active ORDER BY sort_order, id LIMIT 1) f ON true
        WHERE n.id = $1
        """,
        tenant_id,
    )
    if row is None:
        raise not_found("business")
    return NoticeSettings(read_settings(row), read_business(row), _sample(row, now))


def _sample(row: Record, now: datetime) -> Appointment:
    start = now.replace(minute=15, second=0, microsecond=0) + timedelta(days=2)
    sample = {language: translate(language, N_("Cut and blow-dry")) for language in LANGUAGES}
    names = _NAMES.decode(row["names"]) if row["names"] else sample
    return Appointment(
        number=_SAMPLE_NUMBER,
        status="confirmed",
        version=1,
        changed_at=now,
        starts_at=start,
        ends_at=start + timedelta(minutes=row["duration"] or 60),
        services=(BookedService(names, row["provider"] or ""),),
        total=_SAMPLE_PRICE,
        paid=Decimal(),
        branch=row["branch"] or "",
        address=row["address"],
        phone=row["phone"],
        map_url=None,
        code="7QM2XV9KLR3T8W5N",
    )


class UnsubscribeLink(NamedTuple):
    is_of_news: bool  # otherwise of reminders
    are_stopped: bool


def find_unsubscribe_token(code: str) -> Query[UnsubscribeLink]:
    """404 if the link leads nowhere."""

    return Query(
        """
        SELECT m.kind = 'birthday' AS is_of_news, CASE WHEN m.kind <> 'birthday' THEN c.reminders_stopped_at IS NOT NULL
            ELSE NOT EXISTS (SELECT k.id FROM customer_consents k WHERE k.tenant_id = $1 AND k.customer_id = c.id
                AND k.withdrawn_at IS NULL) END AS stopped
        FROM messages m JOIN customers c ON c.tenant_id = $1 AND c.id = m.customer_id
        WHERE m.tenant_id = $1 AND m.unsubscribe_token = $2
        """,
        (code,),
        found("page", lambda row: UnsubscribeLink(row["is_of_news"], row["stopped"])),
    )


class WaitingCustomer(NamedTuple):
    email: str | None  # of the customer, if they may get mail
    performs: bool  # the provider of the time that is offered
    minutes: int  # of all services
    offers: int  # to the customer in the last 24 hours
    offered: Sequence[datetime]  # starts that were offered for the same entry


def find_waiting(entry_id: UUID, staff_id: UUID) -> Query[WaitingCustomer]:
    """What an offer to a customer on the waiting list depends on; 404 if the entry is gone."""

    return Query(
        """
        SELECT CASE WHEN NOT c.blocked THEN c.email END AS email,
            EXISTS (SELECT FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active
                WHERE ss.tenant_id = $1 AND ss.item_id = w.item_id AND ss.staff_id = $3) AS performs,
            (SELECT coalesce(sum(coalesce(ss.duration, i.duration)), 0)::integer
             FROM unnest(w.item_id || w.more_item_ids) n (id)
             JOIN items i ON i.tenant_id = $1 AND i.id = n.id LEFT JOIN staff_services ss
                ON ss.tenant_id = $1 AND ss.item_id = i.id AND ss.staff_id = $3) AS minutes,
            o.recent, o.starts
        FROM waiting_list w JOIN customers c ON c.tenant_id = $1 AND c.id = w.customer_id
        CROSS JOIN LATERAL (
            SELECT recent_offers($1, w.customer_id) AS recent,
                array_agg((m.data ->> 'starts_at')::timestamptz) FILTER (
                    WHERE m.dedup_key LIKE 'offer:' || w.id || ':%') AS starts
            FROM messages m
            WHERE m.tenant_id = $1 AND m.customer_id = w.customer_id AND m.kind = 'waiting_list_offer') o
        WHERE w.tenant_id = $1 AND w.id = $2
        """,
        (entry_id, staff_id),
        found(
            "waiting list entry",
            lambda row: WaitingCustomer(
                row["email"], row["performs"], row["minutes"], row["recent"], row["starts"] or ()
            ),
        ),
    )


def find_message_state(message_id: UUID) -> Query[str]:
    return Query(
        "SELECT state FROM messages WHERE tenant_id = $1 AND id = $2",
        (message_id,),
        found("message", lambda row: str(row["state"])),
    )
