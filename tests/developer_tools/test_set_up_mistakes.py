"""What is wrong with a file is told with its line and field, all of it, before anything is asked or changed."""

from pathlib import Path

import pytest

from frontdesk.developer_tools.set_up_file.kinds import KINDS, OPTION_FIELDS
from frontdesk.developer_tools.set_up_file.reading import read_file
from frontdesk.developer_tools.set_up_file.records import FileRefused
from frontdesk.docs_site.guide_files import FOLDER
from tests.developer_tools.set_up_files import Business, demo_business
from tests.support.service import Service

BY_HAND = "applications create no payment method of this type: create it in the dashboard first"
ITEM = "- name: {en: Cut}\n  type: service\n  branch: Main\n  price: 10\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("items:\n  - [", "line 2: this is no YAML: "),
        ("items: \x07", "line 1: this is no YAML: "),
        ("- a", "line 1: write sections, such as items:"),
        ("itms: []", "line 1: itms: no such section: did you mean items?"),
        ("items: []\nitems: []", "line 2: items: it is there twice"),
        ("items: 3", "line 1: items: write a list of records"),
        ("items:\n- 3", "line 2: items[0]: write a record with the fields name, type, …"),
        (f"items:\n{ITEM}  prise: 3", "line 6: items[0].prise: no such field: did you mean price?"),
        (f"items:\n{ITEM}  price: 3", "line 6: items[0].price: it is there twice"),
        ("items:\n- name: {en: Cut}\n  branch: Main\n  price: 10", "line 2: items[0]: type is missing"),
        (f"items:\n{ITEM}".replace("10", "ten"), "line 5: items[0].price: write a number, such as 120.00"),
        (f"items:\n{ITEM}".replace("10", ".nan"), "line 5: items[0].price: write a number, such as 120.00"),
        (f"items:\n{ITEM}".replace("10", "null"), "line 5: items[0].price: write a number, such as 120.00"),
        (f"items:\n{ITEM}".replace("{en: Cut}", "Cut"), "line 2: items[0].name: write a text by language, such as "),
        (f"items:\n{ITEM}".replace("en: Cut", "fr: Coupe"), "line 2: items[0].name.fr: no such language: use en or ar"),
        (f"items:\n{ITEM}".replace("en: Cut", "en: ''"), "line 2: items[0].name.en: write a text"),
        (f"items:\n{ITEM}".replace("service", "course"), "line 3: items[0].type: write service or product"),
        (f"items:\n{ITEM}  duration: 1h", "line 6: items[0].duration: write a whole number"),
        (f"items:\n{ITEM}  status: yes", "line 6: items[0].status: write true or false"),
        (f"items:\n{ITEM}  offer_from: soon", "line 6: items[0].offer_from: write a date, such as 2026-01-31"),
        (f"items:\n{ITEM}  options:\n  - price: 3", "line 7: items[0].options[0]: name is missing"),
        (f"items:\n{ITEM}  key: A\n{ITEM}  key: A", "line 11: items[1].key: another record is called 'A': give one"),
        (
            "branches:\n- name: A\n  phone: '050'",
            "line 3: branches[0].phone: write a phone number with its calling code",
        ),
        ("branches:\n- name: A\n  hours: branch", "line 3: branches[0].hours: write hours by day, such as "),
        (
            "branches:\n- name: A\n  hours: {fri: 9-5}",
            "line 3: branches[0].hours.fri: write hours, such as 09:00-12:00",
        ),
        ("branches:\n- name: A\n  hours: {Friday: 09:00-17:00}", "line 3: branches[0].hours.Friday: no such day"),
        ("tax_classes:\n- name: {en: A}\n  rates: 15", "line 3: tax_classes[0].rates: write a list of rates, such as"),
        (
            "tax_classes:\n- name: {en: A}\n  rates:\n  - {rate: 1}",
            "line 4: tax_classes[0].rates[0]: starts_on is missing",
        ),
        (
            "staff:\n- name: A\n  branch: B\n  services: [{service: C, cost: 1}]",
            "services[0].cost: no such field: it has",
        ),
        ("business: []", "line 1: business: write a record with the fields name, names, …"),
        ("business:\n  key: a", "line 2: business.key: no such field: use name, names"),
        ("business:\n  timezone: null", "line 2: business.timezone: write a text"),
        ("messages:\n  quiet_from: 25:00", "line 2: messages.quiet_from: write a time, such as 21:30"),
        ("messages:\n  texts: {news: {}}", "line 2: messages.texts.news: no such message: use confirmation, "),
    ],
)
def test_a_mistake_has_a_line_and_a_field(text: str, told: str) -> None:
    with pytest.raises(FileRefused) as refused:
        read_file(text)
    head, first = str(refused.value).splitlines()
    assert head == "nothing was changed"
    assert told in first


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(FileRefused) as refused:
        read_file(f"items:\n{ITEM}  stock: x\n  cost: x\n- price: 3\nstaff: 3")
    assert [line.split(": ")[1] for line in str(refused.value).splitlines()[1:]] == [
        "items[0].stock",
        "items[0].cost",
        "items[1]",
        "items[1]",
        "items[1]",
        "staff",
    ]


def test_a_text_is_read_as_the_field_means_it() -> None:
    """Other readers of YAML make false of `no`, and 36000 of 10:00."""
    (entry,) = read_file("branches:\n- name: no\n  address: 10:00\n  hours: {sun: 10:00-12:00}")["branches"]
    assert entry.values == {"name": "no", "address": "10:00", "hours": {"sun": ["10:00-12:00"]}}


async def test_a_name_that_means_nothing_is_told(service: Service, tmp_path: Path) -> None:
    business = await demo_business(service, tmp_path)
    set_up = await business.set_up()
    set_up["items"][0]["category"] = "Hare"
    set_up["staff"][0]["services"] = ["Haircut", "Xylophone"]
    set_up["items"][1]["type"] = "product"
    set_up["payment_methods"].append({"name": {"en": "Gift card"}, "type": "voucher"})
    refused = await business.apply(set_up)
    assert refused.returncode == 2
    head, *told = refused.stderr.splitlines()
    assert head == "frontdesk: nothing was changed"
    lines = business.file.read_text("utf-8").splitlines()
    voucher = lines.index("  type: voucher") + 1
    category, product = lines.index("  category: Hare") + 1, lines.index("  type: product") + 1
    assert told == [
        f"line {category}: items[0].category: none of the categories is called 'Hare'; did you mean 'Hair'?",
        f"line {product}: items[1].type: a service cannot become a product",
        f"line {lines.index('  - Xylophone') + 1}: staff[0].services[1]: none of the items is called 'Xylophone'",
        f"line {voucher}: payment_methods[3].type: {BY_HAND}",
    ]


async def test_a_file_that_is_not_there_and_credentials_that_are_missing(service: Service, tmp_path: Path) -> None:
    business = await demo_business(service, tmp_path)
    refused = await business.run("apply", str(tmp_path / "none.yaml"))
    assert (refused.returncode, refused.stderr) == (2, f"frontdesk: {tmp_path}/none.yaml: No such file or directory\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    refused = await business.run("apply", str(tmp_path / "binary"))
    assert refused.stderr == f"frontdesk: {tmp_path}/binary: it is not a text in UTF-8\n"
    refused = await business.run("export", "--client-secret", "wrong")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "authentication_failed" in refused.stderr


async def test_an_export_is_written_to_a_file(service: Service, tmp_path: Path) -> None:
    business: Business = await demo_business(service, tmp_path)
    assert (await business.run("export", "--output", str(business.file))).stdout == ""
    assert business.file.read_text("utf-8") == await business.export()
    refused = await business.run("export", "--output", str(tmp_path / "no" / "folder.yaml"))
    assert "No such file or directory" in refused.stderr


@pytest.mark.parametrize("guide", ["set-up-file", "set-up-file-ar"])
def test_the_guide_lists_every_field(guide: str) -> None:
    text = (FOLDER / f"{guide}.md").read_text("utf-8")
    tables = {kind.section: [*kind.fields] for kind in KINDS} | {"options": [*OPTION_FIELDS]}
    for section, fields in tables.items():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{section}` |")]
        assert [name for name in fields if f"`{name}`" not in row] == []
