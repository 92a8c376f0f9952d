"""Names of branches and of staff in two languages: entered once, and read by each in their own."""

from typing import Any

from frontdesk.values.ids import uuid7
from tests.factories.people import assign_service
from tests.support.branch import day, line, open_branch, start
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.pagination import json_exact
from tests.support.shop import Shop
from tests.ui.booking_page.test_customer_booking import code_of, slug_of

NAMES = {"en": ("Olaya", "Hessa Al-Dosari"), "ar": ("العليا", "حصة الدوسري")}


async def _read(desk: DashboardClient, path: str, language: str) -> str:
    return (await desk.get(path, headers={"accept-language": language})).text


async def _entered(owner: DashboardClient, path: str, form: dict[str, Any]) -> None:
    answer = await owner.post(path, form)
    assert answer.status_code == 303, texts(answer.text)


async def test_customers_read_the_names_of_their_language(
    own_shop: Shop, owner: DashboardClient, stranger: DashboardClient
) -> None:
    branch = await open_branch(own_shop)
    place, service_id, staff_id = branch.branch_id, await branch.add_service(price="100"), uuid7()
    filled = form_fields(await _read(owner, f"/settings/branches/{place}", "en"), f"/settings/branches/{place}")
    await _entered(owner, f"/settings/branches/{place}", {**filled, "name": NAMES["ar"][0], "name_en": NAMES["en"][0]})
    person = {"id": str(staff_id), "name": NAMES["ar"][1], "name_en": NAMES["en"][1], "branch_id": str(place)}
    await _entered(owner, "/staff/new", person)
    await assign_service(own_shop, staff_id, service_id)
    await branch.add_provider(service_id)
    order = await branch.place(line(service_id, staff_id=staff_id), start=start(day(5), "10:00"))

    public = f"/book/{await slug_of(own_shop)}"
    own_page = f"{public}/{await code_of(own_shop, order['id'])}"
    await _entered(owner, f"/orders/{order['id']}/invoice", {"id": str(uuid7())})
    for language, (branch_name, name) in NAMES.items():
        others = NAMES["ar" if language == "en" else "en"]
        step = await _read(
            stranger, f"{public}?branch={place}&services={service_id}&step=who&lang={language}", language
        )
        assert branch_name in step
        assert name in step
        mine = await _read(stranger, f"{own_page}?lang={language}", language)
        assert branch_name in mine
        assert name in mine
        receipt = await _read(owner, f"/orders/{order['id']}/receipt?language={language}", "en")
        assert name in receipt
        paper = await _read(owner, f"/orders/{order['id']}/invoice?language={language}", "en")
        assert branch_name in paper
        assert not [word for word in others for page in (step, mine, receipt, paper) if word in page]
        found = await owner.get("/search", params={"search": name})
        assert found.headers["location"] == f"/staff/{staff_id}"

    member = json_exact(await own_shop.get(f"/staff/{staff_id}"))["data"]
    assert (member["name"], member["names"]) == (NAMES["ar"][1], {"en": NAMES["en"][1]})
    edited = await owner.get(f"/staff/{staff_id}/edit")
    assert form_fields(edited.text, f"/staff/{staff_id}/edit")["name_en"] == [NAMES["en"][1]]
