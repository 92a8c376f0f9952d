"""The list of reasons for cancellations: chosen, edited, and counted in a report."""

import re

from tests.support.branch import day, line, open_branch, start
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.shop import Shop

ON = day(3)
SETTINGS = "/settings/cancel-reasons"


async def test_a_reason_is_chosen_from_the_list_and_counted(own_shop: Shop, owner: DashboardClient) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=30, price="80")
    provider = await branch.add_provider(cut)
    orders = [
        (await branch.place(line(cut, staff_id=provider), start=start(ON, at)))["id"] for at in ("10:00", "11:00")
    ]
    asked = (await owner.get(f"/orders/{orders[0]}/cancel")).text
    for text in ("The customer is ill", "Booked by mistake"):
        assert text in asked, text
    wrong = await owner.post(f"/orders/{orders[0]}/cancel", {"reason": "Something else"})
    assert (wrong.status_code, "Choose a reason from the list." in wrong.text) == (422, True)
    assert (await owner.post(f"/orders/{orders[0]}/cancel", {"reason": "Booked by mistake"})).status_code == 303
    await branch.move(orders[1], "canceled")  # by an application, which names none
    side = f"/calendar?date={ON}&branch={branch.branch_id}&order={orders[0]}"
    assert "Booked by mistake" in (await owner.get(side)).text
    assert "Changed to Canceled Booked by mistake" in texts((await owner.get(f"/orders/{orders[0]}")).text)
    report = f"/reports/cancel-reasons.csv?from={ON}&to={ON}&branch={branch.branch_id}"
    assert (await owner.get(report)).text.splitlines()[1:3] == ["Booked by mistake,1,80.00", "No reason given,1,80.00"]
    await owner.post("/language", {"language": "ar"})
    assert "Booked by mistake" not in (await owner.get(side)).text, "in the language of the reader"


async def test_the_business_edits_the_list(own_shop: Shop, owner: DashboardClient) -> None:
    branch = await open_branch(own_shop)
    cut = await branch.add_service()
    await branch.add_provider(cut)
    order = (await branch.place(line(cut), start=start(ON, "10:00")))["id"]
    saved = await owner.post(SETTINGS, {"en": ["Rain", "", "Heat"], "ar": ["مطر", "", ""]})
    assert saved.status_code == 303
    shown = (await owner.get(f"/orders/{order}/cancel")).text
    assert [text in shown for text in ("Rain", "Heat", "Booked by mistake")] == [True, True, False]
    for wrong in ({"en": [""], "ar": [""]}, {"en": ["Rain", "Rain"], "ar": ["", ""]}):
        assert (await owner.post(SETTINGS, wrong)).status_code == 422
    assert (await owner.post(SETTINGS, {"act": "default"})).status_code == 303
    assert "Booked by mistake" in (await owner.get(f"/orders/{order}/cancel")).text
    for language in ("en", "ar"):
        await owner.post("/language", {"language": language})
        for path, prefix in ((SETTINGS, ""), ("/catalogue/new?type=service", "option_name_")):
            fields = re.findall(rf'name="{prefix}(en|ar)"', (await owner.get(path)).text)
            assert fields[0] == language, "that of the reader"
