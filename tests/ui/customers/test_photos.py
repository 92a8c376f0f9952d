"""Photos before and after: with consent only, seen by those who may read notes and by nobody else, gone with them."""

from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any
from uuid import UUID

import httpx2
import pytest
from PIL import Image

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.customers import make_photo
from tests.factories.people import make_customer
from tests.factories.users import link_to_staff, make_user, owner_of
from tests.support.branch import day, line, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop


def photo(colour: str = "red") -> bytes:
    file = BytesIO()
    Image.new("RGB", (40, 30), colour).save(file, "JPEG")
    return file.getvalue()


async def add(desk: DashboardClient, customer_id: UUID, content: bytes | None = None, **more: Any) -> httpx2.Response:
    fields = {"id": str(uuid7()), "taken_on": str(day(0)), "shows": "before", **more}
    files = {"picture": ("photo.jpg", photo() if content is None else content, "image/jpeg")}
    return await desk.post(f"/customers/{customer_id}/photos", fields, files=files)


async def agree(desk: DashboardClient, customer_id: UUID) -> None:
    assert (await desk.post(f"/customers/{customer_id}/photo-consent", {"how": "written"})).status_code == 303


async def photos(shop: Shop, customer_id: UUID) -> list[Any]:
    return await shop.sql(
        "SELECT * FROM customer_photos WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id", customer_id
    )


@pytest.fixture
async def visitor(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    """Somebody who is not signed in."""
    async with DashboardClient(own_shop.origin, own_shop.dsn) as client:
        yield client


async def test_a_photo_needs_consent_which_names_who_recorded_it_and_when(
    own_shop: Shop, owner: DashboardClient
) -> None:
    sara = await make_customer(own_shop)
    refused = await add(owner, sara)
    assert refused.status_code == 422
    assert "Record first that the customer agrees to photos." in refused.text
    assert await own_shop.sql("SELECT FROM pictures WHERE tenant_id = $1 AND is_private") == []
    await agree(owner, sara)
    (consent,) = await own_shop.sql("SELECT * FROM photo_consents WHERE tenant_id = $1 AND customer_id = $2", sara)
    assert (consent["how"], consent["recorded_by"]) == ("written", await owner_of(own_shop))
    assert (await add(owner, sara, shows="before")).status_code == 303
    assert (await add(owner, sara, shows="after", photo_note="Third colour")).status_code == 303
    before, after = await photos(own_shop, sara)
    page = (await owner.get(f"/customers/{sara}")).text
    for text in (str(before["id"]), str(after["id"]), "Third colour", "Agreed to photos on"):
        assert text in page, text
    for content, more in ((b"no picture", {}), (None, {"taken_on": str(day(2))}), (None, {"shows": "during"})):
        assert (await add(owner, sara, content, **more)).status_code == 422
    assert (await owner.post(f"/customers/{sara}/photos/{before['id']}/delete")).status_code == 303
    assert [row["id"] for row in await photos(own_shop, sara)] == [after["id"]]
    withdraw = f"/customers/{sara}/photo-consent/withdraw"
    assert "1 photo of this customer is removed" in (await owner.get(withdraw)).text
    assert (await owner.post(withdraw)).status_code == 303
    assert await photos(own_shop, sara) == []
    assert await own_shop.sql("SELECT FROM pictures WHERE tenant_id = $1 AND is_private") == []
    actions = await own_shop.sql(
        "SELECT action FROM activity WHERE tenant_id = $1 AND action LIKE 'customer.photo%' ORDER BY created_at, id"
    )
    assert [row["action"].removeprefix("customer.photo_") for row in actions] == [
        *("consent_given", "added", "added", "deleted", "consent_withdrawn")
    ]


async def test_a_photo_is_seen_by_the_team_of_the_business_only(
    own_shop: Shop, neighbour: Shop, owner: DashboardClient, visitor: DashboardClient
) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=30)
    lama, hind = await branch.add_provider(cut), await branch.add_provider(cut)
    await branch.place(line(cut, staff_id=lama), start=start(day(3), "10:00"))
    sara = branch.customer_id
    await agree(owner, sara)
    assert (await add(owner, sara)).status_code == 303
    (row,) = await photos(own_shop, sara)
    path, public = f"/customers/{sara}/photos/{row['id']}", f"/pictures/{own_shop.tenant_id}/{row['picture_id']}"
    seen = await owner.get(path)
    assert (seen.status_code, seen.headers["content-type"]) == (200, "image/jpeg")
    assert seen.headers["cache-control"] == "private, no-store"
    assert (await owner.get(f"{path}?size=small")).status_code == 200
    for address in (public, f"{public}?size=small"):  # also to those who know its id
        assert (await owner.get(address)).status_code == 404
        assert (await visitor.get(address)).status_code == 404
    assert (await visitor.get(path)).headers["location"].startswith("/sign-in")
    async with await dashboard_of(neighbour, await owner_of(neighbour)) as other:
        assert (await other.get(path)).status_code == 404
        assert (await other.post(f"{path}/delete")).status_code == 404
        assert (await add(other, sara)).status_code == 404
    for staff_id, status in ((lama, 200), (hind, 404)):
        user_id = await make_user(own_shop, Role.PROVIDER)
        await link_to_staff(own_shop, user_id, staff_id)
        async with await dashboard_of(own_shop, user_id) as provider:
            assert (await provider.get(path)).status_code == status
            assert (await add(provider, sara)).status_code == (303 if status == 200 else 404)
            assert (await provider.post(f"{path}/delete")).status_code == 403
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as cashier:
        assert (await cashier.get(path)).status_code == 200
    # A picture that anyone may see is not shown as a photo, and the photo of one customer not as that of another.
    other_customer = await make_customer(own_shop)
    assert (await owner.get(f"/customers/{other_customer}/photos/{row['id']}")).status_code == 404


async def test_a_merge_keeps_photos_and_erasing_removes_them(own_shop: Shop, owner: DashboardClient) -> None:
    kept, gone = await make_customer(own_shop), await make_customer(own_shop)
    photo_id = await make_photo(own_shop, gone)
    merged = await owner.post(f"/customers/{kept}/merge/{gone}", {"version": "1", "other_version": "1"})
    assert merged.status_code == 303
    assert [row["id"] for row in await photos(own_shop, kept)] == [photo_id]
    assert (await owner.get(f"/customers/{kept}/photos/{photo_id}")).status_code == 200
    (row,) = await own_shop.sql("SELECT version FROM customers WHERE tenant_id = $1 AND id = $2", kept)
    assert (await owner.post(f"/customers/{kept}/erase", {"version": str(row["version"])})).status_code == 303
    for table in ("customer_photos", "photo_consents"):
        assert await own_shop.sql(f"SELECT FROM {table} WHERE tenant_id = $1") == []
    assert await own_shop.sql("SELECT FROM pictures WHERE tenant_id = $1 AND is_private") == []


async def test_a_withdrawal_counts_for_both_records_that_become_one(own_shop: Shop, owner: DashboardClient) -> None:
    kept, gone = await make_customer(own_shop), await make_customer(own_shop)
    await make_photo(own_shop, gone)
    await agree(owner, kept)
    assert (await owner.post(f"/customers/{kept}/photo-consent/withdraw")).status_code == 303
    form = {"version": "1", "other_version": "1"}
    assert (await owner.post(f"/customers/{kept}/merge/{gone}", form)).status_code == 303
    assert await photos(own_shop, kept) == []


async def test_a_merge_keeps_photos_that_were_agreed_to_after_the_withdrawal(
    own_shop: Shop, owner: DashboardClient
) -> None:
    kept, gone = await make_customer(own_shop), await make_customer(own_shop)
    await agree(owner, gone)
    await agree(owner, kept)
    assert (await owner.post(f"/customers/{kept}/photo-consent/withdraw")).status_code == 303
    await agree(owner, kept)
    assert (await add(owner, kept)).status_code == 303
    form = {"version": "1", "other_version": "1"}
    assert (await owner.post(f"/customers/{kept}/merge/{gone}", form)).status_code == 303
    assert len(await photos(own_shop, kept)) == 1


async def test_a_customer_has_at_most_so_many_photos(own_shop: Shop, owner: DashboardClient) -> None:
    sara = await make_customer(own_shop)
    for _ in range(100):
        await make_photo(own_shop, sara)
    refused = await add(owner, sara)
    assert refused.status_code == 422
    assert "at most 100 photos" in refused.text
