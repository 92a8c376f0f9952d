"""Who wrote a note or recorded a consent is a member of the business. What an application does names no member."""

from typing import Any
from uuid import UUID

import pytest

from frontdesk.customers.annotate import AddCustomerNote, RecordConsent, WithdrawConsent
from frontdesk.customers.photos import RecordPhotoConsent, WithdrawPhotoConsent
from frontdesk.customers.types import ConsentChannel
from frontdesk.postgres.act import Act
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.values.actor import Actor
from tests.factories.people import make_customer
from tests.factories.users import owner_of
from tests.support.service import Service
from tests.support.shop import Shop

ACTS: dict[str, tuple[list[type[Act[Any]]], str]] = {
    "customer_notes": ([AddCustomerNote], "author_id"),
    "customer_consents": ([RecordConsent, WithdrawConsent], "withdrawn_by"),
    "photo_consents": ([RecordPhotoConsent, WithdrawPhotoConsent], "withdrawn_by"),
}
_ARGUMENTS: dict[type[Act[Any]], tuple[Any, ...]] = {
    AddCustomerNote: ("Prefers mornings", False),
    RecordConsent: (ConsentChannel.PHONE,),
    RecordPhotoConsent: (ConsentChannel.PHONE,),
}


@pytest.fixture
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


async def application_of(shop: Shop) -> Actor:
    (client,) = await shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 ORDER BY created_at LIMIT 1")
    return Actor("app", client["id"])


async def recorded_by(shop: Shop, conn: Connection, table: str, actor: Actor) -> UUID | None:
    customer_id = await make_customer(shop, "Hessa")
    acts, column = ACTS[table]
    for act in acts:
        await run(conn, await shop.tenant(), act(customer_id, *_ARGUMENTS.get(act, ())), actor=actor)
    (row,) = await shop.sql(f"SELECT {column} FROM {table} WHERE tenant_id = $1 AND customer_id = $2", customer_id)
    found: UUID | None = row[column]
    return found


@pytest.mark.parametrize("table", ACTS)
async def test_what_an_application_records_names_no_member(own_shop: Shop, conn: Connection, table: str) -> None:
    assert await recorded_by(own_shop, conn, table, await application_of(own_shop)) is None


@pytest.mark.parametrize("table", ACTS)
async def test_what_a_member_records_names_them(own_shop: Shop, conn: Connection, table: str) -> None:
    owner = await owner_of(own_shop)
    assert await recorded_by(own_shop, conn, table, Actor("user", owner)) == owner
