"""Where the business asks for it, a customer proves an e-mail address before the booking."""

from frontdesk.messages.secret_data import decrypt_values
from tests.factories.changes import ago, change_rows
from tests.factories.settings import change_booking_page
from tests.support.shop import Shop
from tests.ui.booking_page.test_booking_page import BOX, SARA, enter_books, open_bookable_branch, orders_of, visitor


async def test_an_address_is_proven_by_a_code_where_the_business_asks_for_it(own_shop: Shop) -> None:
    shop, bookable = own_shop, await open_bookable_branch(own_shop)
    await change_booking_page(shop, asks_for_code=True)

    async def sent_codes() -> list[str]:
        rows = await shop.sql(
            "SELECT secret FROM messages WHERE tenant_id = $1 AND kind = 'contact_code' ORDER BY created_at"
        )
        return [decrypt_values(BOX, row["secret"])["code"] for row in rows]

    async with visitor(shop) as browser:
        form = await bookable.visit(browser)
        assert "A code is sent to it." in (await form.send(email="")).text
        asked = await form.send()
        assert asked.status_code == 200
        assert "Code from the e-mail" in asked.text
        assert "Send a new code" in asked.text
        assert enter_books(asked)
        (code,) = await sent_codes()
        wrong = "000000" if code != "000000" else "000001"
        for _ in range(4):
            assert "This code is not right" in (await form.send(code=wrong)).text
        assert "This code is not right" in (await form.send(code=code, email="other@example.com")).text
        assert "was sent a moment ago" in (await form.send(again="yes", code="")).text
        await change_rows(shop, "contact_codes", sent_at=ago(minutes=2))
        assert (await form.send(again="yes")).status_code == 200
        assert await orders_of(shop) == []
        booked = await form.send(code=(await sent_codes())[-1])
        assert booked.status_code == 303
    (order,) = await orders_of(shop)
    assert order["email"] == SARA["email"]
