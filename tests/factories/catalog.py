"""Branches, services, products, packages and payment methods."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from frontdesk.values.text import search_key
from tests.factories.tenant_rows import TenantRows

SOME_DAY = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
_LONG_AGO = date(2020, 1, 1)
_ITEM_NAME = {"ar": "شيء", "en": "A thing"}
_PACKAGE_NAME = {"ar": "باقة", "en": "A package"}


async def branch_of(rows: TenantRows) -> UUID:
    """The branch that the sandbox came with."""
    found = await rows.sql("SELECT id FROM branches WHERE tenant_id = $1 AND slug = 'lamsa-alyasmin'")
    branch_id: UUID = found[0]["id"]
    return branch_id


async def make_branch(rows: TenantRows, *, created_at: datetime = SOME_DAY) -> UUID:
    id_ = uuid4()
    await rows.sql(
        "INSERT INTO branches (tenant_id, id, name, slug, created_at) VALUES ($1, $2, 'Bare', $3, $4)",
        id_,
        f"bare-{id_}",
        created_at,
    )
    return id_


async def make_service(
    rows: TenantRows, name: str | Mapping[str, str] = _ITEM_NAME, *, price: str = "100", duration: int = 30, **more: Any
) -> UUID:
    """A service that belongs to no category."""
    return await _make_item(rows, "service", name, price, duration=duration, **more)


async def make_services(rows: TenantRows, count: int) -> None:
    """Found by `many 1`, `many 2` and so on."""
    await rows.sql(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration, sort_order)
        SELECT $1, gen_random_uuid(), $2, 'service', '{"en": "Many"}', 'many ' || n, 'many-' || n, 10, 30, 100 + n
        FROM generate_series(1, $3::integer) n
        """,
        await branch_of(rows),
        count,
    )


async def make_product(
    rows: TenantRows,
    name: str | Mapping[str, str] = _ITEM_NAME,
    *,
    price: str = "20",
    stock: int | None = 10,
    **more: Any,
) -> UUID:
    return await _make_item(rows, "product", name, price, stock=stock, **more)


async def _make_item(
    rows: TenantRows,
    kind: str,
    name: str | Mapping[str, str],
    price: str,
    *,
    id_: UUID | None = None,
    branch_id: UUID | None = None,
    offer_price: str | None = None,
    duration: int | None = None,
    buffers: tuple[int, int] = (0, 0),
    stock: int | None = None,
    active: bool = True,
    sort_order: int = 100,
    base_sellable: bool = True,
) -> UUID:
    id_ = id_ or uuid4()
    names = {"en": name} if isinstance(name, str) else name
    await rows.sql(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, offer_price, duration,
            stock, status, sort_order, base_sellable, buffer_before, buffer_after)
        VALUES ($1, $2, $3, $4, $5::text::jsonb, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """,
        id_,
        branch_id or await branch_of(rows),
        kind,
        json.dumps(names),
        search_key(names["en"]),
        str(id_),
        Decimal(price),
        _decimal(offer_price),
        duration,
        stock,
        active,
        sort_order,
        base_sellable,
        *buffers,
    )
    await rows.sql("SELECT add_row_count($1, 'items', 1)")
    return id_


async def make_package(
    rows: TenantRows,
    contents: Mapping[UUID, int],
    *,
    price: str = "50",
    offer_price: str | None = None,
    active: bool = True,
    id_: UUID | None = None,
    branch_id: UUID | None = None,
) -> UUID:
    """`contents` maps the items to their quantities."""
    id_ = id_ or uuid4()
    await rows.sql(
        """
        INSERT INTO packages (tenant_id, id, branch_id, name, slug, price, offer_price, status)
        VALUES ($1, $2, $3, $4::text::jsonb, $5, $6, $7, $8)
        """,
        id_,
        branch_id or await branch_of(rows),
        json.dumps(_PACKAGE_NAME),
        str(id_),
        Decimal(price),
        _decimal(offer_price),
        active,
    )
    await rows.sql(
        """
        INSERT INTO package_items (tenant_id, package_id, item_id, quantity)
        SELECT $1, $2, * FROM unnest($3::uuid[], $4::integer[])
        """,
        id_,
        list(contents),
        list(contents.values()),
    )
    return id_


async def make_option(
    rows: TenantRows,
    item_id: UUID,
    price: str,
    *,
    offer_price: str | None = None,
    quantity: int | None = None,
    duration: int | None = None,
    active: bool = True,
) -> str:
    id_ = uuid4()
    await rows.sql(
        """
        INSERT INTO item_options (tenant_id, id, item_id, name, price, offer_price, quantity, duration, is_active)
        VALUES ($1, $2, $3, '{"en": "A variant"}', $4, $5, $6, $7, $8)
        """,
        id_,
        item_id,
        Decimal(price),
        _decimal(offer_price),
        quantity,
        duration,
        active,
    )
    return str(id_)


async def make_option_value(rows: TenantRows, option_id: UUID, name: str, value: str) -> None:
    """What the option stands for, such as the size "large"."""
    await rows.sql(
        """
        WITH made AS (
            INSERT INTO option_values (tenant_id, id, item_id, option_name, value)
            SELECT $1, gen_random_uuid(), item_id, jsonb_build_object('en', $3::text),
                jsonb_build_object('en', $4::text)
            FROM item_options WHERE tenant_id = $1 AND id = $2 RETURNING id
        )
        INSERT INTO item_option_values (tenant_id, option_id, option_value_id) SELECT $1, $2, id FROM made
        """,
        option_id,
        name,
        value,
    )


async def make_category(
    rows: TenantRows, *, branch_id: UUID | None = None, active: bool = True, sort_order: int = 0
) -> UUID:
    """An empty one."""
    category_id = uuid4()
    await rows.sql(
        """
        INSERT INTO categories (tenant_id, id, branch_id, name, slug, status, sort_order)
        VALUES ($1, $2, $3, '{"en": "Care"}', $4, $5, $6)
        """,
        category_id,
        branch_id or await branch_of(rows),
        str(category_id),
        active,
        sort_order,
    )
    return category_id


async def make_cashier(rows: TenantRows) -> UUID:
    id_ = uuid4()
    await rows.sql(
        "INSERT INTO cashiers (tenant_id, id, branch_id, name, code) VALUES ($1, $2, $3, 'Huda', $4)",
        id_,
        await branch_of(rows),
        str(id_)[:8],
    )
    return id_


async def make_tax_class(
    rows: TenantRows,
    rate: str,
    name: Mapping[str, str] | None = None,
    *,
    starts_on: date = _LONG_AGO,
    is_default: bool = False,
) -> UUID:
    id_ = uuid4()
    await rows.sql(
        "INSERT INTO tax_classes (tenant_id, id, name, is_default) VALUES ($1, $2, $3::text::jsonb, $4)",
        id_,
        json.dumps(name or {"en": f"Rate {rate}"}),
        is_default,
    )
    await make_tax_rate(rows, id_, rate, starts_on)
    return id_


async def make_tax_rate(rows: TenantRows, class_id: UUID, rate: str, starts_on: date) -> None:
    await rows.sql(
        "INSERT INTO tax_rates (tenant_id, class_id, starts_on, rate) VALUES ($1, $2, $3, $4)",
        class_id,
        starts_on,
        Decimal(rate),
    )


async def make_payment_method(
    rows: TenantRows, slug: str = "", *, kind: str = "cash", name: str = "A method", created_at: datetime = SOME_DAY
) -> UUID:
    id_ = uuid4()
    await rows.sql(
        """
        INSERT INTO payment_methods (tenant_id, id, type, name, slug, created_at)
        VALUES ($1, $2, $3, $4::text::jsonb, $5, $6)
        """,
        id_,
        kind,
        json.dumps({"en": name}),
        slug or str(id_),
        created_at,
    )
    return id_


def _decimal(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount)
