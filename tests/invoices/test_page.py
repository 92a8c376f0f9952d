"""The page of an invoice says all of it in both languages, and needs nothing but itself."""

import base64
import hashlib
import re
from decimal import Decimal
from html.parser import HTMLParser

import pytest
import segno
from PIL import Image

from frontdesk.i18n.languages import Language
from frontdesk.i18n.texts import NP_, translate
from frontdesk.invoices.page import CONTENT_POLICY, render_page
from frontdesk.invoices.types import Buyer, Line, Seller
from tests.invoices.samples import BUYER, NAMES, SELLER, invoice_of

BOTH = pytest.mark.parametrize("language", list(Language))


class Reader(HTMLParser):
    """What a reader sees, and the tags and attributes it is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip("\u2066\u2069\n "))


def dark_modules(path: str) -> set[tuple[int, int]]:
    """Where the pen of an SVG path of rows has drawn, as row and column."""
    x, y, drawn = 0, 0, set()
    for letter, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        given = [float(number) for number in numbers.split()]
        if letter == "h":
            drawn |= {(y, x + step) for step in range(int(given[0]))}
            x += int(given[0])
        else:
            begin = (0, 0) if letter == "M" else (x, y)
            x, y = begin[0] + int(given[0]), begin[1] + int(given[1])
    return drawn


@BOTH
def test_a_page_shows_number_parties_lines_and_sums(language: str) -> None:
    texts = Reader(render_page(invoice_of(5), language)).texts
    for shown in ("1042", "2231", SELLER.name, "300123456700003", BUYER.name, "310123456700003", *NAMES):
        assert shown in texts, shown
    for amount in ("1,180.00", "−18.00", "−90.00", "1,010.43", "151.57", "1,162.00"):
        assert amount in texts, amount


def test_each_language_has_its_own_words_direction_and_local_date() -> None:
    arabic, english = (Reader(render_page(invoice_of(1), language)) for language in Language)
    assert arabic.tags[0] == ("html", {"lang": "ar", "dir": "rtl"})
    assert english.tags[0] == ("html", {"lang": "en", "dir": "ltr"})
    assert {"16 نوفمبر 2026، 01:04", "الرقم الضريبي", "الإجمالي شامل الضريبة، ر.س"} <= set(arabic.texts)
    assert {"16 November 2026, 01:04", "Tax number", "Total including VAT, SAR"} <= set(english.texts)


@BOTH
def test_every_amount_runs_left_to_right_and_has_latin_digits(language: str) -> None:
    page = render_page(invoice_of(3), language)
    assert re.findall("[٠-٩۰-۹]", page) == []
    assert (
        len(re.findall(r"[\d,]+\.\d\d</", page)) == len(re.findall(r'<bdi dir="ltr">−?[\d,]+\.\d\d</bdi>', page)) == 13
    )


@pytest.mark.parametrize(
    ("seller", "buyer", "title"),
    [
        (SELLER, BUYER, "Tax invoice"),
        (SELLER, Buyer("Sara"), "Simplified tax invoice"),
        (SELLER, None, "Simplified tax invoice"),
        (Seller("Layan"), BUYER, "Invoice"),
    ],
)
def test_the_title_follows_who_is_registered_for_the_tax(seller: Seller, buyer: Buyer | None, title: str) -> None:
    page = render_page(invoice_of(1, seller=seller, buyer=buyer), "en")
    assert f"<h1>{title}</h1>" in page


def test_a_business_outside_the_tax_shows_none() -> None:
    untaxed = Line("Cut", 1, Decimal("1162.00"), Decimal(0), Decimal("1162.00"))
    page = render_page(invoice_of(1, seller=Seller("Layan"), lines=[untaxed]), "en")
    assert "VAT" not in page
    assert "Total, SAR" in page


@pytest.mark.parametrize(
    ("currency", "amount", "label"),
    [("KWD", "1,162.000", "د.ك"), ("JPY", "1,162", "JPY"), ("SAR", "1,162.00", "ر.س"), ("USD", "1,162.00", "USD")],
)
def test_amounts_have_the_decimals_of_their_currency(currency: str, amount: str, label: str) -> None:
    texts = Reader(render_page(invoice_of(1, currency=currency), "ar")).texts
    assert texts[texts.index(f"الإجمالي شامل الضريبة، {label}") + 1] == amount


@BOTH
def test_the_code_on_the_page_is_that_of_the_stored_text(language: str) -> None:
    invoice = invoice_of(1)
    (path,) = re.findall(r'<path [^>]*stroke="#000"[^>]* d="([^"]+)"', render_page(invoice, language))
    rows = segno.make(invoice.qr, error="m", micro=False).matrix_iter(border=4)
    assert dark_modules(path) == {(y, x) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}


@BOTH
def test_a_reader_of_codes_finds_seller_tax_number_time_and_sums_on_the_page(language: str) -> None:
    """Drawn as the page draws it, and read by an independent library."""
    zxingcpp = pytest.importorskip("zxingcpp")
    invoice = invoice_of(1)
    (path,) = re.findall(r'<path [^>]*stroke="#000"[^>]* d="([^"]+)"', render_page(invoice, language))
    dark, side = dark_modules(path), len(segno.make(invoice.qr, error="m", micro=False).matrix) + 8
    picture = Image.new("L", (side, side), 255)
    for y, x in dark:
        picture.putpixel((x, y), 0)
    (found,) = zxingcpp.read_barcodes(picture.resize((side * 4, side * 4), Image.Resampling.NEAREST))
    content = base64.b64decode(found.text)
    fields = {}
    while content:  # tag, length, value
        fields[content[0]] = content[2 : 2 + content[1]].decode()
        content = content[2 + content[1] :]
    assert fields == {1: SELLER.name, 2: "300123456700003", 3: "2026-11-15T22:04:00Z", 4: "1162.00", 5: "151.57"}


@BOTH
def test_names_cannot_bring_markup(language: str) -> None:
    evil = "<script>alert(1)</script>\"'&"
    line = Line(evil, 1, Decimal(1), Decimal(0), Decimal(1))
    page = render_page(
        invoice_of(1, seller=Seller(evil, "3" * 15, evil, evil, evil), buyer=Buyer(evil, None, evil), lines=[line]),
        language,
    )
    reader = Reader(page)
    assert "script" not in {tag for tag, _ in reader.tags}
    assert reader.texts.count(evil) == 7


@BOTH
def test_a_page_needs_nothing_from_elsewhere(language: str) -> None:
    page = render_page(invoice_of(2), language)
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in reader.tags}
    assert not {"src", "href", "style", "onload"} & {name for _, attributes in reader.tags for name in attributes}
    assert re.findall(r"url\(|@import|https?://(?!www\.w3\.org/)", page) == []


def test_the_policy_allows_the_style_of_the_page_and_no_other() -> None:
    (style,) = re.findall("<style>(.*?)</style>", render_page(invoice_of(1), "en"), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" == CONTENT_POLICY


@BOTH
def test_even_a_hundred_lines_are_a_small_page(language: str) -> None:
    assert len(render_page(invoice_of(100), language).encode()) < 50_000


def test_no_rule_of_the_style_says_left_or_right() -> None:
    (style,) = re.findall("<style>(.*?)</style>", render_page(invoice_of(1), "ar"), re.DOTALL)
    rules = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    assert re.findall(r"left|right|(?<![-\w])(?:width|height)\s*:", rules) == []


@BOTH
def test_a_credit_note_states_its_reason(language: str) -> None:
    label, refund, canceled = (translate(language, NP_("paper", text)) for text in ("Reason", "Refund", "Canceled"))
    entered = "لم يعجبها <اللون>"
    for reason, is_refund, shown in ((entered, True, entered), (None, True, refund), (None, False, canceled)):
        note = invoice_of(1, credits=1041, reason=reason, is_refund=is_refund)
        texts = [text for text in Reader(render_page(note, language)).texts if text]
        assert texts[texts.index(label) + 1] == shown
    assert label not in Reader(render_page(invoice_of(1), language)).texts
