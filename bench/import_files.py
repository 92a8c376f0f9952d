"""Tables of customers as businesses bring them: two scripts, telephone numbers in several forms, tags."""

import csv
import io
from collections.abc import Iterator

from frontdesk.exports.xlsx_lines import Workbook

_COLUMNS = ("Name", "Mobile", "E-mail", "City", "Tags")
_FIRST = ("سارة", "نورة", "عبدالله", "Lulwa", "Maha", "خالد", "Ahmed", "ريم", "Hessa", "فيصل")
_LAST = ("العتيبي", "Al-Rashid", "القحطاني", "Al Harbi", "الدوسري", "Khan", "الشمري")
_CITIES = ("الرياض", "Riyadh", "جدة", "Jeddah", "الدمام", "")
_TAGS = ("VIP", "صبغة", "VIP, صبغة", "عروس; Student", "", "", "Staff | family")
_ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def rows(count: int) -> Iterator[list[str]]:
    """No two have the same number or address."""
    yield list(_COLUMNS)
    for n in range(count):
        name = f"{_FIRST[n % len(_FIRST)]} {_LAST[n // len(_FIRST) % len(_LAST)]}"
        email = f"customer.{n}@mail-{n % 50}.example" if n % 3 else ""
        yield [name, _phone(n), email, _CITIES[n % len(_CITIES)], _TAGS[n % len(_TAGS)]]


def _phone(n: int) -> str:
    """Most are of mobile telephones at home, as typed there; one in ten is a landline or from abroad."""
    digits = f"5{'0345689'[n % 7]}{n // 7:07}"
    forms = (
        f"0{digits}",
        f"+966{digits}",
        f"00966{digits}",
        f"0{digits}".translate(_ARABIC_DIGITS),
        f"0{digits[:2]} {digits[2:5]} {digits[5:]}",
        f"+966 {digits[:2]} {digits[2:5]} {digits[5:]}",
        f"966{digits}",
        digits,
        f"011 4{n // 10:06}",
        f"+97150{n // 10:07}",
    )
    return forms[n % len(forms)]


def as_csv(count: int) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows(count))
    return text.getvalue().encode()


def as_workbook(count: int) -> bytes:
    book, table = Workbook("Customers"), rows(count)
    return b"".join((book.begin(next(table)), book.add_rows(table), book.end()))
