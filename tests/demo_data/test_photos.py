"""The photos of a sandbox, as its owner sees them."""

from io import BytesIO

from PIL import Image

from tests.factories.users import owner_of
from tests.support.dashboard import dashboard_of
from tests.support.service import Service


async def test_a_sandbox_has_photos_of_customers_who_agreed(service: Service) -> None:
    shop = await service.new_shop()
    rows = await shop.sql(
        """
        SELECT p.customer_id, p.id, p.shows FROM customer_photos p
        JOIN photo_consents k ON k.tenant_id = $1 AND k.customer_id = p.customer_id AND k.given_at <= p.created_at
        WHERE p.tenant_id = $1 ORDER BY p.customer_id, p.shows
        """
    )
    assert [row["shows"] for row in rows] == ["after", "before"] * 3
    async with await dashboard_of(shop, await owner_of(shop)) as desk:
        for row in rows:
            path = f"/customers/{row['customer_id']}"
            assert str(row["id"]) in (await desk.get(path)).text
            shown = await desk.get(f"{path}/photos/{row['id']}")
            assert Image.open(BytesIO(shown.content)).size == (240, 320)
            assert len(shown.content) < 4096
