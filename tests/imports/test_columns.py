"""Which field a column becomes, by its name in either language and by its cells."""

import pytest

from frontdesk.imports.fields import guess_fields, remember, template_columns
from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.types import ImportKind


def guess(
    kind: ImportKind, *columns: str, cells: tuple[str, ...] = (), remembered: dict[str, str] | None = None
) -> list[str]:
    return guess_fields(KINDS[kind].fields, columns, [cells] if cells else [], remembered or {})


@pytest.mark.parametrize(
    ("column", "field"),
    [
        ("Full name", "full_name"),
        ("MOBILE", "phone"),
        ("Customer Mobile No.", "phone"),
        ("جوال", "phone"),
        ("رقم الجوّال", "phone"),
        ("البريد الالكتروني", "email"),
        ("E-mail", "email"),
        ("الوسم", "tags"),
        ("المدينه", "city"),
        ("Bal.", ""),
    ],
)
def test_a_column_of_customers_is_known_by_its_name(column: str, field: str) -> None:
    assert guess(ImportKind.CUSTOMERS, column) == [field]


def test_a_column_is_known_by_its_cells() -> None:
    assert guess(ImportKind.CUSTOMERS, "A", "B", "C", cells=("x", "sara@example.com", "050 123 4567")) == [
        "",
        "email",
        "phone",
    ]


def test_no_field_is_used_twice() -> None:
    assert guess(ImportKind.ITEMS, "Price", "السعر", "Cost") == ["price", "", "cost"]


def test_a_name_in_each_language_becomes_both_names() -> None:
    assert guess(ImportKind.ITEMS, "Name", "الاسم", "Price") == ["name_en", "name_ar", "price"]
    assert guess(ImportKind.ITEMS, "الاسم", "Item") == ["name_ar", "name_en"]
    assert guess(ImportKind.ITEMS, "Name", "Title", "الاسم", "الصنف") == ["name_en", "", "name_ar", ""]
    assert guess(ImportKind.ITEMS, "Name", "Arabic name", "الاسم") == ["name", "name_ar", ""]


def test_an_earlier_choice_of_import_columns_is_used_again() -> None:
    chosen = remember(["Bal.", "Mobile"], ["note", ""])
    assert guess(ImportKind.CUSTOMERS, "bal", "Mobile", remembered=chosen) == ["note", ""]


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", ImportKind)
def test_the_columns_of_an_empty_table_are_understood(kind: ImportKind, language: str) -> None:
    fields = KINDS[kind].fields
    assert guess(kind, *template_columns(fields, language)) == [field.name for field in fields]
