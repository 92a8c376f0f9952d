"""A business that changes its name in web addresses: what it has sent and printed goes on leading to it."""

from frontdesk.tenants.settings import MAX_EARLIER_SLUGS
from frontdesk.values.ids import uuid7
from tests.factories.users import owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop
from tests.ui.booking_page.test_customer_booking import booked, slug_of
from tests.ui.business.test_business_settings import HERE, save


def new_name() -> str:
    return f"name-{uuid7().hex[-12:]}"


async def test_links_under_an_earlier_name_lead_to_the_same_page(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    async with await booked(own_shop) as customer:
        old, new, code = await slug_of(own_shop), new_name(), customer.path.rsplit("/", 1)[1]
        cancel = form_fields((await customer.see()).text, f"{customer.path}/cancel")
        assert (await save(owner, slug=new)).status_code == 303
        for rest in ("", f"/{code}", f"/{code}/calendar.ics", "/brand.css", "?lang=ar", f"/{code}?booked=1"):
            answer = await customer.http.get(f"/book/{old}{rest}")
            assert (answer.status_code, answer.headers["location"]) == (308, f"/book/{new}{rest}")
            assert (await customer.http.get(answer.headers["location"])).status_code == 200
        stop = f"/reminders/{{}}/{'a' * 32}"
        assert (await customer.http.get(stop.format(old))).headers["location"] == stop.format(new)
        assert (await customer.http.get(f"/book/{old}/%0d%0aset-cookie:a")).headers["location"].count("\n") == 0
        canceled = await customer.send("/cancel", cancel)  # a form that was open when the name was changed
        assert (canceled.status_code, canceled.headers["location"].startswith(f"/book/{new}/")) == (303, True)
        assert (await customer.order())["status"] == "canceled"
        shown = texts((await owner.get(HERE)).text)
        assert f"Earlier names: {old}." in shown
        assert (await save(owner, slug=old)).status_code == 303  # back again
        assert (await customer.http.get(f"/book/{old}")).status_code == 200
        assert (await customer.http.get(f"/book/{new}")).headers["location"] == f"/book/{old}"


async def test_an_earlier_name_is_given_to_no_other_business_and_there_are_a_few(
    own_shop: Shop, neighbour: Shop, owner: DashboardClient
) -> None:
    theirs = await slug_of(neighbour)
    async with await dashboard_of(neighbour, await owner_of(neighbour)) as desk:
        assert (await save(desk, slug=new_name())).status_code == 303
    assert "Another business uses this name" in (await save(owner, slug=theirs)).text
    first = await slug_of(own_shop)
    for _ in range(MAX_EARLIER_SLUGS):
        assert (await save(owner, slug=new_name())).status_code == 303
    refused = await save(owner, slug=new_name())
    assert (refused.status_code, "changed this name too often" in refused.text) == (422, True)
    assert (await save(owner, slug=first)).status_code == 303
