"""The published forms of an order that is about to be written: its creation response, and what is told of it.

Everything in them is known before the order is written, except for its numbers, its moment and its customer, which the
database knows when it writes. Where those belong stands a mark, and the statement puts them in. The mark is new each
time, so that nobody can write it into a note. `documents.order_detail` writes the same forms of orders that exist.
"""

import os
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.orders.json_sql import PaymentStatus
from frontdesk.orders.lines import CatalogSnapshot
from frontdesk.orders.types import Booking, Line, NewOrder, Payment
from frontdesk.payments.types import TransactionStatus
from frontdesk.tenants.types import TenantContext
from frontdesk.values.money import exact_sum, format_amount, round_half_up
from frontdesk.values.time import format_offset, get_zone
from frontdesk.webhooks.payloads import author_type

# What follows the mark.
ORDER_NUMBER = "n"
PADDED_NUMBER = "p"
MOMENT = "m"
CUSTOMER = "c"
TRANSACTIONS = "x"
TRANSACTION_NO = "k"
PAID_AT = "t"

_Document = dict[str, Any]
_encode = msgspec.json.Encoder(decimal_format="number").encode


class NewDocuments(NamedTuple):
    mark: str
    created: str  # the creation response
    order: str
    transactions: list[str]  # one for each payment


def new_documents(tenant: TenantContext, new: NewOrder, books: CatalogSnapshot) -> NewDocuments:
    return _Writer(tenant, new, books).documents()


class _Writer:
    def __init__(self, tenant: TenantContext, new: NewOrder, books: CatalogSnapshot) -> None:
        self._new = new
        self._books = books
        self._decimals = tenant.currency_decimals
        self._currency = tenant.currency
        self._zone = get_zone(tenant.timezone)
        self._mark = os.urandom(8).hex()
        self._paid = round_half_up(exact_sum(payment.amount for payment in new.payments), self._decimals)

    def documents(self) -> NewDocuments:
        bookings = self._bookings()
        first = bookings[0] if bookings else None
        return NewDocuments(
            self._mark,
            _text(self._created()),
            _text(self._order(bookings)),
            [_text(self._transaction(payment, first)) for payment in self._new.payments],
        )

    def _created(self) -> _Document:
        payments = self._new.payments
        return {
            "id": self._new.id,
            "order_number": self._mark + ORDER_NUMBER,
            "status": self._new.status,
            "payment_status": self._payment_status(),
            "currency": self._currency,
            "total": self._new.total,
            "created_at": self._mark + MOMENT,
            "transaction": self._brief(payments[0]) if payments else None,
        }

    def _brief(self, payment: Payment) -> _Document:
        return {
            "id": payment.id,
            "amount": format_amount(payment.amount, self._decimals),
            "currency": self._currency,
            "status": TransactionStatus.CONFIRMED,
            "reference_number": payment.reference_number,
            "date": format_offset(payment.date, self._zone),
        }

    def _order(self, bookings: Sequence[_Document]) -> _Document:
        new, asked = self._new, self._new.asked
        return {
            "id": new.id,
            "order_number": self._mark + ORDER_NUMBER,
            "parent_id": None,
            "status": new.status,
            "payment_status": self._payment_status(),
            "source": asked.source,
            "customer": self._raw(CUSTOMER),
            "branch": self._books.branch_document,
            "items": [_item(line) for line in new.lines],
            "currency": self._currency,
            "total": new.total,
            "discount_amount": new.discount_amount,
            "paid_amount": self._paid,
            "refunded_amount": round_half_up(Decimal(0), self._decimals),
            "remaining_amount": max(new.total - self._paid, round_half_up(Decimal(0), self._decimals)),
            "start": None if asked.start is None else format_offset(asked.start, self._zone),
            "note": asked.note,
            "refund_ids": [],
            "bookings": bookings,
            "status_history": [
                {
                    "from": None,
                    "to": new.status,
                    "note": None,
                    "previous_start": None,
                    "new_start": None,
                    "changed_by": {"type": author_type(asked.actor.type), "id": asked.actor.id},
                    "created_at": self._mark + MOMENT,
                }
            ],
            "transactions": self._raw(TRANSACTIONS),
            "created_at": self._mark + MOMENT,
            "updated_at": self._mark + MOMENT,
        }

    def _bookings(self) -> list[_Document]:
        numbered = enumerate(self._new.bookings, 1)
        in_order = sorted(numbered, key=lambda one: (one[1].start, one[1].id))
        return [self._booking(place, booking) for place, booking in in_order]

    def _booking(self, place: int, booking: Booking) -> _Document:
        return {
            "id": booking.id,
            "reference": f"BK-{self._mark}{PADDED_NUMBER}" + (f"-{place}" if place > 1 else ""),
            "start": format_offset(booking.start, self._zone),
            "end": format_offset(booking.end, self._zone),
            "status": self._new.status,
            "service_id": booking.item_id,
            "staff_id": booking.staff_id,
        }

    def _transaction(self, payment: Payment, booking: _Document | None) -> _Document:
        method = next(method for method in self._books.facts.methods if method.id == payment.method_id)
        return {
            "id": payment.id,
            "transaction_no": self._raw(TRANSACTION_NO),
            "amount": format_amount(payment.amount, self._decimals),
            "currency": self._currency,
            "status": TransactionStatus.CONFIRMED,
            "is_deposit": payment.is_deposit,
            "note": payment.note,
            "reference_number": payment.reference_number,
            "date": format_offset(payment.date, self._zone),
            "payment_method": {"id": method.id, "name": method.name, "slug": method.slug},
            "order": {"id": self._new.id, "order_number": self._raw(ORDER_NUMBER)},
            "booking": booking,
            "created_at": self._mark + PAID_AT,
            "updated_at": self._mark + PAID_AT,
        }

    def _payment_status(self) -> PaymentStatus:
        if self._paid >= self._new.total:
            return "paid"
        return "partially_paid" if self._paid > 0 else "unpaid"

    def _raw(self, what: str) -> msgspec.Raw:
        """Where no text belongs, but a number or a whole document."""
        return msgspec.Raw((self._mark + what).encode())


def _item(line: Line) -> dict[str, UUID | str | Decimal | int | None]:
    return {
        "id": line.item_id or line.package_id,
        "name": line.name,
        "type": line.type,
        "price": line.price,
        "quantity": line.quantity,
        "discount_amount": line.discount_amount,
        "total": line.total,
        "staff_id": line.staff_id,
        "line_id": line.id,
    }


def _text(document: _Document) -> str:
    return _encode(document).decode()
