"""The contents of an invoice as text, shared by the HTML page and the PDF."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import msgspec
from babel.dates import format_datetime
from babel.numbers import format_decimal

from frontdesk.invoices.labels import LABELS, Labels
from frontdesk.invoices.types import Buyer, Invoice, Language, Line, Seller
from frontdesk.values.currency_label import currency_label
from frontdesk.values.money import currency_decimals, exact_sum
from frontdesk.values.phones import spaced
from frontdesk.values.time import get_zone, to_local

_MINUS = "\N{MINUS SIGN}"


class LabelledValue(msgspec.Struct, frozen=True):
    label: str
    value: str
    figures: bool  # always left to right


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
    other_title: str  # the law requires the Arabic title; the English one is for the reader
    facts: list[LabelledValue]
    parties: list[Party]
    reason: LabelledValue | None  # of a credit note
    columns: list[str]
    rows: list[Row]
    sums: list[TotalRow]
    note: str


def build_view(invoice: Invoice, language: Language) -> InvoiceView:
    labels = LABELS[language]
    decimals = currency_decimals(invoice.currency)
    other = Language.ENGLISH if language is Language.ARABIC else Language.ARABIC
    currency = currency_label(invoice.currency, language)
    return InvoiceView(
        language=language,
        right_to_left=language is Language.ARABIC,
        title=_title(invoice, language),
        other_language=other,
        other_title=_title(invoice, other),
        facts=_labelled_values(invoice, labels, language),
        parties=[_seller(invoice.seller, labels), _buyer(invoice.buyer, labels)],
        reason=_reason(invoice, labels),
        columns=[labels.item, labels.quantity, labels.unit, labels.discount, labels.amount.format(currency=currency)],
        rows=[_row(line, language, decimals) for line in invoice.lines],
        sums=_sums(invoice, labels, currency, decimals),
        note=invoice.seller.note.get(language.value) or next(iter(invoice.seller.note.values()), ""),
    )


def paper_title(seller_tax: str | None, buyer_tax: str | None, language: Language, *, is_credit: bool) -> str:
    """Only a seller who is registered for tax issues tax invoices; to a registered buyer they are not simplified."""
    labels = LABELS[language]
    if not seller_tax:
        return labels.credit_note if is_credit else labels.invoice
    if buyer_tax:
        return labels.tax_credit_note if is_credit else labels.tax_invoice
    return labels.simplified_credit_note if is_credit else labels.simplified


def _title(invoice: Invoice, language: Language) -> str:
    buyer_tax = invoice.buyer.tax_registration_number if invoice.buyer else None
    return paper_title(
        invoice.seller.tax_registration_number, buyer_tax, language, is_credit=invoice.credits is not None
    )


def _labelled_values(invoice: Invoice, labels: Labels, language: Language) -> list[LabelledValue]:
    local = to_local(invoice.issued_at, get_zone(invoice.seller.timezone))
    numbers = [LabelledValue(labels.number, str(invoice.number), figures=True)]
    if invoice.credits is not None:
        numbers = [
            LabelledValue(labels.credit_note_number, str(invoice.number), figures=True),
            LabelledValue(labels.number, str(invoice.credits), figures=True),
        ]
    return [
        *numbers,
        LabelledValue(labels.issued, format_datetime(local, labels.moment, locale=language.value), figures=False),
        LabelledValue(labels.order, str(invoice.order_number), figures=True),
    ]


def _reason(invoice: Invoice, labels: Labels) -> LabelledValue | None:
    """The law requires one."""
    if invoice.credits is None:
        return None
    return LabelledValue(labels.reason, invoice.reason or labels.refund, figures=False)


def _seller(seller: Seller, labels: Labels) -> Party:
    facts = [
        _labelled_value(labels.tax_number, seller.tax_registration_number, figures=True),
        _labelled_value(labels.branch, seller.branch),
        _labelled_value(labels.address, seller.address),
        _labelled_value(labels.phone, seller.phone and spaced(seller.phone), figures=True),
    ]
    return Party(labels.seller, seller.name, [fact for fact in facts if fact])


def _buyer(buyer: Buyer | None, labels: Labels) -> Party:
    if buyer is None:
        return Party(labels.buyer, labels.walk_in, [])
    place = " · ".join(part for part in (buyer.address, buyer.city) if part)
    facts = [
        _labelled_value(labels.tax_number, buyer.tax_registration_number, figures=True),
        _labelled_value(labels.address, place),
    ]
    return Party(labels.buyer, buyer.name, [fact for fact in facts if fact])


def _labelled_value(label: str, value: str | None, *, figures: bool = False) -> LabelledValue | None:
    return LabelledValue(label, value, figures) if value else None


def _row(line: Line, language: Language, decimals: int) -> Row:
    name = line.names.get(language.value) or line.name
    unit, total = _amount(line.unit_amount, decimals), _amount(line.total, decimals)
    return Row(name, [_amount(Decimal(line.quantity), 0), unit, _deductions(line.discount_amount, decimals), total])


def _sums(invoice: Invoice, labels: Labels, currency: str, decimals: int) -> list[TotalRow]:
    discount = exact_sum(line.discount_amount for line in invoice.lines)
    first = [TotalRow(labels.discount, _deductions(discount, decimals), final=False)] if discount else []
    taxes = _taxes(invoice.lines)
    if not (any(taxes) or invoice.seller.tax_registration_number):
        return [*first, TotalRow(labels.total.format(currency=currency), _amount(invoice.total, decimals), final=True)]
    before = exact_sum((invoice.total, -invoice.tax_amount))
    return [
        *first,
        TotalRow(labels.before_tax, _amount(before, decimals), final=False),
        *(
            TotalRow(
                _tax_label(rate, sums.base, labels, decimals, several=len(taxes) > 1),
                _amount(sums.tax, decimals),
                final=False,
            )
            for rate, sums in taxes.items()
        ),
        TotalRow(labels.total_with_tax.format(currency=currency), _amount(invoice.total, decimals), final=True),
    ]


class _TaxedSum(NamedTuple):
    base: Decimal  # without the tax
    tax: Decimal


def _taxes(lines: Sequence[Line]) -> dict[Decimal, _TaxedSum]:
    """By rate, the highest rate first."""
    taxes = {}
    for rate in sorted({line.tax_rate for line in lines}, reverse=True):
        taxed = [line for line in lines if line.tax_rate == rate]
        tax = exact_sum(line.tax_amount for line in taxed)
        taxes[rate] = _TaxedSum(exact_sum((*(line.total for line in taxed), -tax)), tax)
    return taxes


def _tax_label(rate: Decimal, base: Decimal, labels: Labels, decimals: int, *, several: bool) -> str:
    """With one rate, the amount before tax is in the line above."""
    if not several:
        return labels.tax.format(rate=_percent(rate))
    return labels.tax_on.format(rate=_percent(rate), base=_isolated(_amount(base, decimals)))


def _percent(rate: Decimal) -> str:
    """Isolated, because after Arabic text the percent sign would move to the other side of the number."""
    return _isolated(f"{format_decimal(rate, '0.##', 'en')}%")


def _isolated(text: str) -> str:
    return f"\N{LEFT-TO-RIGHT ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def _amount(amount: Decimal, decimals: int) -> str:
    """Latin digits with comma and point in both languages, as is usual in the region."""
    pattern = "#,##0." + "0" * decimals if decimals else "#,##0"
    return format_decimal(amount, pattern, "en").replace("-", _MINUS)


def _deductions(discount: Decimal, decimals: int) -> str:
    return _amount(-discount, decimals) if discount else "–"
