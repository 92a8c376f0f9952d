"""All bookings of an address by a mailed link, the link on the order, and what others may read and frame."""

import json
import re
from datetime import UTC, datetime
from io import BytesIO
from uuid import UUID

import httpx2
from PIL import Image

from frontdesk.messages.secret_data import decrypt_values
from frontdesk.security.encryption import SecretBox
from tests.factories.changes import change_row, change_rows, change_tenant, delete_rows
from tests.factories.settings import change_booking_page
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.service import SECRET_KEYS
from tests.support.shop import Shop
from tests.ui.booking_page.test_customer_booking import Customer, booked, slug_of


async def ask(customer: Customer, email: str) -> httpx2.Response:
    path = f"{customer.path[:-17]}/mine"
    headers = {"origin": customer.shop.origin}
    sent = await customer.http.post(path, data={"email": email}, headers=headers)
    return await customer.http.get(sent.headers["location"]) if sent.status_code == 303 else sent


async def mailed_link(shop: Shop, email: str) -> str:
    rows = await shop.sql("SELECT email, secret FROM messages WHERE tenant_id = $1 AND kind = 'bookings_link'")
    assert [row["email"] for row in rows] == [email]
    return str(decrypt_values(SecretBox(SECRET_KEYS), rows[0]["secret"])["link"])


async def test_an_address_gets_a_link_to_its_bookings_and_nobody_learns_whether_it_has_any(
    own_shop: Shop, neighbour: Shop
) -> None:
    async with await booked(own_shop) as customer, await booked(neighbour) as elsewhere:
        for shop, visitor in ((own_shop, customer), (neighbour, elsewhere)):
            await change_row(shop, "customers", visitor.bookable.customer_id, email="Sara@people.example")
        answers = [texts((await ask(customer, one)).text) for one in ("sara@PEOPLE.example", "nobody@people.example")]
        assert answers[0] == answers[1]
        assert (await ask(customer, "no address")).status_code == 422
        link = await mailed_link(own_shop, "sara@PEOPLE.example")
        listed = await customer.http.get(link)
        assert listed.text.count('class="ticket"') == 1
        assert customer.path in listed.text
        assert (
            await customer.http.get(link.replace(await slug_of(own_shop), await slug_of(neighbour)))
        ).status_code == 404
        assert (await customer.http.get(link[:-1] + "-")).status_code == 404
        await customer.cancel()
        assert "There are no coming bookings" in texts((await customer.http.get(link)).text)
        await change_rows(own_shop, "booking_list_links", expires_at=datetime.now(UTC))
        assert (await customer.http.get(link)).status_code == 404


async def test_the_order_has_a_link_for_its_customer(own_shop: Shop, owner: DashboardClient) -> None:
    async with await booked(own_shop) as customer:
        await delete_rows(own_shop, "booking_links")
        page = f"/orders/{customer.order_id}"
        assert "Make a link" in (await owner.get(page)).text
        assert [(await owner.post(f"{page}/link", page=page)).status_code for _ in range(2)] == [303, 303]
        found = re.search(r"/book/[a-z0-9-]+/[0-9A-Z]{16}", (await owner.get(page)).text)
        assert found
        assert (await customer.http.get(found[0])).status_code == 200
        (row,) = await own_shop.sql("SELECT order_id FROM booking_links WHERE tenant_id = $1")
        assert row["order_id"] == UUID(customer.order_id)


async def test_search_engines_and_messengers_read_the_page(own_shop: Shop) -> None:
    await change_tenant(own_shop, name="A </script> & Co")
    await change_rows(own_shop, "branches", address="Olaya 1", phone="+966112154470")
    async with await booked(own_shop) as customer:
        path = customer.path[:-17]
        page = (await customer.http.get(path)).text
        found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page)
        assert found
        places = json.loads(found[1])
        assert places[0]["@type"] == "LocalBusiness"
        assert places[0]["name"].startswith("A </script> & Co")
        assert places[0]["potentialAction"]["target"]["urlTemplate"] == f"{own_shop.origin}{path}"
        assert f'<link rel="canonical" href="{own_shop.origin}{path}">' in page
        assert f'hreflang="ar" href="{own_shop.origin}{path}?lang=ar"' in page
        assert f'property="og:image" content="{own_shop.origin}{path}/card.png"' in page
        card = await customer.http.get(f"{path}/card.png")
        assert (card.status_code, card.content[:4]) == (200, b"\x89PNG")
        await change_tenant(own_shop, accent="#ffffff")
        drawn = Image.open(BytesIO((await customer.http.get(f"{path}/card.png")).content))
        assert len(set(drawn.resize((60, 32)).tobytes())) > 1  # white on white shows nothing
        own = (await customer.see()).text
        assert "og:title" not in own
        assert "ld+json" not in own


async def test_only_named_sites_may_frame_the_page(own_shop: Shop) -> None:
    async with await booked(own_shop) as customer:
        path = customer.path[:-17]
        refused = await customer.http.get(path)
        assert "frame-ancestors 'none'" in refused.headers["content-security-policy"]
        assert refused.headers["x-frame-options"] == "DENY"
        await change_booking_page(own_shop, embedding_origins=["https://layan.example"])
        for page in (path, customer.path, f"{path}/mine"):
            allowed = (await customer.http.get(page)).headers
            assert "frame-ancestors https://layan.example" in allowed["content-security-policy"]
            assert "x-frame-options" not in allowed
