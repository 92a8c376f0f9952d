"""To whom messages about online bookings go."""

from frontdesk.messages.secret_data import decrypt_values
from tests.ui.booking_page.test_booking_page import BOX, SARA, BookableBranch, bookable, orders_of, slug_of, visitor

__all__ = ["bookable"]


async def test_messages_go_to_the_address_of_the_booking_and_to_no_other(bookable: BookableBranch) -> None:
    """A person has booked with another customer's phone number and their own address. The other person books later."""
    shop = bookable.shop
    async with visitor(shop) as browser:
        await (await bookable.visit(browser)).send(name="Eve", email="eve@example.com")
        await (await bookable.visit(browser, "12:00")).send()
        await (await bookable.visit(browser, "14:00")).send(email="")
        assert len({order["customer_id"] for order in await orders_of(shop)}) == 1
        sent = await shop.sql("SELECT email FROM messages WHERE tenant_id = $1 AND kind = 'confirmation' ORDER BY id")
        assert [row["email"] for row in sent] == ["eve@example.com", SARA["email"]]
        path = f"/book/{await slug_of(shop)}"
        for email in ("eve@example.com", SARA["email"]):
            await browser.post(f"{path}/mine", data={"email": email}, headers={"origin": shop.origin})
        rows = await shop.sql(
            "SELECT secret FROM messages WHERE tenant_id = $1 AND kind = 'bookings_link' ORDER BY email"
        )
        pages = [await browser.get(decrypt_values(BOX, row["secret"])["link"]) for row in rows]
        assert [page.text.count('class="ticket"') for page in pages] == [1, 1]
        assert ["10:00" in page.text for page in pages] == [True, False]
