"""What stands on an invoice, as texts ready to be set: page and PDF differ in their form only."""

from decimal import Decimal
from unicodedata import bidirectional

import msgspec
from babel.dates import format_datetime
from babel.numbers import format_decimal, get_currency_symbol

from frontdesk.invoices.labels import LABELS, Labels
from frontdesk.invoices.types import Buyer, Invoice, Language, Line, Seller
from frontdesk.values.money import currency_decimals, exact_sum
from frontdesk.values.time import get_zone, to_local

_MINUS = "\N{MINUS SIGN}"
_RIGHT_TO_LEFT_MARK = "\N{RIGHT-TO-LEFT MARK}"


class LabelledValue(msgspec.Struct, frozen=True):
    label: str
    value: str
    figures: bool  # digits run left to right in every language


class Party(msgspec.Struct, frozen=True):
    label: str
    name: str
    facts: list[LabelledValue]


class Row(msgspec.Struct, frozen=True):
    name: str
    figures: list[str]  # quantity, unit price, discount, amount


class TotalRow(msgspec.Struct, frozen=True):
    label: str
    amount: str
    final: bool


class InvoiceView(msgspec.Struct, frozen=True):
    language: Language
    right_to_left: bool
    title: str
    other_language: Language
    other_title: str  # the law asks for the Arabic one; the reader may want the English one
    facts: list[LabelledValue]
    parties: list[Party]
    columns: list[str]
    rows: list[Row]
    sums: list[TotalRow]


def build_view(invoice: Invoice, language: Language) -> InvoiceView:
    words = LABELS[language]
    decimals = currency_decimals(invoice.currency)
    other = Language.ENGLISH if language is Language.ARABIC else Language.ARABIC
    currency = currency_label(invoice.currency, language)
    return InvoiceView(
        language=language,
        right_to_left=language is Language.ARABIC,
        title=_title(invoice, words),
        other_language=other,
        other_title=_title(invoice, LABELS[other]),
        facts=_labelled_values(invoice, words, language),
        parties=[_seller(invoice.seller, words), _buyer(invoice.buyer, words)],
        columns=[words.item, words.quantity, words.unit, words.discount, words.amount.format(currency=currency)],
        rows=[_row(line, language, decimals) for line in invoice.lines],
        sums=_sums(invoice, words, currency, decimals),
    )


def _title(invoice: Invoice, words: Labels) -> str:
    """Only who is registered for the tax may call it a tax invoice; to a registered buyer it is not simplified."""
    is_credit = invoice.credits is not None
    if not invoice.seller.tax_registration_number:
        return words.credit_note if is_credit else words.invoice
    if invoice.buyer is not None and invoice.buyer.tax_registration_number:
        return words.tax_credit_note if is_credit else words.tax_invoice
    return words.simplified_credit_note if is_credit else words.simplified


def _labelled_values(invoice: Invoice, words: Labels, language: Language) -> list[LabelledValue]:
    local = to_local(invoice.issued_at, get_zone(invoice.seller.timezone))
    numbers = [LabelledValue(words.number, str(invoice.number), figures=True)]
    if invoice.credits is not None:
        numbers = [
            LabelledValue(words.credit_note_number, str(invoice.number), figures=True),
            LabelledValue(words.number, str(invoice.credits), figures=True),
        ]
    return [
        *numbers,
        LabelledValue(words.issued, format_datetime(local, words.moment, locale=language.value), figures=False),
        LabelledValue(words.order, str(invoice.order_number), figures=True),
    ]


def _seller(seller: Seller, words: Labels) -> Party:
    facts = [
        _labelled_value(words.tax_number, seller.tax_registration_number, figures=True),
        _labelled_value(words.branch, seller.branch),
        _labelled_value(words.address, seller.address),
        _labelled_value(words.phone, seller.phone, figures=True),
    ]
    return Party(words.seller, seller.name, [fact for fact in facts if fact])


def _buyer(buyer: Buyer | None, words: Labels) -> Party:
    if buyer is None:
        return Party(words.buyer, words.walk_in, [])
    place = " · ".join(part for part in (buyer.address, buyer.city) if part)
    facts = [
        _labelled_value(words.tax_number, buyer.tax_registration_number, figures=True),
        _labelled_value(words.address, place),
    ]
    return Party(words.buyer, buyer.name, [fact for fact in facts if fact])


def _labelled_value(label: str, value: str | None, *, figures: bool = False) -> LabelledValue | None:
    return LabelledValue(label, value, figures) if value else None


def _row(line: Line, language: Language, decimals: int) -> Row:
    name = line.names.get(language.value) or line.name
    unit, total = _amount(line.unit_amount, decimals), _amount(line.total, decimals)
    return Row(name, [_amount(Decimal(line.quantity), 0), unit, _deductions(line.discount_amount, decimals), total])


def _sums(invoice: Invoice, words: Labels, currency: str, decimals: int) -> list[TotalRow]:
    discount = exact_sum(line.discount_amount for line in invoice.lines)
    sums = [TotalRow(words.discount, _deductions(discount, decimals), final=False)] if discount else []
    if not (invoice.tax_rate or invoice.seller.tax_registration_number):
        return [*sums, TotalRow(words.total.format(currency=currency), _amount(invoice.total, decimals), final=True)]
    before = exact_sum((invoice.total, -invoice.tax_amount))
    # Isolated, because after Arabic letters a percent sign would move to the other side of its number.
    rate = f"\N{LEFT-TO-RIGHT ISOLATE}{format_decimal(invoice.tax_rate, '0.##', 'en')}%\N{POP DIRECTIONAL ISOLATE}"
    return [
        *sums,
        TotalRow(words.before_tax, _amount(before, decimals), final=False),
        TotalRow(words.tax.format(rate=rate), _amount(invoice.tax_amount, decimals), final=False),
        TotalRow(words.total_with_tax.format(currency=currency), _amount(invoice.total, decimals), final=True),
    ]


def _amount(amount: Decimal, decimals: int) -> str:
    """Latin digits, comma and point in both languages, as shops in the region print them."""
    pattern = "#,##0." + "0" * decimals if decimals else "#,##0"
    return format_decimal(amount, pattern, "en").replace("-", _MINUS)


def _deductions(discount: Decimal, decimals: int) -> str:
    return _amount(-discount, decimals) if discount else "–"


def currency_label(code: str, language: Language) -> str:
    """The code in English; in Arabic the letters that people write, where the currency has some."""
    if language is Language.ENGLISH:
        return code
    letters = get_currency_symbol(code, "ar").strip(_RIGHT_TO_LEFT_MARK).rstrip(".")
    return letters if bidirectional(letters[0]) == "AL" else code
