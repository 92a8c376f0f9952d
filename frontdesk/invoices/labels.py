"""The texts of invoices in both languages."""

from collections.abc import Mapping

import msgspec

from frontdesk.invoices.types import Language


class Labels(msgspec.Struct, frozen=True):
    invoice: str
    tax_invoice: str
    simplified: str
    credit_note: str
    tax_credit_note: str
    simplified_credit_note: str
    credit_note_number: str
    reason: str
    refund: str  # the reason, if none was entered
    number: str
    issued: str
    moment: str  # a CLDR date pattern
    order: str
    seller: str
    buyer: str
    walk_in: str
    tax_number: str
    branch: str
    address: str
    phone: str
    item: str
    quantity: str
    unit: str
    discount: str
    amount: str
    before_tax: str
    tax: str
    tax_on: str  # if there are several rates
    total: str
    total_with_tax: str
    qr: str
    back: str
    print: str
    page: str


_ARABIC = Labels(
    invoice="فاتورة",
    tax_invoice="فاتورة ضريبية",
    simplified="فاتورة ضريبية مبسطة",
    credit_note="إشعار دائن",
    tax_credit_note="إشعار دائن ضريبي",
    simplified_credit_note="إشعار دائن ضريبي مبسط",
    credit_note_number="رقم الإشعار الدائن",
    reason="سبب الإشعار",
    refund="استرداد",
    number="رقم الفاتورة",
    issued="تاريخ الإصدار",
    moment="d MMMM y، HH:mm",
    order="رقم الطلب",
    seller="البائع",
    buyer="المشتري",
    walk_in="عميل نقدي",
    tax_number="الرقم الضريبي",
    branch="الفرع",
    address="العنوان",
    phone="الهاتف",
    item="البند",
    quantity="الكمية",
    unit="سعر الوحدة",
    discount="الخصم",
    amount="المبلغ، {currency}",
    before_tax="الإجمالي قبل الضريبة",
    tax="ضريبة القيمة المضافة {rate}",
    tax_on="ضريبة القيمة المضافة {rate} على {base}",
    total="الإجمالي، {currency}",
    total_with_tax="الإجمالي شامل الضريبة، {currency}",
    qr="رمز الفاتورة الضريبية",
    back="العودة إلى الطلب",
    print="طباعة",
    page="صفحة {page} من {pages}",
)

_ENGLISH = Labels(
    invoice="Invoice",
    tax_invoice="Tax invoice",
    simplified="Simplified tax invoice",
    credit_note="Credit note",
    tax_credit_note="Tax credit note",
    simplified_credit_note="Simplified tax credit note",
    credit_note_number="Credit note number",
    reason="Reason",
    refund="Refund",
    number="Invoice number",
    issued="Issued",
    moment="d MMMM y, HH:mm",
    order="Order number",
    seller="Seller",
    buyer="Buyer",
    walk_in="Walk-in customer",
    tax_number="Tax number",
    branch="Branch",
    address="Address",
    phone="Phone",
    item="Item",
    quantity="Quantity",
    unit="Unit price",
    discount="Discount",
    amount="Amount, {currency}",
    before_tax="Total before tax",
    tax="VAT {rate}",
    tax_on="VAT {rate} on {base}",
    total="Total, {currency}",
    total_with_tax="Total including VAT, {currency}",
    qr="Tax invoice code",
    back="Back to the order",
    print="Print",
    page="Page {page} of {pages}",
)

LABELS: Mapping[Language, Labels] = {Language.ARABIC: _ARABIC, Language.ENGLISH: _ENGLISH}
