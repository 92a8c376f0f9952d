"""Visits and sales of a branch that are not paid in full."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded
from frontdesk.ui.till.page_queries import BRANCH, TODAY, WAITS
from frontdesk.values.pagination import PageRequest


class WaitingGroup(StrEnum):
    """In the order in which the page shows them."""

    DONE = "done"
    HERE = "here"
    TODAY = "today"  # nobody has come yet
    EARLIER = "earlier"


class GroupSum(msgspec.Struct, frozen=True):
    """Of all that wait, also those of other pages."""

    group: WaitingGroup
    visits: int
    left: Decimal


class WaitingVisit(msgspec.Struct, frozen=True):
    id: UUID
    group: WaitingGroup
    number: int
    at: datetime
    customer: str | None
    phone: str | None
    items: list[str]
    staff: list[str]
    status: str
    payment_status: str
    left: Decimal


class WaitingVisits(msgspec.Struct, frozen=True):
    """By group; those of today in the order of their time, earlier ones the newest first."""

    rows: list[WaitingVisit]
    groups: list[GroupSum]
    total: int
    left: Decimal  # of all


_GROUP = f"""CASE WHEN coalesce(o.starts_at, o.created_at) < lower({TODAY}) THEN 'earlier'
    WHEN o.status = 'completed' OR o.starts_at IS NULL THEN 'done'
    WHEN o.status = 'in-progress' OR o.arrived_at IS NOT NULL THEN 'here' ELSE 'today' END"""
_ORDER = f"""array_position(ARRAY[{", ".join(f"'{group}'" for group in WaitingGroup)}], f.part),
    CASE WHEN f.part <> 'earlier' THEN f.at END, f.at DESC, f.id"""


def list_waiting(
    branch_id: UUID | None, words: Sequence[str], number: int | None, language: str | None, page: PageRequest
) -> Query[WaitingVisits]:
    """`words` occur in the customer's name, e-mail address or phone number; `number` is that of the order."""
    return Query(
        f"""
        WITH branch AS MATERIALIZED ({BRANCH}), found AS MATERIALIZED (
            SELECT o.id, o.order_number, coalesce(o.starts_at, o.created_at) AS at, o.status, o.payment_status,
                o.total - o.paid_amount AS owed, {_GROUP} AS part,
                concat_ws(' ', c.first_name, c.last_name) AS customer, c.phone
            FROM orders o LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
            WHERE o.tenant_id = $1 AND o.branch_id = (SELECT id FROM branch) AND {WAITS}
              AND ($3::text[] = '{{}}' OR o.order_number = $4
                OR (SELECT bool_and(position(w IN c.search_text) > 0) FROM unnest($3) w))
        ), page AS (
            SELECT f.* FROM found f ORDER BY {_ORDER} OFFSET $6 LIMIT $7)
        SELECT json_build_object(
            'total', (SELECT count(*) FROM found), 'left', (SELECT coalesce(sum(owed), 0) FROM found)::text,
            'groups', (SELECT coalesce(json_agg(json_build_object('group', g.part, 'visits', g.visits,
                    'left', g.owed::text)), '[]')
                FROM (SELECT part, count(*) AS visits, sum(owed) AS owed FROM found GROUP BY part) g),
            'rows', (SELECT coalesce(json_agg(json_build_object(
                    'id', f.id, 'group', f.part, 'number', f.order_number, 'at', format_utc(f.at), 'status', f.status,
                    'payment_status', f.payment_status, 'left', f.owed::text, 'customer', nullif(f.customer, ''),
                    'phone', f.phone,
                    'items', ARRAY(SELECT coalesce(coalesce(i.name, p.name) ->> $5::text, l.name) FROM order_lines l
                        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
                        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
                        WHERE l.tenant_id = $1 AND l.order_id = f.id ORDER BY l.position LIMIT 3),
                    'staff', ARRAY(SELECT DISTINCT s.name FROM order_lines l
                        JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id
                        WHERE l.tenant_id = $1 AND l.order_id = f.id))
                ORDER BY {_ORDER}), '[]') FROM page f)
            )::text AS document
        """,
        (branch_id, list(words), number, language, page.offset, page.per_page),
        decoded(WaitingVisits),
    )
