"""Creates a sandbox: a business with some weeks of demo data, for testing applications.

The rows are inserted in bulk, like a restored backup: orders in the past could not be created through the usual
functions, and creating a few hundred of them one by one would take too long.
"""

import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from frontdesk.accounts.user_queries import insert_membership
from frontdesk.auth.credentials import format_client_id, new_client_secret, new_key
from frontdesk.auth.scopes import WILDCARD, unknown_scopes
from frontdesk.auth.types import Role
from frontdesk.demo_data import content, people
from frontdesk.demo_data.application import FIRST_VERSION, insert_application
from frontdesk.demo_data.front_desk import front_desk_tables
from frontdesk.demo_data.history import DemoActor, generate_orders, history_tables
from frontdesk.demo_data.store import Table, build_store, opening
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.time_zones import store_zone
from frontdesk.security.passwords import hash_password
from frontdesk.security.secrets import hash_secret
from frontdesk.values.ids import uuid7
from frontdesk.values.time import get_zone

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_DICTIONARY = """
amber anchor basil beacon birch breeze candle canyon cedar cherry cinder clover cobalt coral cotton dahlia
delta ember falcon fennel garnet ginger harbor hazel indigo island ivory jasmine juniper lagoon lantern laurel
lemon linen lotus maple marble meadow mint nectar nutmeg ocean olive onyx opal orchid palm pebble
pepper pine plum quartz river saffron sage sienna silver sparrow summit thyme topaz velvet willow zephyr
"""


class Sandbox(msgspec.Struct, frozen=True):
    """The ids and credentials of a sandbox. The secrets are returned only here."""

    tenant_id: UUID
    timezone: str
    currency: str
    client_id: str
    client_secret: str
    api_key: str
    email: str
    password: str


class _Identifiers(NamedTuple):
    """The ids of the owner, the client, the till's key and the installed application."""

    user_id: UUID
    client_id: UUID
    key_id: UUID
    install_id: UUID


async def create_sandbox(
    conn: Connection,
    *,
    plan: str = "professional",
    rate_limit: int | None = None,
    scopes: Sequence[str] | None = None,
    now: datetime | None = None,
    owner_id: UUID | None = None,
    timezone: str = content.TIMEZONE,
) -> Sandbox:
    """`rate_limit` applies to the client and to the key. Tests set `now` to any time.

    If an existing user owns it, no user is created, and the returned e-mail and password are not valid.
    """
    approved = list(scopes) if scopes is not None else [WILDCARD]
    if unknown := unknown_scopes(approved):
        raise ValueError(f"no such scope: {', '.join(unknown)}")
    moment, tenant_id = now or datetime.now(UTC), uuid7()
    identifiers = _Identifiers(owner_id or uuid7(), uuid7(), uuid7(), uuid7())
    sandbox = new_sandbox(tenant_id, identifiers.client_id, timezone)
    password_hash = await hash_password(sandbox.password, known=True) if owner_id is None else ""
    tables = _generate(tenant_id, moment, get_zone(timezone), identifiers)
    async with conn.transaction():
        await store_zone(conn, sandbox.timezone)
        await _insert_tenant(conn, sandbox, plan)
        if owner_id is None:
            await _insert_owner(conn, sandbox, identifiers.user_id, password_hash)
        await insert_membership(conn, tenant_id, identifiers.user_id, Role.OWNER)
        application_id = await insert_application(conn, moment)
        entries = _credential_rows(sandbox, identifiers, approved, rate_limit)
        installed = _install(identifiers, application_id, opening(moment))
        await _insert_tables(conn, tenant_id, (*entries, *installed, *tables))
    return sandbox


async def insert_demo_data(conn: Connection, tenant_id: UUID) -> None:
    """Into a sandbox that was emptied: the data of today, with the members, clients and keys that it has."""
    row = await conn.fetchrow(
        """
        SELECT n.timezone,
               (SELECT user_id FROM memberships WHERE tenant_id = $1 AND role = 'owner'
                ORDER BY created_at, user_id LIMIT 1) AS owner_id,
               (SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL
                ORDER BY created_at, id LIMIT 1) AS client_id,
               (SELECT id FROM api_keys WHERE tenant_id = $1 ORDER BY created_at, id LIMIT 1) AS key_id,
               (SELECT i.id FROM installs i JOIN applications a ON a.id = i.application_id AND a.for_sandboxes
                WHERE i.tenant_id = $1 LIMIT 1) AS install_id
        FROM tenants n WHERE n.id = $1
        """,
        tenant_id,
    )
    if row is None:
        raise RuntimeError("the sandbox was deleted")
    found = _Identifiers(*(row[name] or uuid7() for name in ("owner_id", "client_id", "key_id", "install_id")))
    await conn.execute(
        """
        UPDATE tenants SET name = $2, names = '{}', languages = $3, tax_registration_number = $4, country = $5,
            currency = $6, currency_decimals = $7, accent = NULL
        WHERE id = $1
        """,
        tenant_id,
        content.TENANT_NAME,
        list(content.LANGUAGES),
        content.TAX_NUMBER,
        content.COUNTRY,
        content.CURRENCY,
        content.DECIMALS,
    )
    await _insert_tables(conn, tenant_id, _generate(tenant_id, datetime.now(UTC), get_zone(row["timezone"]), found))


async def _insert_tables(conn: Connection, tenant_id: UUID, tables: Iterable[Table]) -> None:
    for table in tables:
        rows = [(tenant_id, *row) for row in table.rows]
        await conn.copy_rows(table.name, ("tenant_id", *table.columns.split()), rows)
    await _insert_stock_use(conn, tenant_id)
    await conn.execute("SELECT rebuild_busy_days($1), rebuild_list_items($1), rebuild_reports($1)", tenant_id)


def new_sandbox(tenant_id: UUID, client_id: UUID, timezone: str) -> Sandbox:
    who = "".join(secrets.choice(_LETTERS) for _ in range(8))
    words = [secrets.choice(_DICTIONARY.split()) for _ in range(4)]
    return Sandbox(
        tenant_id=tenant_id,
        timezone=timezone,
        currency=content.CURRENCY,
        client_id=format_client_id(tenant_id, client_id),
        client_secret=new_client_secret(),
        api_key=new_key(tenant_id),
        email=f"owner-{who}@sandbox.frontdesk.example",
        password="-".join([*words, str(secrets.randbelow(9000) + 1000)]),
    )


def _generate(tenant_id: UUID, now: datetime, zone: ZoneInfo, identifiers: _Identifiers) -> list[Table]:
    """Seeded with the tenant's id, so that a sandbox can be reproduced from its id and time."""
    rng = Random(tenant_id.int)  # noqa: S311 - demo data, not a secret
    store, tables = build_store(rng, now, identifiers.install_id)
    owner = DemoActor("user", identifiers.user_id)
    actors = {
        "api": DemoActor("app", identifiers.client_id),
        "pos": DemoActor("key", identifiers.key_id),
        "dashboard": owner,
        "online": DemoActor("customer", None),
    }
    orders = generate_orders(rng, now, zone, store)
    desk = front_desk_tables(now, zone, store, orders.sales, identifiers.user_id)
    return [*tables, *history_tables(orders, store, actors), *desk]


async def _insert_stock_use(conn: Connection, tenant_id: UUID) -> None:
    """The stock that the sold products use, so that canceling an order returns it."""
    await conn.execute(
        """
        INSERT INTO order_line_stock (tenant_id, order_id, line_id, item_id, units, option_id)
        SELECT l.tenant_id, l.order_id, l.id, coalesce(c.item_id, l.item_id), coalesce(c.quantity, 1), (
            SELECT v.id FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.quantity IS NOT NULL
            ORDER BY v.id = ANY (l.option_ids) DESC, v.sort_order, v.id LIMIT 1)
        FROM order_lines l
        LEFT JOIN package_items c ON c.tenant_id = $1 AND c.package_id = l.package_id
        JOIN items i ON i.tenant_id = $1 AND i.id = coalesce(c.item_id, l.item_id) AND i.type = 'product'
        WHERE l.tenant_id = $1 AND l.parent_line_id IS NULL
        """,
        tenant_id,
    )


async def _insert_tenant(conn: Connection, sandbox: Sandbox, plan: str) -> None:
    await conn.execute(
        """
        INSERT INTO tenants (id, name, plan, open_api, timezone, currency, currency_decimals, languages,
                             tax_registration_number, country, is_sandbox, setup_hidden_at)
        SELECT $1, $2, code, open_api, $4, $5, $6, $7, $8, $9, true, now() FROM plans WHERE code = $3
        """,
        sandbox.tenant_id,
        content.TENANT_NAME,
        plan,
        sandbox.timezone,
        sandbox.currency,
        content.DECIMALS,
        list(content.LANGUAGES),
        content.TAX_NUMBER,
        content.COUNTRY,
    )
    slug = f"{content.SLUG}-{sandbox.tenant_id.hex[-8:]}"
    await conn.execute("INSERT INTO tenant_slugs (tenant_id, slug) VALUES ($1, $2)", sandbox.tenant_id, slug)


async def _insert_owner(conn: Connection, sandbox: Sandbox, user_id: UUID, password_hash: str) -> None:
    await conn.execute(
        "INSERT INTO users (id, email, name, password_hash, email_verified_at) VALUES ($1, $2, $3, $4, now())",
        user_id,
        sandbox.email,
        people.OWNER_NAME,
        password_hash,
    )


def _credential_rows(
    sandbox: Sandbox, identifiers: _Identifiers, scopes: list[str], rate_limit: int | None
) -> list[Table]:
    client = (identifiers.client_id, "Sandbox client", hash_secret(sandbox.client_secret), scopes, rate_limit)
    key = (identifiers.key_id, "Sandbox till", hash_secret(sandbox.api_key), sandbox.api_key[-4:], rate_limit)
    return [
        Table("api_clients", "id name secret_hash scopes rate_limit", [client]),
        Table("api_keys", "id name key_hash last_four rate_limit", [key]),
    ]


def _install(identifiers: _Identifiers, application_id: UUID, at: datetime) -> list[Table]:
    """The secret of the application's client is not returned; the install is only an example."""
    install = (identifiers.install_id, application_id, FIRST_VERSION, identifiers.user_id, at)
    scopes = [scope for scope, _, _ in content.APPLICATION.scopes]
    client = (uuid7(), identifiers.install_id, content.APPLICATION.name, hash_secret(new_client_secret()), scopes)
    return [
        Table("installs", "id application_id version installed_by installed_at", [install]),
        Table("api_clients", "id install_id name secret_hash scopes created_at updated_at", [(*client, at, at)]),
    ]
