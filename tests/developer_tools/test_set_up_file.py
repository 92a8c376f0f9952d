"""`frontdesk export` and `frontdesk apply`: a file is a business, and a business matches its file."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from frontdesk.developer_tools.set_up_file.plan import make_plan
from frontdesk.developer_tools.set_up_file.schema import file_schema
from tests.developer_tools.set_up_files import Business, demo_business, new_business
from tests.support.repetitions import LONG_SECONDS
from tests.support.service import Service


@pytest.fixture
async def business(service: Service, tmp_path: Path) -> Business:
    return await demo_business(service, tmp_path)


async def test_a_file_makes_an_equal_business(business: Business, service: Service, tmp_path: Path) -> None:
    await business.applied(_arranged(await business.set_up()))
    written = await business.export()
    (branch,) = yaml.safe_load(written)["branches"]
    second = await new_business(service, tmp_path, branch["name"])
    lines = await second.applied(written)
    assert len([line for line in lines if line.startswith("+ create  item ")]) == len(yaml.safe_load(written)["items"])
    assert await second.export() == written


def _arranged(set_up: dict[str, Any]) -> dict[str, Any]:
    """In another order, with settings that no new business has."""
    for section in ("categories", "items", "staff", "payment_methods"):
        set_up[section].reverse()
    set_up["payment_methods"][0]["status"] = False
    set_up["branches"][0]["names"] = {"en": "Lamsa Yasmin"}
    set_up["staff"][0]["names"] = {"en": "Joud", "ar": "جود"}
    set_up["business"] |= {"notice_hours": 5, "accent": "#7A4B2F", "cancel_reasons": [{"en": "Ill"}, {"en": "Rain"}]}
    set_up["booking_page"] |= {"about": {"en": "Hair"}, "embedding_origins": ["https://www.layan.example"]}
    set_up["drawers"] = {"own_shifts": True, "branches": [{"branch": set_up["branches"][0]["name"], "drawers": 2}]}
    set_up["messages"] |= {"quiet_from": "21:30", "quiet_until": "08:00", "birthday": True, "reminder": False}
    set_up["messages"]["texts"] = {"reminder": {"ar": {"words": "أهلا"}}, "receipt": {"en": {"subject": "Thank you"}}}
    return set_up


async def test_records_are_moved_as_often_as_needed(business: Business) -> None:
    set_up = await business.set_up()
    first, second, third = (record["name"]["en"] for record in set_up["payment_methods"])
    set_up["payment_methods"].append(set_up["payment_methods"].pop(0))
    new = {"name": {"en": "Gift card"}, "type": "other"}
    set_up["payment_methods"].insert(0, new)
    lines = await business.applied({"payment_methods": set_up["payment_methods"]})
    assert [" ".join(line.split()) for line in lines] == [
        "+ create payment method Gift card",
        f"~ move payment method Gift card: before {second}",
        f"~ move payment method {first}: to the end",
    ]
    after = [record["name"]["en"] for record in (await business.set_up())["payment_methods"]]
    assert after == ["Gift card", second, third, first]
    part = [record for record in set_up["payment_methods"] if record["name"]["en"] in (first, "Gift card")]
    assert await business.applied({"payment_methods": part}) == []


async def test_an_item_that_changes_its_category_has_a_place_there(business: Business) -> None:
    set_up = await business.set_up()
    items = set_up["items"]
    other = next(item for item in items if item["category"] != items[0]["category"])
    items.remove(other)
    items.insert(0, {**other, "category": items[0]["category"]})
    lines = await business.applied(set_up)
    assert [line.split()[1] for line in lines] == ["change", "move"]
    assert (await business.set_up())["items"] == items


async def test_settings_that_the_file_does_not_have_stay_and_null_clears(business: Business) -> None:
    await business.applied(_arranged(await business.set_up()))
    before = await business.set_up()
    lines = await business.applied(
        {
            "business": {"accent": None, "cancel_reasons": None},
            "booking_page": {"about": None, "embedding_origins": []},
            "messages": {"quiet_from": None, "quiet_until": None, "texts": {"receipt": {"en": {"subject": "Hello"}}}},
        }
    )
    assert [line.partition(":")[0].split()[1:] for line in lines] == [
        ["change", "settings", "business"],
        ["change", "settings", "booking", "page"],
        ["change", "settings", "messages"],
    ]
    after = await business.set_up()
    texts = {"receipt": {"en": {"subject": "Hello"}}}
    assert after == {
        **before,
        "business": {**before["business"], "accent": None, "cancel_reasons": None},
        "booking_page": {**before["booking_page"], "about": None, "embedding_origins": []},
        "messages": {**before["messages"], "quiet_from": None, "quiet_until": None, "texts": texts},
    }


async def test_its_own_file_changes_nothing_and_is_the_same_each_time(business: Business) -> None:
    written = await business.export()
    assert await business.applied(written) == []
    assert await business.export() == written


async def test_a_file_has_names_and_nothing_secret(business: Business) -> None:
    written = await business.export()
    assert re.search("[0-9a-f]{8}-[0-9a-f]{4}-|fd[cks]_", written) is None
    (customer,) = await business.client.shop.sql(
        "SELECT first_name, last_name, phone FROM customers WHERE tenant_id = $1 AND phone IS NOT NULL LIMIT 1"
    )
    assert customer["phone"] not in written
    assert list(Draft202012Validator(file_schema()).iter_errors(yaml.load(written, _AsJson))) == []


class _AsJson(yaml.SafeLoader):  # type: ignore[misc]
    """JSON has no dates."""


_AsJson.add_constructor("tag:yaml.org,2002:timestamp", _AsJson.construct_yaml_str)


CHANGES = {
    "price": ("items", {"price": 130.5}, "price 120.00 → 130.5"),
    "offer": ("items", {"offer_price": 99, "offer_until": "2030-01-31"}, "offer_price none → 99"),
    "names": ("items", {"key": "Haircut", "name": {"en": "Cut"}}, "name Haircut / قص شعر → Cut"),
    "cleared": ("items", {"description": None, "sku": None}, "sku SV-001 → none"),
    "minutes": ("items", {"duration": 50, "buffer_after": 10}, "duration 45 → 50; buffer_after 0 → 10"),
    "off sale": ("items", {"status": False}, "status true → false"),
    "category": ("items", {"category": "Care and nails"}, "category Hair → Care and nails"),
    "hidden": ("categories", {"status": False}, "status true → false"),
    "hours": ("branches", {"hours": {"sun": "09:00-12:00, 22:00-02:00"}}, "→ sun 09:00-12:00 22:00-02:00"),
    "always": ("branches", {"hours": "always"}, "→ always"),
    "branch": ("branches", {"address": "Street 1", "slug": "New Slug"}, "slug lamsa-alyasmin → new-slug"),
    "phone": ("branches", {"phone": "+966 50 123 4567"}, "phone +966501180240 → +966501234567"),
    "no phone": ("branches", {"phone": None, "phone_country": None}, "phone +966501180240 → none"),
    "package": ("packages", {"items": [{"item": "Haircut", "quantity": 2}]}, "items Blow-dry, Hair mask → Haircut 2"),
    "rates": ("tax_classes", {"rates": [{"starts_on": "2030-01-01", "rate": 10}]}, "→ 2030-01-01 10"),
    "terms": ("staff", {"services": [{"service": "Haircut", "price": 200}]}, "→ Haircut 200"),
    "no services": ("staff", {"services": []}, "→ none"),
    "own hours": ("staff", {"hours": {"mon": "10:00-12:00"}}, "hours branch → mon 10:00-12:00"),
    "left": ("staff", {"title": {"en": "Owner"}, "email": None}, "→ Owner"),
}


_WORDS = {"tax_classes": "tax class", "branches": "branch", "categories": "category", "items": "item"}
_WORDS |= {"packages": "package", "staff": "staff member"}
_LATER = ("minutes", "off sale", "always", "no phone", "no services")  # beside others they read otherwise
_AT_ONCE = ([name for name in CHANGES if name not in _LATER], list(_LATER))


@pytest.mark.torture
@pytest.mark.parametrize("names", [[name] for name in CHANGES] if LONG_SECONDS else _AT_ONCE, ids=" and ".join)
async def test_what_differs_is_shown_and_changed(names: list[str], business: Business) -> None:
    """Many changes at once; `make torture` makes each alone."""
    set_up = await business.set_up()
    for section, fields, _ in map(CHANGES.__getitem__, names):
        set_up[section][0].update(fields)
    lines = {line[10:26].strip(): line for line in await business.applied(set_up)}
    assert lines.keys() == {_WORDS[CHANGES[name][0]] for name in names}
    for section, _, shown in map(CHANGES.__getitem__, names):
        assert lines[_WORDS[section]].startswith("~ change  ")
        assert shown in lines[_WORDS[section]]


async def test_only_what_the_file_has_is_compared(business: Business) -> None:
    before = await business.export()
    haircut = {"name": {"en": "Haircut", "ar": "قص شعر"}, "type": "service", "price": 120, "duration": 45}
    branch = yaml.safe_load(before)["branches"][0]["name"]
    assert await business.applied({"items": [{**haircut, "branch": branch}]}) == []
    assert await business.export() == before


async def test_options_are_added_changed_and_taken_off_sale(business: Business) -> None:
    set_up = await business.set_up()
    colour = set_up["items"][2]
    short, medium, _ = colour["options"]
    medium["price"] = 330
    colour["options"] = [short, medium, {"name": {"en": "Very long"}, "price": 500, "duration": 180}]
    (line,) = await business.applied(set_up)
    assert line.endswith("Hair colour: option Medium: price 320.00 → 330; new option Very long")
    (line,) = await business.applied(set_up, "--retire")
    assert line.endswith("Hair colour: option Long: off sale")
    options = (await business.set_up())["items"][2]["options"]
    assert [(option["name"]["en"], option.get("is_active", True)) for option in options] == [
        ("Short", True),
        ("Medium", True),
        ("Long", False),
        ("Very long", True),
    ]


async def test_what_the_file_does_not_have_stays_unless_it_is_retired(business: Business) -> None:
    before = await business.set_up()
    branch = before["branches"][0]["name"]
    name = {"name": {"en": "New"}, "branch": branch}
    new: dict[str, dict[str, Any]] = {
        "tax_classes": {"name": {"en": "New"}, "rates": [{"starts_on": "2026-01-01", "rate": 5}]},
        "branches": {"name": "New"},
        "categories": name,
        "items": {**name, "type": "service", "price": 30, "duration": 30, "category": "New"},
        "packages": {**name, "price": 50, "items": [{"item": "New", "quantity": 2}]},
        "staff": {"name": "New", "branch": branch, "services": ["New"]},
    }
    assert len(await business.applied({section: [record] for section, record in new.items()})) == len(new)
    assert await business.applied(before) == []
    assert await business.applied({"branches": [*before["branches"], new["branches"]]}, "--retire") == []
    retired = await business.applied(before, "--retire")
    assert [" ".join(line.split()[2:]) for line in retired] == [
        "staff member New",
        "package New",
        "item New",
        "category New",
        "branch New",
        "tax class New",
    ]
    after = await business.set_up()
    left = {section: after[section][-1].get("status") for section in new if len(after[section]) > len(before[section])}
    assert left == dict.fromkeys(("branches", "categories", "items", "packages"), False)


async def test_who_left_comes_back(business: Business) -> None:
    (branch,) = (await business.set_up())["branches"]
    lina = {"name": "Lina", "branch": branch["name"], "services": ["Haircut"], "hours": {"sun": "10:00-12:00"}}
    await business.applied({"staff": [lina]})
    (line,) = await business.applied({"staff": [{**lina, "status": False}]})
    assert line.endswith("Lina: status true → false")
    (line,) = await business.applied({"staff": [lina]})
    assert line.endswith("Lina: status false → true")
    assert [member["name"] for member in (await business.set_up())["staff"]].count("Lina") == 1


async def test_one_name_in_two_branches_and_twice_in_one(business: Business, service: Service, tmp_path: Path) -> None:
    set_up = await business.set_up()
    (main,) = set_up["branches"]
    haircut = {"name": {"en": "Haircut"}, "type": "service", "duration": 30}
    here = {**haircut, "key": "Quick", "branch": main["name"], "price": 60}
    there = {**haircut, "branch": "Malaz", "price": 110}
    noura = {"name": "Noura", "branch": "Malaz", "services": ["Haircut (Malaz)"]}
    added = {"branches": [{"name": "Malaz", "hours": "always"}], "items": [here, there], "staff": [noura]}
    there["key"] = "Haircut (Malaz)"
    first = await business.apply(added, "--plan")
    assert "2 to create" not in first.stdout  # the first one is the item that is there already
    both = {**added, "items": [set_up["items"][0], here, there]}
    assert len(await business.applied(both)) == 4
    written = await business.export()
    keys = [record.get("key") for record in yaml.safe_load(written)["items"]]
    assert keys[0] == f"Haircut ({main['name']})"
    assert keys[-2:] == [f"Haircut ({main['name']}) 2", "Haircut (Malaz)"]
    second = await new_business(service, tmp_path, main["name"])
    await second.applied(written)
    assert await second.export() == written


async def test_it_asks_before_it_changes_anything(business: Business) -> None:
    before = await business.export()
    changed = before.replace("price: 120.00", "price: 121.00")
    refused = await business.apply(changed)  # nobody answers
    assert refused.returncode == 1
    assert "Apply it?" in refused.stdout
    planned = await business.apply(changed, "--plan")
    assert planned.stdout.splitlines() == [
        "~ change  item            Haircut: price 120.00 → 121.00",
        "1 to change, 30 as the file says",
    ]
    assert await business.export() == before


async def test_it_stops_at_the_first_refusal_with_its_line_and_continues(business: Business) -> None:
    set_up = await business.set_up()
    set_up["items"][0]["price"] = 125
    set_up["items"][1]["offer_price"] = 90
    set_up["items"][2]["price"] = 255
    stopped = await business.apply(set_up, "--yes")
    lines = business.file.read_text("utf-8").splitlines()
    (line,) = [n for n, text in enumerate(lines, 1) if text == "  offer_price: 90"]
    assert stopped.returncode == 2
    first, second = stopped.stderr.splitlines()
    assert first.startswith(f"frontdesk: line {line}: items[1].offer_price: ")
    assert second == "1 of 3 were done; run the command again and it continues"
    set_up["items"][1]["offer_price"] = 70
    assert len(await business.applied(set_up)) == 2


async def test_a_change_made_meanwhile_is_not_overwritten(business: Business, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontdesk_client.retry.RetryPolicy.delay_after", lambda *_: None)
    shop, set_up = business.client.shop, await business.set_up()
    set_up["items"][0]["price"] = 125
    read = "frontdesk.cli.set_up_files.make_plan"

    def plan_late(*given: Any, **options: Any) -> Any:
        plan = make_plan(*given, **options)
        for step in plan.steps:
            assert step.present is not None
            step.present.version = (step.present.version or 0) + 1
        return plan

    monkeypatch.setattr(read, plan_late)
    stopped = await business.apply(set_up, "--yes")
    assert stopped.returncode == 2
    assert "items[0]: it was changed since it was read" in stopped.stderr
    assert (await shop.first("/items"))["price"] == 120
