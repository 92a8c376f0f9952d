"""Queries for applications: the developer's record, and what businesses can install."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from frontdesk.applications.types import Application, Developer, InstallableApplication, Listing, RequestedScope
from frontdesk.postgres.pool import Connection

# The versioned part: everything that businesses see, except the developer.
LISTING = """jsonb_build_object(
    'version', NULL, 'name', a.name, 'description', a.description, 'links', a.links,
    'scopes', (SELECT coalesce(jsonb_agg(jsonb_build_object('scope', s.scope, 'reason', s.reason,
                                                            'required', s.required) ORDER BY s.scope), '[]')
               FROM application_scopes s WHERE s.application_id = a.id),
    'webhook_url', a.webhook_url, 'webhook_events', a.webhook_events, 'payment_methods', a.payment_methods,
    'redirect_uris', a.redirect_uris,
    'pictures', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                     'id', p.id, 'role', p.role, 'width', p.width, 'height', p.height, 'alt_text', p.alt_text)
                     ORDER BY p.created_at), '[]')
                 FROM application_pictures p WHERE p.application_id = a.id AND p.removed_at IS NULL))"""
_RECORD = """jsonb_build_object(
    'id', a.id, 'developer_id', a.developer_id, 'slug', a.slug,
    'developer', (SELECT coalesce(d.name, u.name) FROM users u LEFT JOIN developers d ON d.user_id = u.id
                  WHERE u.id = a.developer_id),
    'status', a.status, 'review_reason', a.review_reason, 'commission_note', a.commission_note,
    'submitted_version', a.submitted_version, 'approved_version', a.approved_version,
    'signs', a.webhook_secret IS NOT NULL,
    'submitted_at', a.submitted_at, 'approved_at', a.approved_at, 'created_at', a.created_at)"""
_DRAFT = f"({_RECORD} || {LISTING})"


def _version(column: str) -> str:
    return f"""(SELECT v.listing || jsonb_build_object('version', v.version) FROM application_versions v
                WHERE v.application_id = a.id AND v.version = {column})"""


_SUBMITTED = f"({_RECORD} || coalesce({_version('a.submitted_version')}, {LISTING}))"
# What the tenant $1 sees: the approved version, or the record itself in the developer's sandbox.
SEEN = f"""
    CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM developers d WHERE d.user_id = a.developer_id AND d.sandbox_id = $1) AS is_trial) t
    CROSS JOIN LATERAL (SELECT CASE WHEN t.is_trial THEN {LISTING} ELSE {_version("a.approved_version")} END
                        AS listing) l"""
_INSTALLABLE = """a.status <> 'suspended' AND l.listing IS NOT NULL
    AND (NOT a.for_sandboxes OR EXISTS (SELECT FROM tenants n WHERE n.id = $1 AND n.is_sandbox))"""
_OFFER = f"""jsonb_build_object('application', {_RECORD} || l.listing, 'is_trial', t.is_trial,
    'install_id', (SELECT i.id FROM installs i WHERE i.tenant_id = $1 AND i.application_id = a.id
                   AND i.disconnected_at IS NULL),
    'businesses', count_businesses(a.id))"""
_MAX_LISTED = 200


async def find_developer(conn: Connection, user_id: UUID) -> Developer | None:
    row = await conn.fetchrow(
        """
        SELECT d.name, d.sandbox_id, n.name AS sandbox_name FROM developers d JOIN tenants n ON n.id = d.sandbox_id
        WHERE d.user_id = $1
        """,
        user_id,
    )
    return None if row is None else Developer(*row)


async def insert_developer(conn: Connection, user_id: UUID, name: str, sandbox_id: UUID) -> bool:
    """False if the user is already a developer."""
    return await conn.execute_one(
        "INSERT INTO developers (user_id, name, sandbox_id) VALUES ($1, $2, $3) ON CONFLICT (user_id) DO NOTHING",
        user_id,
        name,
        sandbox_id,
    )


async def find_application(conn: Connection, application_id: UUID) -> Application | None:
    """The last submitted version, for an operator. The example application of sandboxes is not reviewed."""
    text = await conn.fetchval(
        f"SELECT {_SUBMITTED}::text FROM applications a WHERE a.id = $1 AND NOT a.for_sandboxes", application_id
    )
    return _application(text)


async def find_developer_application(conn: Connection, developer_id: UUID, application_id: UUID) -> Application | None:
    text = await conn.fetchval(
        f"SELECT {_DRAFT}::text FROM applications a WHERE a.developer_id = $1 AND a.id = $2",
        developer_id,
        application_id,
    )
    return _application(text)


async def list_developer_applications(conn: Connection, developer_id: UUID) -> list[Application]:
    rows = await conn.fetch(
        f"SELECT {_DRAFT}::text FROM applications a WHERE a.developer_id = $1 ORDER BY a.created_at DESC, a.id",
        developer_id,
    )
    return [msgspec.json.decode(row[0], type=Application) for row in rows]


async def list_installable(conn: Connection, tenant_id: UUID, text: str) -> list[InstallableApplication]:
    """Applications that the tenant can install, by name. `text` is searched in names and descriptions."""
    rows = await conn.fetch(
        f"""
        SELECT {_OFFER}::text FROM applications a {SEEN}
        WHERE {_INSTALLABLE} AND ($2 = '' OR strpos(
            lower(concat_ws(' ', l.listing ->> 'name', l.listing ->> 'description')), lower($2)) > 0)
        ORDER BY lower(l.listing ->> 'name'), a.id LIMIT {_MAX_LISTED}
        """,
        tenant_id,
        text,
    )
    return [_offer(row[0]) for row in rows]


async def find_installable(conn: Connection, tenant_id: UUID, application_id: UUID) -> InstallableApplication | None:
    text = await conn.fetchval(
        f"SELECT {_OFFER}::text FROM applications a {SEEN} WHERE a.id = $2 AND {_INSTALLABLE}",
        tenant_id,
        application_id,
    )
    return None if text is None else _offer(text)


async def find_installed_application(
    conn: Connection, tenant_id: UUID, application_id: UUID
) -> InstallableApplication | None:
    """For an installed application, whatever its status is now."""
    text = await conn.fetchval(
        f"SELECT {_OFFER}::text FROM applications a {SEEN} WHERE a.id = $2 AND l.listing IS NOT NULL",
        tenant_id,
        application_id,
    )
    return None if text is None else _offer(text)


async def insert_application(
    conn: Connection, application_id: UUID, developer_id: UUID, name: str, slug: str, other_slug: str
) -> bool:
    """False if the id already exists, because the form was submitted twice."""
    return await conn.execute_one(
        """
        INSERT INTO applications (id, developer_id, name, slug)
        SELECT $1, $2, $3, CASE WHEN EXISTS (SELECT FROM applications WHERE slug = $4) THEN $5 ELSE $4 END
        ON CONFLICT (id) DO NOTHING
        """,
        application_id,
        developer_id,
        name,
        slug,
        other_slug,
    )


async def lock_application(conn: Connection, application_id: UUID) -> None:
    """Locked before a change, because the change depends on the current status."""
    await conn.execute("SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE", application_id)


async def lock_application_shared(conn: Connection, application_id: UUID) -> None:
    """A shared lock during installation, so that the application is not changed or suspended meanwhile."""
    await conn.execute("SELECT FROM applications WHERE id = $1 FOR SHARE", application_id)


async def lock_application_of_install_shared(conn: Connection, tenant_id: UUID, install_id: UUID) -> None:
    await conn.execute(
        """
        SELECT FROM applications a WHERE a.id = (SELECT i.application_id FROM installs i
                                                 WHERE i.tenant_id = $1 AND i.id = $2) FOR SHARE
        """,
        tenant_id,
        install_id,
    )


async def save_listing(conn: Connection, application_id: UUID, about: Listing) -> None:
    await conn.execute(
        "UPDATE applications SET name = $2, description = $3, links = $4, updated_at = now() WHERE id = $1",
        application_id,
        about.name,
        msgspec.json.encode(about.description).decode(),
        msgspec.json.encode(about.links).decode(),
    )


async def replace_scopes(conn: Connection, application_id: UUID, requested: Sequence[RequestedScope]) -> None:
    await conn.execute("DELETE FROM application_scopes WHERE application_id = $1", application_id)
    await conn.execute(
        """
        INSERT INTO application_scopes (application_id, scope, reason, required)
        SELECT $1, * FROM unnest($2::text[], $3::text[], $4::boolean[])
        """,
        application_id,
        [scope.scope for scope in requested],
        [scope.reason for scope in requested],
        [scope.required for scope in requested],
    )


async def update_webhook(conn: Connection, application_id: UUID, url: str | None, events: Sequence[str]) -> None:
    await conn.execute(
        "UPDATE applications SET webhook_url = $2, webhook_events = $3, updated_at = now() WHERE id = $1",
        application_id,
        url,
        list(events),
    )


async def update_webhook_secret(conn: Connection, application_id: UUID, encrypted: bytes) -> None:
    await conn.execute(
        "UPDATE applications SET webhook_secret = $2, updated_at = now() WHERE id = $1", application_id, encrypted
    )


async def find_webhook_secret(conn: Connection, application_id: UUID) -> bytes | None:
    secret: bytes | None = await conn.fetchval("SELECT webhook_secret FROM applications WHERE id = $1", application_id)
    return secret


async def update_methods(conn: Connection, application_id: UUID, methods: Sequence[dict[str, str]]) -> None:
    await conn.execute(
        "UPDATE applications SET payment_methods = $2, updated_at = now() WHERE id = $1",
        application_id,
        msgspec.json.encode(methods).decode(),
    )


async def update_redirects(conn: Connection, application_id: UUID, addresses: Sequence[str]) -> None:
    await conn.execute(
        "UPDATE applications SET redirect_uris = $2, updated_at = now() WHERE id = $1", application_id, list(addresses)
    )


def _application(text: str | None) -> Application | None:
    return None if text is None else msgspec.json.decode(text, type=Application)


def _offer(text: str) -> InstallableApplication:
    return msgspec.json.decode(text, type=InstallableApplication)
