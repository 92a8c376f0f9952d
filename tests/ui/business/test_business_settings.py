"""The settings of a business: saved with their version, the currency before the first sale, tax classes by day."""

from typing import Any

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_rows, delete_rows
from tests.factories.users import make_user
from tests.support.branch import day
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop

HERE = "/settings/business"


async def save(desk: DashboardClient, **changes: Any) -> Any:
    fields = form_fields((await desk.get(HERE)).text, HERE)
    return await desk.post(HERE, {**fields, **changes}, page=HERE)


async def row(shop: Shop) -> Any:
    (found,) = await shop.sql(
        "SELECT n.*, s.slug FROM tenants n JOIN tenant_slugs s ON s.tenant_id = n.id AND is_current WHERE n.id = $1"
    )
    return found


async def forget_sales(shop: Shop) -> None:
    for table in ("tips", "refunds", "transactions", "bookings", "order_line_stock", "order_lines", "orders"):
        await delete_rows(shop, table)


async def test_business_settings_are_stored_and_recorded(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    untouched = await other_shop.sql("SELECT version FROM tenants WHERE id = $1")
    slug = f"layan-{uuid7().hex[-8:]}"
    saved = await save(
        owner,
        name="ليان",
        slug=slug.upper(),
        timezone="Asia/Dubai",
        move_times="yes",
        country="AE",
        languages="en,ar",
        notice_hours="٢ ساعة",
        deposit_percent="٢٠٪",
        prices="on_top",
        note_en="No returns.",
        accent="#6B2D5C",
        tax_number="٣٠٠١٢٣ ٤٥٦٧٨٩٠٠٣",
    )
    assert saved.status_code == 303, saved.text
    now = await row(own_shop)
    assert (now["name"], now["slug"], now["timezone"], now["country"]) == ("ليان", slug, "Asia/Dubai", "AE")
    assert (now["languages"], now["notice_hours"], now["deposit_percent"]) == (["en", "ar"], 2, 20)
    assert now["tax_registration_number"] == "300123456789003"
    assert (now["prices_include_tax"], now["accent"], now["version"]) == (False, "#6b2d5c", 2)
    (entry,) = await own_shop.sql("SELECT action, before, after FROM activity WHERE tenant_id = $1")
    assert entry["action"] == "business.updated"
    assert '"Asia/Riyadh"' in entry["before"]
    assert await other_shop.sql("SELECT version FROM tenants WHERE id = $1") == untouched


async def test_a_time_zone_that_moves_upcoming_bookings_is_confirmed(own_shop: Shop, owner: DashboardClient) -> None:
    assert (await save(owner, timezone="Asia/Kuwait")).status_code == 303  # the same clock as in Riyadh
    refused = await save(owner, timezone="Asia/Dubai")
    assert refused.status_code == 422
    assert "Coming bookings would be shown at another time of day." in texts(refused.text)
    assert (await row(own_shop))["timezone"] == "Asia/Kuwait"
    confirmed = {**form_fields(refused.text, HERE), "move_times": "yes"}
    assert (await owner.post(HERE, confirmed, page=HERE)).status_code == 303
    assert (await row(own_shop))["timezone"] == "Asia/Dubai"
    await forget_sales(own_shop)
    assert (await save(owner, timezone="Asia/Riyadh")).status_code == 303


async def test_a_stale_form_changes_nothing_and_keeps_what_was_typed(own_shop: Shop, owner: DashboardClient) -> None:
    stale = form_fields((await owner.get(HERE)).text, HERE)
    await save(owner, name="First")
    refused = await owner.post(HERE, {**stale, "name": "Second"}, page=HERE)
    assert refused.status_code == 422
    assert 'value="Second"' in refused.text
    assert "First" in texts(refused.text)
    assert "after you opened it" not in texts(refused.text)  # what changed says it
    assert (await row(own_shop))["name"] == "First"
    again = await owner.post(HERE, {**form_fields(refused.text, HERE)}, page=HERE)
    assert (again.status_code, (await row(own_shop))["name"]) == (303, "Second")


async def test_the_currency_changes_only_before_the_first_sale_and_by_an_owner(
    own_shop: Shop, owner: DashboardClient
) -> None:
    refused = await save(owner, currency="AED")
    assert (refused.status_code, "after the first sale" in refused.text) == (422, True)
    await forget_sales(own_shop)
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.MANAGER)) as manager:
        assert (await save(manager, currency="AED")).status_code == 422
    refused = await save(owner, currency="JPY")
    assert "fewer decimals" in refused.text
    assert (await save(owner, currency="KWD")).status_code == 303
    now = await row(own_shop)
    assert (now["currency"], now["currency_decimals"]) == ("KWD", 3)


async def test_an_unknown_country_is_refused_in_business_settings(own_shop: Shop, owner: DashboardClient) -> None:
    refused = await save(owner, country="-1")
    assert (refused.status_code, "Choose a country." in refused.text) == (422, True)
    assert (await row(own_shop))["country"] == "SA"


async def test_a_name_in_web_addresses_belongs_to_one_business(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    (taken,) = await other_shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    refused = await save(owner, slug=taken["slug"])
    assert (refused.status_code, "Another business uses this name" in refused.text) == (422, True)
    for wrong in ("a", "two words", "-dash", "عربي"):
        assert (await save(owner, slug=wrong)).status_code == 422


async def test_a_tax_class_has_rates_with_their_days(own_shop: Shop, owner: DashboardClient) -> None:
    new = f"{HERE}/tax-classes/new"
    fields = {
        "id": str(uuid7()),
        "name_en": "Reduced",
        "name_ar": "مخفضة",
        "rate": ["٥٪", ""],
        "starts_on": ["2026-01-01", ""],
    }
    unreadable = await owner.post(new, {**fields, "rate": ["", "five"]}, page=new)
    assert "Enter a percentage such as 15." in texts(unreadable.text)
    assert "at least one rate" not in texts(unreadable.text)
    assert (await owner.post(new, fields, page=new)).status_code == 303
    assert (await owner.post(new, fields, page=new)).status_code == 303  # a double click
    for same in ({"name_en": "REDUCED", "name_ar": ""}, {"name_en": "", "name_ar": "مخفّضه"}):
        taken = await owner.post(new, {**fields, **same, "id": str(uuid7())}, page=new)
        assert (taken.status_code, "Another tax class has this name." in taken.text) == (422, True)
    (found,) = await own_shop.sql(
        "SELECT id, is_default FROM tax_classes WHERE tenant_id = $1 AND name ->> 'en' = 'Reduced'"
    )
    assert not found["is_default"]
    path = f"{HERE}/tax-classes/{found['id']}"
    shown = form_fields((await owner.get(path)).text, path)
    assert (shown["rate"], shown["starts_on"]) == (["5", ""], ["2026-01-01", ""])
    later = day(0).year + 1
    changed = {**shown, "rate": ["5", "7,5"], "starts_on": ["2026-01-01", f"{later}-01-01"], "is_default": "true"}
    (default,) = await own_shop.sql("SELECT name ->> 'en' AS name FROM tax_classes WHERE tenant_id = $1 AND is_default")
    taken = await owner.post(path, {**changed, "name_en": default["name"]}, page=path)
    assert "Another tax class has this name." in taken.text
    assert (await owner.post(path, changed, page=path)).status_code == 303
    page = texts((await owner.get(HERE)).text)
    assert f"Reduced Default 5% 7.5% 1 January {later}" in page
    assert (await owner.post(path, changed, page=path)).status_code == 422  # it was opened before the change
    assert (await owner.post(f"{path}/delete", page=path)).status_code == 422  # the default
    (old,) = await own_shop.sql("SELECT id FROM tax_classes WHERE tenant_id = $1 AND NOT is_default")
    await change_rows(own_shop, "items", {"type": "product"}, tax_class_id=old["id"])
    assert "use this tax class" in (await owner.post(f"{HERE}/tax-classes/{old['id']}/delete", page=path)).text
    await change_rows(own_shop, "items", tax_class_id=None)
    assert (await owner.post(f"{HERE}/tax-classes/{old['id']}/delete", page=path)).status_code == 303


async def test_a_colour_is_read_as_people_copy_it_and_a_long_note_is_refused_at_its_field(
    own_shop: Shop, owner: DashboardClient
) -> None:
    for typed, stored in (("6B2D5C", "#6b2d5c"), (" #FA0", "#ffaa00"), ("", None)):
        assert (await save(owner, accent=typed)).status_code == 303, typed
        assert (await row(own_shop))["accent"] == stored
    for wrong in ("red", "#12345", "#12345g"):
        assert "six hexadecimal digits" in (await save(owner, accent=wrong)).text, wrong
    assert "Enter fewer hours" in (await save(owner, notice_hours="48", horizon_days="2")).text
    long = await save(owner, note_ar="ن" * 501)
    assert (long.status_code, 'id="f-note_ar-e"' in long.text) == (422, True)


async def test_texts_are_asked_for_in_the_languages_of_the_business(own_shop: Shop, owner: DashboardClient) -> None:
    """And in others that have a text, so that no save loses it."""
    assert (await save(owner, languages="en", note_ar="لا ترجع")).status_code == 303
    shown = form_fields((await owner.get(HERE)).text, HERE)
    assert (shown["note_ar"], "note_en" in shown) == (["لا ترجع"], True)
    for path in (f"{HERE}/tax-classes/new", "/settings/payment-methods/new"):
        fields = form_fields((await owner.get(path)).text, path)
        assert ("name_en" in fields, "name_ar" in fields) == (True, False), path
    await save(owner, languages="ar", note_ar="")
    shown = form_fields((await owner.get(HERE)).text, HERE)
    assert ("note_ar" in shown, "note_en" in shown) == (True, False)
