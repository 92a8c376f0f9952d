"""Statements for payment methods. The database builds the JSON."""

from uuid import UUID

import msgspec

from frontdesk.payments.types import MethodChoice
from frontdesk.postgres.changes import list_order
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, json_bytes, page, page_of
from frontdesk.values.pagination import ChangesSince, Page, PageRequest

# The columns that `choose_method` needs; `i` is the install that provides the method, if any.
METHOD_INFO = """json_build_object(
    'id', m.id, 'type', m.type, 'active', m.active, 'connected', i.disconnected_at IS NULL)"""


def list_payment_methods(page_request: PageRequest, since: ChangesSince | None = None) -> Query[Page]:
    """Newest first.

    Without `since` only those that can be used: neither disabled ones nor those of a disconnected application.
    """
    order = list_order(since, "created_at DESC, id DESC", first=4)
    source = f"""
        FROM (
            SELECT m.id, m.version, m.name, m.slug, m.type, m.sort_order, m.created_at, m.updated_at,
                   m.active AND i.disconnected_at IS NULL AS active
            FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
            WHERE m.tenant_id = $1
        ) m
        WHERE {"active" if since is None else "true"}{order.where}"""
    return Query(
        f"""
        SELECT {page_of("payment_method_json(m, t)", order.of("m"))} AS documents,
               (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY {order.forward} OFFSET $2 LIMIT $3) m
        JOIN payment_method_types t ON t.slug = m.type
        """,
        (page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )


async def list_method_choices(conn: Connection, tenant_id: UUID) -> list[MethodChoice]:
    """Usable methods in the order of the business, for a selection list."""
    rows = await conn.fetch(
        """
        SELECT m.id, m.name FROM payment_methods m
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL ORDER BY m.sort_order, m.created_at, m.id
        """,
        tenant_id,
    )
    return [MethodChoice(row["id"], msgspec.json.decode(row["name"], type=dict[str, str])) for row in rows]


def get_payment_method(method_id: UUID) -> Query[bytes]:
    return Query(
        f"SELECT {json_bytes('payment_method_document($1, $2)')} AS document", (method_id,), document("payment method")
    )


async def deactivate_method(conn: Connection, tenant_id: UUID, install_id: UUID, name: dict[str, str]) -> None:
    """For a method that the application no longer provides."""
    await conn.execute(
        """
        SELECT update_payment_method($1, jsonb_build_object('id', id, 'name', name, 'active', false,
            'version', version, 'actor', jsonb_build_object('type', 'system')))
        FROM payment_methods WHERE tenant_id = $1 AND install_id = $2 AND name = $3::jsonb AND active
        """,
        tenant_id,
        install_id,
        msgspec.json.encode(name).decode(),
    )
