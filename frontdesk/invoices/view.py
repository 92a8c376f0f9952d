"""What stands on an invoice, as texts ready to be set: page and PDF differ in their form only."""

from decimal import Decimal
from unicodedata import bidirectional

import msgspec
from babel.dates import format_datetime
from babel.numbers import format_decimal, get_currency_symbol

from frontdesk.invoices.labels import WORDS, Words
from frontdesk.invoices.types import Buyer, Invoice, Language, Line, Seller
from frontdesk.values.money import add_up, currency_decimals
from frontdesk.values.time import get_zone, to_local

_MINUS = "\N{MINUS SIGN}"
_RIGHT_TO_LEFT_MARK = "\N{RIGHT-TO-LEFT MARK}"


class Fact(msgspec.Struct, frozen=True):
    label: str
    value: str
    figures: bool  # digits run left to right in every language


class Party(msgspec.Struct, frozen=True):
    label: str
    name: str
    facts: list[Fact]


class Row(msgspec.Struct, frozen=True):
    name: str
    figures: list[str]  # quantity, unit price, discount, amount


class Sum(msgspec.Struct, frozen=True):
    label: str
    amount: str
    final: bool


class Sheet(msgspec.Struct, frozen=True):
    language: Language
    right_to_left: bool
    title: str
    other_language: Language
    other_title: str  # the law asks for the Arabic one; the reader may want the English one
    facts: list[Fact]
    parties: list[Party]
    columns: list[str]
    rows: list[Row]
    sums: list[Sum]


def lay_out(invoice: Invoice, language: Language) -> Sheet:
    words = WORDS[language]
    decimals = currency_decimals(invoice.currency)
    other = Language.ENGLISH if language is Language.ARABIC else Language.ARABIC
    currency = currency_label(invoice.currency, language)
    return Sheet(
        language=language,
        right_to_left=language is Language.ARABIC,
        title=_title(invoice, words),
        other_language=other,
        other_title=_title(invoice, WORDS[other]),
        facts=_facts(invoice, words, language),
        parties=[_seller(invoice.seller, words), _buyer(invoice.buyer, words)],
        columns=[words.item, words.quantity, words.unit, words.discount, words.amount.format(currency=currency)],
        rows=[_row(line, language, decimals) for line in invoice.lines],
        sums=_sums(invoice, words, currency, decimals),
    )


def _title(invoice: Invoice, words: Words) -> str:
    """Only who is registered for the tax may call it a tax invoice; to a registered buyer it is not simplified."""
    is_credit = invoice.credits is not None
    if not invoice.seller.tax_registration_number:
        return words.credit_note if is_credit else words.invoice
    if invoice.buyer is not None and invoice.buyer.tax_registration_number:
        return words.tax_credit_note if is_credit else words.tax_invoice
    return words.simplified_credit_note if is_credit else words.simplified


def _facts(invoice: Invoice, words: Words, language: Language) -> list[Fact]:
    local = to_local(invoice.issued_at, get_zone(invoice.seller.timezone))
    numbers = [Fact(words.number, str(invoice.number), figures=True)]
    if invoice.credits is not None:
        numbers = [
            Fact(words.credit_note_number, str(invoice.number), figures=True),
            Fact(words.number, str(invoice.credits), figures=True),
        ]
    return [
        *numbers,
        Fact(words.issued, format_datetime(local, words.moment, locale=language.value), figures=False),
        Fact(words.order, str(invoice.order_number), figures=True),
    ]


def _seller(seller: Seller, words: Words) -> Party:
    facts = [
        _fact(words.tax_number, seller.tax_registration_number, figures=True),
        _fact(words.branch, seller.branch),
        _fact(words.address, seller.address),
        _fact(words.phone, seller.phone, figures=True),
    ]
    return Party(words.seller, seller.name, [fact for fact in facts if fact])


def _buyer(buyer: Buyer | None, words: Words) -> Party:
    if buyer is None:
        return Party(words.buyer, words.walk_in, [])
    place = " · ".join(part for part in (buyer.address, buyer.city) if part)
    facts = [_fact(words.tax_number, buyer.tax_registration_number, figures=True), _fact(words.address, place)]
    return Party(words.buyer, buyer.name, [fact for fact in facts if fact])


def _fact(label: str, value: str | None, *, figures: bool = False) -> Fact | None:
    return Fact(label, value, figures) if value else None


def _row(line: Line, language: Language, decimals: int) -> Row:
    name = line.names.get(language.value) or line.name
    unit, total = _amount(line.unit_amount, decimals), _amount(line.total, decimals)
    return Row(name, [_amount(Decimal(line.quantity), 0), unit, _taken_off(line.discount_amount, decimals), total])


def _sums(invoice: Invoice, words: Words, currency: str, decimals: int) -> list[Sum]:
    discount = add_up(line.discount_amount for line in invoice.lines)
    sums = [Sum(words.discount, _taken_off(discount, decimals), final=False)] if discount else []
    if not (invoice.tax_rate or invoice.seller.tax_registration_number):
        return [*sums, Sum(words.total.format(currency=currency), _amount(invoice.total, decimals), final=True)]
    before = add_up((invoice.total, -invoice.tax_amount))
    # Isolated, because after Arabic letters a percent sign would move to the other side of its number.
    rate = f"\N{LEFT-TO-RIGHT ISOLATE}{format_decimal(invoice.tax_rate, '0.##', 'en')}%\N{POP DIRECTIONAL ISOLATE}"
    return [
        *sums,
        Sum(words.before_tax, _amount(before, decimals), final=False),
        Sum(words.tax.format(rate=rate), _amount(invoice.tax_amount, decimals), final=False),
        Sum(words.total_with_tax.format(currency=currency), _amount(invoice.total, decimals), final=True),
    ]


def _amount(amount: Decimal, decimals: int) -> str:
    """Latin digits, comma and point in both languages, as shops in the region print them."""
    pattern = "#,##0." + "0" * decimals if decimals else "#,##0"
    return format_decimal(amount, pattern, "en").replace("-", _MINUS)


def _taken_off(discount: Decimal, decimals: int) -> str:
    return _amount(-discount, decimals) if discount else "–"


def currency_label(code: str, language: Language) -> str:
    """The code in English; in Arabic the letters that people write, where the currency has some."""
    if language is Language.ENGLISH:
        return code
    letters = get_currency_symbol(code, "ar").strip(_RIGHT_TO_LEFT_MARK).rstrip(".")
    return letters if bidirectional(letters[0]) == "AL" else code
