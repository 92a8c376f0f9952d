"""Statements about payment methods. The published form is written as JSON by the database itself."""

from uuid import UUID

import msgspec

from frontdesk.payments.types import MethodChoice, MethodInfo, NewMethod
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, json_bytes, page, page_of
from frontdesk.values.pagination import Page, PageRequest

METHOD = """json_build_object(
    'id', m.id, 'name', m.name, 'slug', m.slug,
    'type', json_build_object('id', t.id, 'name', t.name, 'slug', t.slug),
    'created_at', format_utc(m.created_at), 'updated_at', format_utc(m.updated_at))"""

# What choosing a method for a payment needs, with `i` the install that brings it, or none.
METHOD_INFO = """json_build_object(
    'id', m.id, 'type', m.type, 'active', m.active, 'connected', i.disconnected_at IS NULL)"""


def list_payment_methods(wanted: PageRequest) -> Query[Page]:
    """Newest first. Only what can be paid with now: nothing switched off, or of a disconnected application."""
    usable = """
        FROM payment_methods m
        LEFT JOIN installs i ON i.tenant_id = m.tenant_id AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL"""
    return Query(
        f"""
        SELECT {page_of(METHOD, "m.created_at DESC, m.id DESC")} AS documents, (SELECT count(*) {usable}) AS total
        FROM (SELECT m.* {usable} ORDER BY m.created_at DESC, m.id DESC OFFSET $2 LIMIT $3) m
        JOIN payment_method_types t ON t.slug = m.type
        """,
        (wanted.offset, wanted.per_page),
        page,
    )


async def list_method_choices(conn: Connection, tenant_id: UUID) -> list[MethodChoice]:
    """What can be paid with now, the oldest first, for a list to choose from."""
    rows = await conn.fetch(
        """
        SELECT m.id, m.name FROM payment_methods m
        LEFT JOIN installs i ON i.tenant_id = m.tenant_id AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL ORDER BY m.created_at, m.id
        """,
        tenant_id,
    )
    return [MethodChoice(row["id"], msgspec.json.decode(row["name"], type=dict[str, str])) for row in rows]


def get_payment_method(method_id: UUID) -> Query[bytes]:
    return Query(
        f"""
        SELECT {json_bytes(METHOD)} AS document FROM payment_methods m JOIN payment_method_types t ON t.slug = m.type
        WHERE m.tenant_id = $1 AND m.id = $2
        """,
        (method_id,),
        document("payment method"),
    )


async def insert_payment_method(conn: Connection, tenant_id: UUID, method_id: UUID, new: NewMethod) -> str:
    """A slug that is taken gets the end of the method's own id behind it."""
    document: str = await conn.fetchval(
        f"""
        WITH m AS (
            INSERT INTO payment_methods (tenant_id, id, type, name, slug, active, install_id)
            SELECT $1, $2, $3, $4, CASE WHEN EXISTS (
                SELECT FROM payment_methods WHERE tenant_id = $1 AND slug = $5) THEN $6 ELSE $5 END, $7, $8
            RETURNING *
        )
        SELECT {METHOD}::text FROM m JOIN payment_method_types t ON t.slug = m.type
        """,
        tenant_id,
        method_id,
        new.type,
        msgspec.json.encode(new.name).decode(),
        new.slug,
        f"{new.slug}-{method_id.hex[-8:]}",
        new.active,
        new.install_id,
    )
    return document


async def deactivate_method(conn: Connection, tenant_id: UUID, install_id: UUID, name: dict[str, str]) -> None:
    """A method that the application does not bring any more."""
    await conn.execute(
        """
        UPDATE payment_methods SET active = false, updated_at = now()
        WHERE tenant_id = $1 AND install_id = $2 AND name = $3::jsonb AND active
        """,
        tenant_id,
        install_id,
        msgspec.json.encode(name).decode(),
    )


async def find_methods(
    conn: Connection, tenant_id: UUID, method_id: UUID | None, method_type: str | None
) -> list[MethodInfo]:
    """The one with this id or, when there is no id, those of this type."""
    rows = await conn.fetch(
        """
        SELECT m.id, m.type, m.active, i.disconnected_at IS NULL AS connected
        FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = m.tenant_id AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND CASE WHEN $2::uuid IS NULL THEN m.type = $3 ELSE m.id = $2 END
        ORDER BY m.created_at, m.id
        """,
        tenant_id,
        method_id,
        method_type,
    )
    return [MethodInfo(row["id"], row["type"], row["active"], row["connected"]) for row in rows]
