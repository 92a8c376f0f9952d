"""By choice, an import takes a row and leaves out the values that cannot be read."""

import csv
import io
import re

from tests.factories.people import make_customer
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop
from tests.ui.imports.test_import import checked, counted, run, settled

PEOPLE = """Name,Phone,E-mail,City,Tax number
Huda Saleh,055 31,huda@example.com,Riyadh,123
Noura Fahd,0502207781,not an address,Je,
X,0502207782,,,
"""


async def leave_out(desk: DashboardClient, path: str, choice: str) -> str:
    """Checks the rows again with the other choice."""
    page = (await desk.get(path)).text
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version
    columns = [found for found in re.findall(r'<option value="([a-z_]*)" selected', page) if found not in ("yes", "no")]
    form = {"version": version[1], "column": columns, "country": "SA", "leave_out_wrong": choice}
    assert (await desk.post(f"{path}/columns", form)).status_code == 303
    return await settled(desk, path)


async def test_a_wrong_value_is_left_out_by_choice_and_named(owner: DashboardClient, own_shop: Shop) -> None:
    existing = await make_customer(own_shop, "Noura", "Fahd", phone="+966502207781", city="Jeddah")
    before = await counted(own_shop, "customers")
    path = await checked(owner, PEOPLE)
    refused = (await owner.get(path)).text
    assert "Import 1 row" not in refused  # without the choice, all rows are refused
    page = await leave_out(owner, path, "yes")
    for text in (
        "2 rows are taken without a value that cannot be read.",
        "Left out: &#39;055 31&#39; is not a phone number",
        "Left out: The tax number must have 15 digits.",
        "Left out: &#39;not an address&#39; is not an e-mail address.",
        "Left out: The city must have 3 to 255 characters.",
        "No name. At least 2 letters are needed.",  # a row needs a name
    ):
        assert text in page, text
    only = (await owner.get(f"{path}?left_out=yes")).text
    assert "Huda Saleh" in only
    assert "No name. At least 2 letters are needed." not in only
    assert "1 new, 0 changed, 1 refused" in await run(owner, path)
    (huda,) = await own_shop.sql("SELECT * FROM customers WHERE tenant_id = $1 AND email = 'huda@example.com'")
    assert (huda["phone"], huda["city"], huda["tax_registration_number"]) == (None, "Riyadh", None)
    (noura,) = await own_shop.sql("SELECT city, email FROM customers WHERE tenant_id = $1 AND id = $2", existing)
    assert tuple(noura) == ("Jeddah", None)
    assert await counted(own_shop, "customers") == before + 1
    report = list(csv.reader(io.StringIO((await owner.get(f"{path}/left-out")).content.decode("utf-8-sig"))))
    assert [row[0] for row in report] == ["Name", "Huda Saleh", "Noura Fahd"]
    assert "'055 31' is not a phone number" in report[1][-1]
    assert "15 digits" in report[1][-1]


async def test_an_unknown_name_is_left_out_and_a_week_as_a_whole(owner: DashboardClient, own_shop: Shop) -> None:
    """A day alone would become a day off."""
    staff = "Name,Services,Sunday,Monday\nReem Left,Cut of nobody,9 to noon o'clock,09:00-17:00\n"
    path = await checked(owner, staff, "staff")
    page = await leave_out(owner, path, "yes")
    assert "Left out: No service of the branch is called &#39;Cut of nobody&#39;." in page
    assert "is not a time such as 09:00-17:00." in page
    assert "1 new, 0 changed, 0 refused" in await run(owner, path)
    (reem,) = await own_shop.sql("SELECT id FROM staff WHERE tenant_id = $1 AND name = 'Reem Left'")
    for table in ("working_hours", "staff_services"):
        assert await own_shop.sql(f"SELECT FROM {table} WHERE tenant_id = $1 AND staff_id = $2", reem["id"]) == []
    items = "Name,Type,Duration,Price,Tax class,Offer\nNails left,service,30,80,No such class,a lot\n"
    path = await checked(owner, items, "items")
    page = await leave_out(owner, path, "yes")
    assert "Left out: No tax class is called &#39;No such class&#39;." in page
    assert "Left out: The offer: &#39;a lot&#39; is not an amount" in page
    assert "1 new, 0 changed, 0 refused" in await run(owner, path)


async def test_the_choice_is_made_at_the_upload_and_recorded(owner: DashboardClient, own_shop: Shop) -> None:
    path = await checked(owner, "Name,Phone\nHuda Choice,12\n")
    assert "A value that cannot be read" in (await owner.get("/import")).text
    assert "is not a phone number" in await leave_out(owner, path, "no")
    assert "1 row is taken without a value" in await leave_out(owner, path, "yes")
    assert "1 row is taken without a value" not in await leave_out(owner, path, "no")
    entries = await own_shop.sql(
        "SELECT after::text FROM activity WHERE tenant_id = $1 AND action = 'import.columns_changed'"
    )
    assert any('"leave_out_wrong": true' in entry["after"] for entry in entries)
