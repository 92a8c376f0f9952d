"""One statement for all that an explanation names."""

from datetime import datetime
from uuid import UUID

from frontdesk.availability.explained_facts import StartFacts
from frontdesk.availability.held import Holds
from frontdesk.postgres.query import Query, decoded


def start_facts(
    service_id: UUID,
    staff_id: UUID | None,
    first: datetime,
    last: datetime,
    holds: Holds,
    *,
    with_orders: bool = True,
    with_customers: bool = True,
) -> Query[StartFacts]:
    """Of the branch of the service from `first` to `last`, or of one provider; inactive ones only if they perform it
    or are asked about.

    Orders are left out for those who may not read them, and customers likewise.
    """
    args = (service_id, staff_id, first, last, with_orders, with_orders and with_customers)
    return Query(_FACTS[holds], args, decoded(StartFacts))


_OCCUPIED = """
            SELECT m.id AS staff_id, 'booking' AS by, lower(k.during) AS starts, upper(k.during) AS ends,
                   lower(k.taken) AS busy_from, upper(k.taken) AS busy_until, k.order_id, NULL AS note,
                   NULL::timestamptz AS until
            FROM members m
            JOIN LATERAL (
                SELECT *, CASE WHEN b.is_extra THEN b.during ELSE b.busy END AS taken FROM bookings b
                WHERE b.tenant_id = $1 AND b.staff_id = m.id AND b.is_active) k ON k.taken && tstzrange($4, $5)
            UNION ALL
            SELECT m.id, CASE WHEN t.status = 'outside' THEN 'external' ELSE 'time_off' END, lower(t.during),
                   upper(t.during), lower(t.during), upper(t.during), NULL, t.note, NULL
            FROM members m
            JOIN time_off t ON t.tenant_id = $1 AND t.staff_id = m.id AND t.status IN ('approved', 'outside')
                AND t.during && tstzrange($4, $5)
            UNION ALL
            SELECT m.id, 'hold', coalesce(h.starts_at, lower(h.busy)), coalesce(h.ends_at, upper(h.busy)),
                   lower(h.busy), upper(h.busy), NULL, NULL, h.expires_at
            FROM members m
            JOIN holds h ON h.tenant_id = $1 AND h.staff_id = m.id AND h.expires_at > clock_timestamp()
                AND h.busy && tstzrange($4, $5) AND {holds}"""
_SQL = f"""
    WITH chosen AS MATERIALIZED (
        SELECT i.branch_id, b.status FROM items i JOIN branches b ON b.tenant_id = $1 AND b.id = i.branch_id
        WHERE i.tenant_id = $1 AND i.id = $2
    ), members AS MATERIALIZED (
        SELECT s.id, s.name, s.active, s.branch_id, ss.item_id IS NOT NULL AS performs, s.sort_order, s.name_search
        FROM staff s LEFT JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = $2 AND ss.staff_id = s.id
        WHERE s.tenant_id = $1 AND ($3::uuid IS NULL OR s.id = $3)
          AND (s.branch_id = (SELECT branch_id FROM chosen) AND s.active OR ss.item_id IS NOT NULL OR s.id = $3)
    ), occupied AS (
        SELECT taken.*, o.order_number, CASE WHEN c.id IS NOT NULL THEN json_build_object(
                'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name) END AS customer
        FROM ({_OCCUPIED}) taken
        LEFT JOIN orders o ON o.tenant_id = $1 AND o.id = taken.order_id AND $6
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id AND $7
    )
    SELECT convert_to(json_build_object(
        'staff', (SELECT coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'active', m.active,
                'branch_id', m.branch_id, 'performs', m.performs)
                ORDER BY m.sort_order, m.name_search COLLATE "C", m.id), '[]') FROM members m),
        'is_branch_active', coalesce((SELECT status FROM chosen), false),
        'closed', (SELECT coalesce(json_object_agg(d.day, d.note), '{{{{}}}}')
            FROM chosen JOIN closed_days d ON d.tenant_id = $1 AND d.branch_id = chosen.branch_id
                AND d.day BETWEEN $4::date - 1 AND $5::date + 1),
        'exceptions', (
            SELECT coalesce(json_agg(json_build_array(coalesce(e.staff_id, e.branch_id), e.day, e.note)), '[]')
            FROM hour_exceptions e WHERE e.tenant_id = $1 AND e.note IS NOT NULL
                AND e.day BETWEEN $4::date - 1 AND $5::date + 1
                AND (e.branch_id = (SELECT branch_id FROM chosen) OR e.staff_id IN (SELECT id FROM members))),
        'occupied', (SELECT coalesce(json_agg(json_build_object('staff_id', t.staff_id, 'by', t.by,
                'start', format_utc(t.starts), 'end', format_utc(t.ends), 'busy_from', format_utc(t.busy_from),
                'busy_until', format_utc(t.busy_until), 'order_id', CASE WHEN $6 THEN t.order_id END,
                'order_number', t.order_number, 'customer', t.customer, 'note', t.note,
                'until', format_utc(t.until)) ORDER BY t.starts, t.staff_id), '[]') FROM occupied t)
        )::text, 'UTF8') AS document"""
_FACTS = {holds: _SQL.format(holds=holds.value) for holds in Holds}
