"""The contents of an invoice as text, shared by the HTML page and the PDF."""

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import NamedTuple

import msgspec
from babel.dates import format_datetime
from babel.numbers import format_decimal

from frontdesk.i18n.languages import ENGLISH, is_right_to_left
from frontdesk.i18n.texts import N_, NP_, translate
from frontdesk.invoices.types import Buyer, Invoice, Line, Seller
from frontdesk.values.currency_label import currency_label
from frontdesk.values.money import currency_decimals, exact_sum
from frontdesk.values.phones import spaced
from frontdesk.values.time import get_zone, to_local

Text = Callable[..., str]  # `translate` in the language of the invoice
_LEGAL = "ar"
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
    language: str
    right_to_left: bool
    title: str
    other_language: str
    other_title: str
    facts: list[LabelledValue]
    parties: list[Party]
    reason: LabelledValue | None  # of a credit note
    columns: list[str]
    rows: list[Row]
    sums: list[TotalRow]
    note: str


def build_view(invoice: Invoice, language: str) -> InvoiceView:
    text = partial(translate, language)
    decimals = currency_decimals(invoice.currency)
    other = other_language(language)
    currency = currency_label(invoice.currency, language)
    return InvoiceView(
        language=language,
        right_to_left=is_right_to_left(language),
        title=_title(invoice, language),
        other_language=other,
        other_title=_title(invoice, other),
        facts=_labelled_values(invoice, text, language),
        parties=[_seller(invoice.seller, text, language), _buyer(invoice.buyer, text)],
        reason=_reason(invoice, text),
        columns=[
            text(NP_("paper", "Item")),
            text(N_("Quantity")),
            text(N_("Unit price")),
            text(N_("Discount")),
            text(N_("Amount, {currency}"), currency=currency),
        ],
        rows=[_row(line, language, decimals) for line in invoice.lines],
        sums=_sums(invoice, text, currency, decimals),
        note=invoice.seller.note.get(language) or next(iter(invoice.seller.note.values()), ""),
    )


def other_language(language: str) -> str:
    """The second one of a paper: the law requires the Arabic title; beside it, the English one is for the reader."""
    return ENGLISH if language == _LEGAL else _LEGAL


def paper_title(seller_tax: str | None, buyer_tax: str | None, language: str, *, is_credit: bool) -> str:
    """Only a seller who is registered for tax issues tax invoices; to a registered buyer they are not simplified."""
    if not seller_tax:
        title = N_("Credit note") if is_credit else NP_("paper", "Invoice")
    elif buyer_tax:
        title = N_("Tax credit note") if is_credit else N_("Tax invoice")
    else:
        title = N_("Simplified tax credit note") if is_credit else N_("Simplified tax invoice")
    return translate(language, title)


def _title(invoice: Invoice, language: str) -> str:
    buyer_tax = invoice.buyer.tax_registration_number if invoice.buyer else None
    return paper_title(
        invoice.seller.tax_registration_number, buyer_tax, language, is_credit=invoice.credits is not None
    )


def _labelled_values(invoice: Invoice, text: Text, language: str) -> list[LabelledValue]:
    local = to_local(invoice.issued_at, get_zone(invoice.seller.timezone))
    numbers = [LabelledValue(text(N_("Invoice number")), str(invoice.number), figures=True)]
    if invoice.credits is not None:
        numbers = [
            LabelledValue(text(N_("Credit note number")), str(invoice.number), figures=True),
            LabelledValue(text(N_("Invoice number")), str(invoice.credits), figures=True),
        ]
    return [
        *numbers,
        LabelledValue(text(N_("Issued")), _moment(local, text, language), figures=False),
        LabelledValue(text(N_("Order number")), str(invoice.order_number), figures=True),
    ]


def _moment(local: datetime, text: Text, language: str) -> str:
    return text(N_(", ")).join(format_datetime(local, pattern, locale=language) for pattern in ("d MMMM y", "HH:mm"))


def _reason(invoice: Invoice, text: Text) -> LabelledValue | None:
    """The law requires one."""
    if invoice.credits is None:
        return None
    default = NP_("paper", "Refund") if invoice.is_refund else NP_("paper", "Canceled")
    return LabelledValue(text(NP_("paper", "Reason")), invoice.reason or text(default), figures=False)


def _seller(seller: Seller, text: Text, language: str) -> Party:
    facts = [
        _labelled_value(text(N_("Tax number")), seller.tax_registration_number, figures=True),
        _labelled_value(text(N_("Branch")), seller.branch_names.get(language) or seller.branch),
        _labelled_value(text(N_("Address")), seller.address),
        _labelled_value(text(N_("Phone")), seller.phone and spaced(seller.phone), figures=True),
    ]
    return Party(text(N_("Seller")), seller.name, [fact for fact in facts if fact])


def _buyer(buyer: Buyer | None, text: Text) -> Party:
    if buyer is None:
        return Party(text(N_("Buyer")), text(N_("Walk-in customer")), [])
    address = " · ".join(part for part in (buyer.address, buyer.city) if part)
    facts = [
        _labelled_value(text(N_("Tax number")), buyer.tax_registration_number, figures=True),
        _labelled_value(text(N_("Address")), address),
    ]
    return Party(text(N_("Buyer")), buyer.name, [fact for fact in facts if fact])


def _labelled_value(label: str, value: str | None, *, figures: bool = False) -> LabelledValue | None:
    return LabelledValue(label, value, figures) if value else None


def _row(line: Line, language: str, decimals: int) -> Row:
    name = line.names.get(language) or line.name
    unit, total = _amount(line.unit_amount, decimals), _amount(line.total, decimals)
    return Row(name, [_amount(Decimal(line.quantity), 0), unit, _deductions(line.discount_amount, decimals), total])


def _sums(invoice: Invoice, text: Text, currency: str, decimals: int) -> list[TotalRow]:
    discount = exact_sum(line.discount_amount for line in invoice.lines)
    first = [TotalRow(text(N_("Discount")), _deductions(discount, decimals), final=False)] if discount else []
    taxes = _taxes(invoice.lines)
    if not (any(taxes) or invoice.seller.tax_registration_number):
        return [
            *first,
            TotalRow(text(N_("Total, {currency}"), currency=currency), _amount(invoice.total, decimals), final=True),
        ]
    before = exact_sum((invoice.total, -invoice.tax_amount))
    return [
        *first,
        TotalRow(text(N_("Total before tax")), _amount(before, decimals), final=False),
        *(
            TotalRow(
                _tax_label(rate, sums.base, text, decimals, several=len(taxes) > 1),
                _amount(sums.tax, decimals),
                final=False,
            )
            for rate, sums in taxes.items()
        ),
        TotalRow(
            text(N_("Total including VAT, {currency}"), currency=currency), _amount(invoice.total, decimals), final=True
        ),
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


def _tax_label(rate: Decimal, base: Decimal, text: Text, decimals: int, *, several: bool) -> str:
    """With one rate, the amount before tax is in the line above."""
    if not several:
        return text(N_("VAT {rate}"), rate=_percent(rate))
    return text(N_("VAT {rate} on {base}"), rate=_percent(rate), base=_isolated(_amount(base, decimals)))


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
