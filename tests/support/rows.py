"""Records written behind the service's back, with just what a test wants to see of them."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID, uuid4

from frontdesk.values.text import search_key
from tests.support.shop import Shop

SOME_DAY = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


async def branch_of(shop: Shop) -> UUID:
    """The branch that the sandbox came with."""
    found: UUID = (await shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND slug = 'lamsa-alyasmin'"))[0]["id"]
    return found


async def add_branch(shop: Shop, *, created_at: datetime = SOME_DAY) -> UUID:
    id_ = uuid4()
    await shop.sql(
        "INSERT INTO branches (tenant_id, id, name, slug, created_at) VALUES ($1, $2, 'Bare', $3, $4)",
        id_,
        f"bare-{id_}",
        created_at,
    )
    return id_


async def add_customers(shop: Shop, many: int, *, created_at: datetime = SOME_DAY) -> None:
    """Strangers who came at the same moment."""
    await shop.sql(
        """
        INSERT INTO customers (tenant_id, id, first_name, name_search, created_at)
        SELECT $1, gen_random_uuid(), 'Stranger', 'stranger', $3 FROM generate_series(1, $2)
        """,
        many,
        created_at,
    )


async def add_staff(shop: Shop, name: str, *, branch_id: UUID | None = None, active: bool = True) -> UUID:
    id_ = uuid4()
    await shop.sql(
        """
        INSERT INTO staff (tenant_id, id, branch_id, name, name_search, active)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        id_,
        branch_id or await branch_of(shop),
        name,
        search_key(name),
        active,
    )
    return id_


async def add_service(shop: Shop, name: str, price: str, *, sort_order: int = 100) -> UUID:
    """A service of 30 minutes that belongs to no category and has nothing else either."""
    id_ = uuid4()
    await shop.sql(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration, sort_order)
        VALUES ($1, $2, $3, 'service', jsonb_build_object('en', $4::text), $5, $6, $7, 30, $8)
        """,
        id_,
        await branch_of(shop),
        name,
        search_key(name),
        str(id_),
        Decimal(price),
        sort_order,
    )
    return id_


async def add_performer(
    shop: Shop, staff_id: UUID, item_id: UUID, *, price: str | None = None, duration: int | None = None
) -> None:
    await shop.sql(
        "INSERT INTO staff_services (tenant_id, staff_id, item_id, price, duration) VALUES ($1, $2, $3, $4, $5)",
        staff_id,
        item_id,
        None if price is None else Decimal(price),
        duration,
    )
