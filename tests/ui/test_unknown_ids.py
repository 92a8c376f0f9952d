"""Ids in forms that name nothing of the business, and ids of new records that are taken."""

from typing import Any
from uuid import UUID

import pytest

from frontdesk.values.ids import uuid7
from tests.factories.people import make_customer
from tests.support.branch import open_branch
from tests.support.dashboard import DashboardClient
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till
from tests.ui.day_close.test_drawer import counting, sell

SERVICE = {"type": "service", "name_en": "Cut", "price": "10", "duration": "30"}


@pytest.fixture
async def elsewhere(service: Service) -> tuple[UUID, UUID, UUID]:
    """A service, a provider and a payment method of another business."""
    other = await open_branch(await service.new_shop())
    cut = await other.add_service()
    (method,) = await other.shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = 'card' LIMIT 1")
    return cut, await other.add_provider(cut), method["id"]


async def test_who_performs_what_names_staff_and_services_of_the_business(
    own_shop: Shop, owner: DashboardClient, elsewhere: tuple[UUID, UUID, UUID]
) -> None:
    room = await open_branch(own_shop)
    cut = await room.add_service()
    dana = await room.add_provider(cut)
    item, staff, _ = elsewhere
    (before,) = await own_shop.sql(
        "SELECT count(*) AS many, (SELECT count(*) FROM items WHERE tenant_id = $1) AS items "
        "FROM staff_services WHERE tenant_id = $1"
    )
    for unknown in (uuid7(), item):
        new = {
            "id": str(uuid7()),
            "name": "Noor",
            "branch_id": str(room.branch_id),
            "performs": [str(cut), str(unknown)],
        }
        refused = await owner.post("/staff/new", new)
        assert (refused.status_code, "Choose services of the branch." in refused.text) == (422, True)
        sent = {
            "version": "1",
            "performs": [str(cut), str(unknown)],
            "item": [str(cut)],
            "price": [""],
            "duration": [""],
        }
        refused = await owner.post(f"/staff/{dana}/services", sent)
        assert (refused.status_code, "Choose services of the branch." in refused.text) == (422, True)
    for unknown in (uuid7(), staff):
        rows = {"staff_id": [str(dana)], "performer_price": [""], "performer_duration": [""]}
        fields: dict[str, Any] = {"id": str(uuid7()), "branch": str(room.branch_id), **SERVICE, **rows}
        refused = await owner.post("/catalogue/new", {**fields, "performs": [str(unknown)]})
        assert (refused.status_code, "Reload the page." in refused.text) == (422, True)
    (after,) = await own_shop.sql(
        "SELECT count(*) AS many, (SELECT count(*) FROM items WHERE tenant_id = $1) AS items "
        "FROM staff_services WHERE tenant_id = $1"
    )
    assert after == before


async def test_a_count_names_payment_methods_of_the_day(
    own_shop: Shop, owner: DashboardClient, elsewhere: tuple[UUID, UUID, UUID]
) -> None:
    room = await open_branch(own_shop)
    till = Till(room)
    await sell(till, "40", await till.paid("40"))
    for unknown in (uuid7(), elsewhere[2]):
        for rows in (
            {"method": [str(unknown)], "found": ["5"]},
            {"cashier": [""], "cashier_method": [str(unknown)], "cashier_found": ["5"]},
        ):
            refused = await owner.post("/day-close", counting(room, 40, note="Extra", **rows))
            assert (refused.status_code, "The rows of the form do not match." in refused.text) == (422, True)
    assert (await owner.post("/day-close", counting(room, 40))).status_code == 303


@pytest.mark.parametrize(
    ("path", "table", "fields"),
    [
        ("/staff/new", "staff", {"name": "Noor"}),
        ("/customers/new", "customers", {"first_name": "Sara"}),
        ("/catalogue/new", "items", SERVICE),
        ("/catalogue/categories/new", "categories", {"name_en": "Care"}),
        ("/catalogue/packages/new", "packages", {"name_en": "Day", "price": "10"}),
        ("/settings/payment-methods/new", "payment_methods", {"name_en": "New", "type": "card"}),
        (
            "/settings/business/tax-classes/new",
            "tax_classes",
            {"name_en": "N", "rate": ["5"], "starts_on": ["2026-01-01"]},
        ),
        ("/settings/branches/new", "branches", {"name": "New"}),
        ("/reports/commissions/rates/new", "commission_rates", {"percent": "30", "starts_on": "2026-01-01"}),
    ],
)
async def test_the_id_of_a_new_record_that_is_taken_is_no_failure(
    own_shop: Shop, owner: DashboardClient, path: str, table: str, fields: dict[str, Any]
) -> None:
    await make_customer(own_shop)
    room = await open_branch(own_shop)
    found = await own_shop.sql(f"SELECT id, to_jsonb(t) AS row FROM {table} t WHERE tenant_id = $1 LIMIT 1")
    taken = found[0]["id"] if found else uuid7()
    sent = {**fields, "id": str(taken), "branch": str(room.branch_id), "branch_id": str(room.branch_id)}
    answer = await owner.post(path, sent)
    assert answer.status_code in (303, 422), answer.text  # the id of some forms is not that of the record
    if found:
        (after,) = await own_shop.sql(
            f"SELECT to_jsonb(t) AS row FROM {table} t WHERE tenant_id = $1 AND id = $2", taken
        )
        assert after["row"] == found[0]["row"]
