"""Whose birthday is coming."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.customers.list_queries import VISITED
from frontdesk.postgres.query import Query, decoded

MAX_BIRTHDAYS = 500


class ComingBirthday(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone: str | None
    birthday: str
    last_visit: datetime | None
    gets_greeting: bool  # has an e-mail address and agreed to news


class ComingBirthdays(msgspec.Struct, frozen=True):
    is_greeting_on: bool  # whether the business sends one
    customers: list[ComingBirthday]


def coming_birthdays(days: Sequence[str]) -> Query[ComingBirthdays]:
    """Of customers who were born on one of these days of the year (`days_of_year`), except blocked ones."""
    return Query(
        f"""
        SELECT json_build_object(
            'is_greeting_on', coalesce((SELECT s.birthday FROM message_settings s WHERE s.tenant_id = $1), false),
            'customers', (SELECT coalesce(json_agg(json_build_object('id', c.id,
                'name', concat_ws(' ', c.first_name, c.last_name), 'phone', c.phone, 'birthday', c.birthday,
                'last_visit', (SELECT format_utc(max(coalesce(starts_at, created_at))) FROM orders
                    WHERE tenant_id = $1 AND customer_id = c.id AND {VISITED}),
                'gets_greeting', c.email IS NOT NULL AND EXISTS (SELECT k.id FROM customer_consents k
                    WHERE k.tenant_id = $1 AND k.customer_id = c.id AND k.withdrawn_at IS NULL))
                ORDER BY c.name_search, c.id), '[]')
            FROM (SELECT * FROM customers WHERE tenant_id = $1 AND "right"(birthday, 5) = ANY ($2::text[])
                AND NOT blocked LIMIT {MAX_BIRTHDAYS}) c))::text AS document
        """,
        (list(days),),
        decoded(ComingBirthdays),
    )
