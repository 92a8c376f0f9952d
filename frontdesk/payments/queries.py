"""Statements for payment methods. The database builds the JSON."""

from uuid import UUID

import msgspec

from frontdesk.payments.types import MethodChoice
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, json_bytes, page, page_of
from frontdesk.values.pagination import Page, PageRequest

# The columns that `choose_method` needs; `i` is the install that provides the method, if any.
METHOD_INFO = """json_build_object(
    'id', m.id, 'type', m.type, 'active', m.active, 'connected', i.disconnected_at IS NULL)"""


def list_payment_methods(page_request: PageRequest) -> Query[Page]:
    """Newest first. Only usable methods: neither disabled ones nor those of a disconnected application."""
    usable = """
        FROM payment_methods m
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL"""
    return Query(
        f"""
        SELECT {page_of("payment_method_json(m, t)", "m.created_at DESC, m.id DESC")} AS documents,
               (SELECT count(*) {usable}) AS total
        FROM (SELECT m.* {usable} ORDER BY m.created_at DESC, m.id DESC OFFSET $2 LIMIT $3) page
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = page.id
        JOIN payment_method_types t ON t.slug = m.type
        """,
        (page_request.offset, page_request.per_page),
        page,
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
