"""The provider whom a customer likes: chosen by hand, or seen from the visits."""

from uuid import UUID

import msgspec

from frontdesk.customers.list_queries import VISITED
from frontdesk.postgres.query import Query, decoded

_MIN_VISITS = 2  # with one provider; fewer say nothing
_SEEN = "interval '1 year'"


class Provider(msgspec.Struct, frozen=True):
    id: UUID
    name: str


# Of the customer `c`. Who has left cannot be booked.
FAVORITE = """(
    SELECT json_build_object('id', f.id, 'name', f.name) FROM staff f
    WHERE f.tenant_id = $1 AND f.id = c.favorite_staff_id AND f.active)"""
USUAL = f"""(
    SELECT json_build_object('id', f.id, 'name', f.name) FROM (
        SELECT l.staff_id, count(DISTINCT o.id) AS visits, max(coalesce(o.starts_at, o.created_at)) AS last
        FROM (SELECT * FROM orders WHERE tenant_id = $1 AND customer_id = c.id AND {VISITED}
                AND coalesce(starts_at, created_at) > now() - {_SEEN}) o
        JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = o.id
        WHERE l.staff_id IS NOT NULL GROUP BY l.staff_id) seen
    JOIN staff f ON f.tenant_id = $1 AND f.id = seen.staff_id AND f.active
    WHERE seen.visits >= {_MIN_VISITS} ORDER BY seen.visits DESC, seen.last DESC LIMIT 1)"""


def list_providers() -> Query[list[Provider]]:
    """Those who work here, to choose a favorite from."""
    return Query(
        """
        SELECT coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY sort_order, name, id), '[]')::text
            AS document
        FROM staff WHERE tenant_id = $1 AND active
        """,
        (),
        decoded(list[Provider]),
    )
