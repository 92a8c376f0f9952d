"""Invoices with what makes them hard to set: two scripts in one name, long names, many lines."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from frontdesk.invoices.content import tax_qr
from frontdesk.invoices.types import Buyer, Invoice, Line, Seller

NAMES = (
    "قص وسشوار",
    "Root colour صبغة جذور",
    "شامبو أرغان 250 مل",
    "Keratin treatment",
    "جلسة عناية بالبشرة (90 دقيقة) مع قناع الكولاجين وتدليك الرأس والرقبة بالزيوت العطرية",
)
SELLER = Seller(
    "ليان ستوديو (Layan) للتجميل",
    "300123456700003",
    "العليا",
    "حي العليا 12، شارع A",
    "+966112345678",
    "Asia/Riyadh",
)
BUYER = Buyer("Sara العتيبي", "310123456700003", "شارع التحلية 45", "الرياض")


def invoice_of(count: int, **changes: Any) -> Invoice:
    lines = [
        Line(
            NAMES[place % len(NAMES)],
            1,
            Decimal("1180.00"),
            Decimal("18.00"),
            Decimal("1162.00"),
            tax_rate=Decimal("15.00"),
            tax_amount=Decimal("0" if place else "151.57"),
        )
        for place in range(count)
    ]
    given: dict[str, Any] = {
        "id": UUID(int=1),
        "number": 1042,
        "order_id": UUID(int=2),
        "order_number": 2231,
        "seller": SELLER,
        "buyer": BUYER,
        "lines": lines,
        "currency": "SAR",
        "tax_rate": Decimal("15.00"),
        "tax_amount": Decimal("151.57"),
        "total": Decimal("1162.000"),
        "qr": tax_qr(SELLER.name, "300123456700003", "2026-11-15T22:04:00Z", "1162.00", "151.57"),
        "issued_at": datetime(2026, 11, 15, 22, 4, tzinfo=UTC),
    }
    return Invoice(**(given | changes))
