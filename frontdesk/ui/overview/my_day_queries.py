"""What a provider must know about the customers of a day, and the own tips and time off."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded

_SHOWN = 5  # times off to come


class CustomerFacts(msgspec.Struct, frozen=True):
    order_id: str
    customer_id: UUID | None
    allergies: str | None
    warnings: list[str]
    note: str | None  # of the order
    visits: int  # before this one
    last_visit: datetime | None


class MyTimeOff(msgspec.Struct, frozen=True):
    starts: datetime
    ends: datetime
    status: str


class MyDayFacts(msgspec.Struct, frozen=True):
    customers: list[CustomerFacts]
    tips: Decimal  # of the last seven days
    time_off: list[MyTimeOff]


def get_my_day_facts(staff_id: UUID, starts: datetime, ends: datetime) -> Query[MyDayFacts]:
    """Of the bookings of a staff member that begin in this time."""
    return Query(_FACTS, (staff_id, starts, ends), decoded(MyDayFacts))


_FACTS = f"""
    WITH own AS MATERIALIZED (
        SELECT DISTINCT k.order_id FROM bookings k
        WHERE k.tenant_id = $1 AND k.staff_id = $2 AND k.is_active
          AND lower(k.during) >= $3 AND lower(k.during) < $4
    )
    SELECT json_build_object(
        'customers', (SELECT coalesce(json_agg(json_build_object('order_id', o.id, 'customer_id', o.customer_id,
                'note', o.note, 'visits', coalesce(v.visits, 0), 'last_visit', format_utc(v.last_visit),
                'allergies', (SELECT c.allergies FROM customers c WHERE c.tenant_id = $1 AND c.id = o.customer_id),
                'warnings', (SELECT coalesce(json_agg(n.text ORDER BY n.created_at), '[]') FROM customer_notes n
                    WHERE n.tenant_id = $1 AND n.customer_id = o.customer_id AND n.is_warning))), '[]')
            FROM own JOIN orders o ON o.tenant_id = $1 AND o.id = own.order_id
            LEFT JOIN LATERAL (
                SELECT count(*) AS visits, max(p.starts_at) AS last_visit FROM orders p
                WHERE p.tenant_id = $1 AND p.customer_id = o.customer_id AND p.starts_at < o.starts_at
                  AND p.status NOT IN ('draft', 'canceled') AND p.parent_id IS NULL
            ) v ON true),
        'tips', (SELECT coalesce(sum(amount), 0) FROM tips
            WHERE tenant_id = $1 AND staff_id = $2 AND created_at >= $4::timestamptz - interval '7 days'),
        'time_off', (SELECT coalesce(json_agg(json_build_object('starts', format_utc(lower(f.during)),
                'ends', format_utc(upper(f.during)), 'status', f.status) ORDER BY lower(f.during)), '[]')
            FROM (SELECT * FROM time_off WHERE tenant_id = $1 AND staff_id = $2 AND upper(during) > now()
                    AND status IN ('requested', 'approved') ORDER BY upper(during) LIMIT {_SHOWN}) f)
    )::text AS document"""
