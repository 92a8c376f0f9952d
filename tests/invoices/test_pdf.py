"""The PDF of an invoice: whole, joined, in the right order, on as many pages as it needs."""

import html
import os
import re
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from frontdesk.i18n.languages import Language
from frontdesk.invoices.files import invoice_pdf
from frontdesk.invoices.fonts import FOLDERS, MissingFont, find_faces
from frontdesk.invoices.pdf import render_pdf
from frontdesk.invoices.pdf_canvas import Canvas, Style
from frontdesk.invoices.types import Invoice, Line
from tests.invoices.samples import BUYER, NAMES, SELLER, invoice_of
from tests.support.repetitions import share

pytestmark = pytest.mark.torture
BOTH = pytest.mark.parametrize("language", list(Language))
ENGLISH = pytest.mark.parametrize("language", share(list(Language), 1, 2))
ARABIC = pytest.mark.parametrize("language", share(list(Language), 0, 2))


def _missing() -> list[str]:
    missing = [] if shutil.which("pdftotext") else ["poppler-utils"]
    try:
        find_faces(FOLDERS)
    except MissingFont:
        missing.append("fonts-noto-core")
    return missing


on_paper = pytest.mark.skipif(
    bool(_missing()) and os.environ.get("CI") != "true", reason=f"needs: apt-get install {' '.join(_missing())}"
)


def poppler(program: str, pdf: bytes, *options: str) -> str:
    """Bidirectional marks are taken out: they are poppler's, not ours."""
    written = subprocess.run(
        [program, *options, "-", *(["-"] if program == "pdftotext" else [])], input=pdf, capture_output=True, check=True
    )
    return re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", written.stdout.decode())


def words_of(invoice: Invoice, language: str) -> dict[str, tuple[float, float]]:
    """Each word, and where it first stands: from the left and from the top."""
    boxes = poppler("pdftotext", render_pdf(invoice, language), "-bbox")
    found = re.findall(r'<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>(.*?)</word>', boxes)
    # It writes the letters of a word as they stand, from the left.
    return {_logical(html.unescape(word)): (float(x), float(y)) for x, y, word in reversed(found)}


def _logical(word: str) -> str:
    return word[::-1] if re.search("[ء-ي]", word) else word.strip("،")


def pages_of(invoice: Invoice, language: str) -> int:
    return int(re.findall(r"Pages: +(\d+)", poppler("pdfinfo", render_pdf(invoice, language)))[0])


@on_paper
@BOTH
def test_a_pdf_holds_number_parties_lines_and_sums(language: str) -> None:
    text = poppler("pdftotext", render_pdf(invoice_of(5), language), "-layout")
    for shown in (
        "1042",
        "2231",
        "300123456700003",
        "310123456700003",
        "Sara",
        "Layan",
        "Root colour",
        "+966 11 234 5678",
    ):
        assert shown in text, shown
    for amount in ("1,180.00", "18.00", "90.00", "1,010.43", "151.57", "1,162.00"):
        assert amount in text, amount
    arabic = {word for name in (*NAMES, SELLER.name, BUYER.name) for word in re.findall("[ء-ي]+", name)}
    assert len(arabic) > 20
    assert arabic - set(re.findall("[ء-ي]+", text)) == set()


@on_paper
@ARABIC
def test_ten_lines_are_one_page_and_a_hundred_several(language: str) -> None:
    assert pages_of(invoice_of(10), language) == 1
    many = render_pdf(invoice_of(100), language)
    pages = poppler("pdftotext", many, "-raw").split("\f")[:-1]
    assert len(pages) == 4
    assert sum(page.count("1,180.00") for page in pages) == 100
    assert all(("Amount, SAR" if language == "en" else "الكمية") in page for page in pages)
    assert "1,010.43" in pages[-1]


@on_paper
def test_columns_and_words_run_from_the_right_in_arabic() -> None:
    words = words_of(invoice_of(1), "ar")
    columns = [words[word][0] for word in ("البند", "الكمية", "الخصم")]
    assert columns == sorted(columns, reverse=True)
    assert words["قص"][0] > words["وسشوار"][0]
    assert words["فاتورة"][0] > words["ضريبية"][0] > 400


@on_paper
@BOTH
def test_a_number_inside_an_arabic_name_stays_between_its_words(language: str) -> None:
    words = words_of(invoice_of(1), language)
    places = [words[word][0] for word in ("حي", "12", "A")]
    assert places == sorted(places, reverse=True)
    assert len({words[word][1] for word in ("حي", "12", "A")}) == 1


@on_paper
@BOTH
def test_pdf_texts_stay_within_columns_and_page(language: str) -> None:
    line = Line(
        "W" * 100 + " " + "محمد" * 40, 999, Decimal("999999999999.00"), Decimal("0.00"), Decimal("999999999999.00")
    )
    boxes = poppler("pdftotext", render_pdf(invoice_of(0, lines=[line], total=line.total), language), "-bbox")
    found = re.findall(r'xMin="([\d.-]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<', boxes)
    assert all(45 <= float(left) < float(right) <= 550.5 for left, _, right, _, _ in found)
    names = [box for box in found if "WW" in box[4]]
    unit = [box for box in found if box[4] == "999,999,999,999.00"]
    assert len(names) > 2
    assert len(unit) >= 2
    for name in names:
        assert all(float(name[2]) < float(one[0]) or float(one[2]) < float(name[0]) for one in unit)


@on_paper
def test_arabic_letters_are_joined() -> None:
    """Joined forms are narrower than letters that stand alone."""
    invoice = invoice_of(1)
    paper = Canvas(find_faces(FOLDERS), "ar", "", invoice.issued_at, right_to_left=True)
    for word in ("فاتورة", "ضريبية", "المشتري"):
        alone = sum(paper.width(letter, Style(10)) for letter in word)
        assert paper.width(word, Style(10)) < 0.85 * alone
    paper.bytes()


@on_paper
@ENGLISH
def test_the_same_invoice_is_the_same_file(language: str) -> None:
    assert render_pdf(invoice_of(3), language) == render_pdf(invoice_of(3), language)


@on_paper
@ENGLISH
def test_a_credit_note_states_its_reason_however_long(language: str) -> None:
    note = invoice_of(1, credits=1041, reason="The colour faded within a week. " * 156)  # 4,992 characters
    pages = poppler("pdftotext", render_pdf(note, language), "-raw").split("\f")[:-1]
    assert len(pages) == 2
    assert " ".join(pages).count("faded") == 156
    assert "1,162.00" in pages[1]
    assert "The colour faded" not in poppler("pdftotext", render_pdf(invoice_of(1), language))


@on_paper
async def test_a_reason_that_was_erased_is_not_in_the_cached_pdf() -> None:
    note = invoice_of(1, credits=1041, reason="The colour faded")
    assert "faded" in poppler("pdftotext", (await invoice_pdf(note.id, note, "en")).body)
    erased = msgspec.structs.replace(note, reason=None)
    assert "faded" not in poppler("pdftotext", (await invoice_pdf(note.id, erased, "en")).body)


def test_missing_fonts_are_reported_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(MissingFont) as missing:
        render_pdf(invoice_of(1), "en", font_folders=[tmp_path])
    assert "apt-get install fonts-noto-core" in str(missing.value)
    assert str(tmp_path) in str(missing.value)
