"""What was saved and does not work is said where it is saved, is red in its list, and can be mended on the overview."""

from datetime import timedelta
from uuid import UUID

import pytest

from frontdesk.attention.weekly import BranchWeek, Length, WeekHours
from frontdesk.auth.types import Role
from frontdesk.problems import Problem, encode_problem
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.problems import OffReason
from tests.factories.catalog import make_option
from tests.factories.changes import ago, change_row, change_rows, change_tenant
from tests.factories.credentials import make_client
from tests.factories.messages import insert_message
from tests.factories.settings import change_booking_page
from tests.factories.users import make_user
from tests.factories.webhooks import insert_webhook
from tests.support.branch import BranchFixture, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.pages.counter import Counter
from tests.support.shop import Shop

NOBODY = "Nobody performs"


@pytest.fixture
async def room(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


async def needs(owner: DashboardClient) -> str:
    return (await owner.get("/")).text.partition('id="needs"')[2].partition("</section>")[0]


async def test_a_new_service_is_performed_by_all_unless_one_is_unticked(
    room: BranchFixture, owner: DashboardClient
) -> None:
    nora, dana = await room.add_provider(), await room.add_provider()
    form = form_fields((await owner.get("/catalogue/new?type=service")).text, "/catalogue/new")
    assert {str(nora), str(dana)} <= set(form["performs"])
    named = {"name_en": "Lash lift", "price": "80", "duration": "30", "active": "yes", "branch": str(room.branch_id)}
    assert (await owner.post("/catalogue/new", {**form, **named, "performs": [str(dana)]})).status_code == 303
    rows = await room.shop.sql(
        "SELECT v.staff_id FROM staff_services v JOIN items i ON i.tenant_id = $1 AND i.id = v.item_id "
        "WHERE v.tenant_id = $1 AND i.name ->> 'en' = 'Lash lift'"
    )
    assert [row["staff_id"] for row in rows] == [dana]


async def test_a_service_that_nobody_performs(room: BranchFixture, owner: DashboardClient) -> None:
    await room.add_provider(await room.add_service())
    form = form_fields((await owner.get("/catalogue/new?type=service")).text, "/catalogue/new")
    named = {"name_en": "Lash lift", "price": "80", "duration": "30", "active": "yes", "branch": str(room.branch_id)}
    saved = await owner.post("/catalogue/new", {**form, **named, "performs": []})
    page = saved.headers["location"]
    assert f"{NOBODY} Lash lift" in (await owner.get(page)).text, "on the page that follows"
    listed = (await owner.get("/catalogue?search=lash")).text
    assert "Nobody performs it" in listed
    overview = await needs(owner)
    assert f"{NOBODY} Lash lift" in overview
    act = f"/attention/services/{page.rpartition('/')[2]}/perform"
    assert f'action="{act}"' in overview
    mended = await owner.post(act, {"back": page})
    assert mended.headers["location"] == page
    for path in (page, "/", "/catalogue?search=lash"):
        assert NOBODY not in (await owner.get(path)).text, path
    activity = texts((await owner.get("/activity")).text)
    assert "changed Lash lift" in activity or "Lash lift" in activity


async def test_a_provider_of_another_branch_does_not_perform_it_here(
    room: BranchFixture, owner: DashboardClient
) -> None:
    other = await open_branch(room.shop)
    service = await room.add_service(name={"en": "Peeling", "ar": "تقشير"})
    await other.add_provider(service)
    assert f"{NOBODY} Peeling" in await needs(owner)
    await room.add_provider(service)
    assert f"{NOBODY} Peeling" not in await needs(owner)


async def test_a_product_that_cannot_be_sold(room: BranchFixture, owner: DashboardClient) -> None:
    product = await room.add_product(name={"en": "Argan mask", "ar": "قناع"}, stock=0)
    package = await room.add_package({product: 2})
    await change_row(room.shop, "packages", package, name='{"en": "Gift box"}')
    overview = await needs(owner)
    assert "Argan mask cannot be sold" in overview
    assert f'href="/catalogue/{product}/stock"' in overview
    assert "Gift box cannot be sold" in overview
    assert "Argan mask cannot be sold" in (await owner.get(f"/catalogue/{product}")).text
    assert "Gift box cannot be sold" in (await owner.get(f"/catalogue/{package}")).text
    assert "None in stock" in (await owner.get("/catalogue?search=argan")).text
    await change_row(room.shop, "items", product, stock=5)
    overview = await needs(owner)
    assert "Argan mask" not in overview
    assert "Gift box" not in overview


async def test_an_item_whose_options_are_all_off_sale(room: BranchFixture, owner: DashboardClient) -> None:
    """It is sold with an option only, so nobody can sell or book it."""
    product = await room.add_product(name={"en": "Argan mask", "ar": "قناع"}, base_sellable=False)
    service = await room.add_service(name={"en": "Peeling", "ar": "تقشير"}, base_sellable=False)
    await room.add_provider(service)
    options = [await make_option(room.shop, id_, "30", active=False) for id_ in (product, service)]
    overview = await needs(owner)
    for id_, name in ((product, "Argan mask"), (service, "Peeling")):
        assert f"{name} cannot be sold" in overview
        assert f'href="/catalogue/{id_}#options"' in overview
        assert f"{name} cannot be sold" in (await owner.get(f"/catalogue/{id_}")).text
        assert "No option is on sale" in (await owner.get(f"/catalogue?search={name}")).text
    till = await Counter(owner).open(f"/till?branch={room.branch_id}&search=argan")
    assert "No option is on sale" in till.text
    await till.press(add=str(product))
    assert "none of its options is on sale" in till.text
    assert "Peeling" not in (await owner.get(f"/calendar/new?branch={room.branch_id}")).text
    for option in options:
        await change_row(room.shop, "item_options", UUID(option), is_active=True)
    assert "cannot be sold" not in await needs(owner)


async def test_opening_hours_without_staff_need_attention(room: BranchFixture, owner: DashboardClient) -> None:
    """Staff without hours of their own work when the branch is open."""
    service = await room.add_service(duration=30)
    provider = await room.add_provider(service)
    name = (await room.shop.sql("SELECT name FROM branches WHERE tenant_id = $1 AND id = $2", room.branch_id))[0][
        "name"
    ]
    words = f"{name} is open, but nobody works"
    assert words not in await needs(owner)
    week = {day: [("09:00", "17:00")] for day in range(7)} | {5: [("09:00", "14:00")]}
    await room.set_hours(week, staff_id=provider)
    overview = await needs(owner)
    assert words in overview
    assert "Friday" in overview
    assert "14:00–17:00" in overview
    page = (await owner.get(f"/settings/hours?branch={room.branch_id}")).text
    assert words in page
    assert "14:00–17:00" in page
    await room.add_provider(service)
    assert words not in await needs(owner)
    await room.set_hours({})
    assert f"{name} has no opening hours" in await needs(owner)
    assert f"{name} has no opening hours" in (await owner.get(f"/settings/hours?branch={room.branch_id}")).text


async def test_a_provider_without_services_and_a_service_that_never_fits(
    room: BranchFixture, owner: DashboardClient
) -> None:
    service = await room.add_service(name={"en": "Retreat", "ar": "جلسة"}, duration=600)
    await room.add_provider(service)
    assert "Retreat takes longer than anyone works" in await needs(owner)
    await change_row(room.shop, "items", service, duration=480)
    assert "Retreat takes longer" not in await needs(owner)
    idle = await room.add_provider()
    name = (await room.shop.sql("SELECT name FROM staff WHERE tenant_id = $1 AND id = $2", idle))[0]["name"]
    assert f"{name} performs no service" in await needs(owner)
    assert f"{name} performs no service" in (await owner.get(f"/staff/{idle}")).text
    assert "Performs no service" in (await owner.get(f"/staff?branch={room.branch_id}")).text


async def test_a_branch_without_phone_or_address(room: BranchFixture, owner: DashboardClient) -> None:
    await change_row(room.shop, "branches", room.branch_id, name="Olaya", phone=None, address=None)
    page = f"/settings/branches/{room.branch_id}"
    assert "Olaya has no phone number and no address" in await needs(owner)
    assert "No phone number and no address" in (await owner.get(page)).text
    assert "No phone number and no address" in (await owner.get("/settings/branches")).text
    await change_row(room.shop, "branches", room.branch_id, name="Olaya", phone="+966500000001", address=None)
    assert "Olaya has no address" in await needs(owner)
    await change_row(
        room.shop, "branches", room.branch_id, name="Olaya", phone="+966500000001", address="King Fahd Road"
    )
    assert "Olaya has no" not in await needs(owner)
    await change_row(room.shop, "branches", room.branch_id, name="Olaya", phone=None, address=None)
    await change_booking_page(room.shop, shown=False)
    assert "Olaya has no" not in await needs(owner), "nobody sees the page"


async def test_waiting_mail_needs_attention(room: BranchFixture, owner: DashboardClient) -> None:
    await insert_message(room.shop, "receipt", answer="no answer", due_in=timedelta(hours=1))
    assert "Mail has failed since" in await needs(owner)
    assert "Mail does not go out." in (await owner.get("/settings/notices")).text
    assert (await owner.post("/attention/mail")).status_code == 303
    (row,) = await room.shop.sql(
        "SELECT due_at <= now() AS is_due FROM messages WHERE tenant_id = $1 AND answer = 'no answer'"
    )
    assert row["is_due"]


async def test_a_missing_tax_setting_needs_attention(room: BranchFixture, owner: DashboardClient) -> None:
    await change_rows(room.shop, "tax_classes", is_default=False)
    for page in ("/", "/settings/business"):
        assert "The question about tax is still open" in (await owner.get(page)).text
    assert (await owner.post("/attention/no-tax", {"back": "/settings/business"})).status_code == 303
    for page in ("/", "/settings/business"):
        assert "The question about tax is still open" not in (await owner.get(page)).text


async def test_no_payment_method_and_a_webhook_that_was_switched_off(
    room: BranchFixture, owner: DashboardClient
) -> None:
    await change_rows(room.shop, "payment_methods", active=False)
    assert "No payment method is on" in await needs(owner)
    client = await make_client(room.shop)
    webhook = await insert_webhook(room.shop, client.id)
    await change_row(
        room.shop,
        "webhooks",
        webhook,
        disabled_at=ago(),
        disabled_reason=encode_problem(Problem(OffReason.SWITCHED_OFF)),
    )
    assert "was switched off" not in await needs(owner), "a person did it"
    await change_row(
        room.shop,
        "webhooks",
        webhook,
        disabled_at=ago(),
        disabled_reason=encode_problem(Problem(OffReason.NOTHING_ARRIVED, days=5)),
    )
    assert f"/webhooks/{webhook}" in await needs(owner)


async def test_optional_steps_stay_until_they_are_done_or_put_away(room: BranchFixture, owner: DashboardClient) -> None:
    await change_tenant(room.shop, setup_hidden_at=ago(), setup_dismissed=[])
    await change_rows(room.shop, "orders", source="api")
    assert "Invite your team" in await needs(owner)
    assert (await owner.post("/attention/dismiss", {"step": "team"})).status_code == 303
    assert "Invite your team" not in await needs(owner)
    await change_tenant(room.shop, setup_dismissed=[])
    assert "Invite your team" in await needs(owner)
    await make_user(room.shop, Role.RECEPTIONIST)
    assert "Invite your team" not in await needs(owner)
    assert (await owner.post("/attention/dismiss", {"step": "other"})).status_code == 422


def week(hours: dict[int, tuple[int, int]], *staff: dict[int, tuple[int, int]] | None, minutes: int = 30) -> BranchWeek:
    def of(days: dict[int, tuple[int, int]]) -> WeekHours:
        return WeekHours(intervals=tuple((day, *times) for day, times in days.items()))

    return BranchWeek(
        uuid7(),
        "Olaya",
        of(hours),
        tuple(None if each is None else of(each) for each in staff),
        (Length(UUID(int=1), {"en": "Cut"}, minutes),),
    )


def test_times_without_staff_in_the_usual_week() -> None:
    nine, night = (540, 1020), (1200, 120)
    assert week({1: nine}, None).without_staff() == []
    assert week({1: nine}, {1: (600, 1080)}).without_staff() == [(1, 540, 600)]
    assert week({1: nine}, {1: (540, 720)}, {1: (780, 1020)}).without_staff() == [(1, 720, 780)]
    assert week({6: night}, {6: (1200, 0)}).without_staff() == [(0, 0, 120)], "Saturday's night is on Sunday"
    assert week({}, {1: nine}).is_never_open
    assert week({6: night}, None, minutes=361).too_long()
    assert not week({6: night}, None, minutes=360).too_long(), "over midnight and the end of the week"
    assert BranchWeek(uuid7(), "", WeekHours(all_time=True), (WeekHours(),), ()).without_staff()[0] == (0, 0, 1440)


async def test_a_provider_who_is_not_linked_to_a_staff_member(room: BranchFixture, owner: DashboardClient) -> None:
    staff = await room.add_provider(await room.add_service())
    await change_row(room.shop, "staff", staff, name="Reem Alali", email=None)
    user = await make_user(room.shop, Role.PROVIDER, name="Reem Alali")
    overview = await needs(owner)
    assert "Reem Alali is not linked to a staff member" in overview
    act = f"/attention/staff/{staff}/member"
    assert f'action="{act}"' in overview
    assert (await owner.post(act, {"user": str(user)})).status_code == 303
    (row,) = await room.shop.sql("SELECT staff_id FROM memberships WHERE tenant_id = $1 AND user_id = $2", user)
    assert row["staff_id"] == staff
    assert "is not linked" not in await needs(owner)
    assert (await owner.post(act, {"user": str(user)})).status_code == 404, "it is done"
    nobody = await make_user(room.shop, Role.PROVIDER, name="Nobody Known")
    overview = await needs(owner)
    assert "Nobody Known is not linked" in overview
    assert f'value="{nobody}"' not in overview, "which of them it is, the owner says"
    assert "signs in as" in texts((await owner.get("/activity")).text).lower()
