"""What is free, what is booked, and what is paid."""

import datetime as dt
from collections.abc import Sequence

from frontdesk.availability.documents import Availability as FreeStarts
from frontdesk.client.asking import ApiRequest, Id, at, post_query, read, write
from frontdesk.client.bodies import Amount, InlinePayment, LineToReschedule, Moment, OrderLine
from frontdesk.client.operations import Listing, Operation, Resource, TransportT
from frontdesk.orders.json_sql import CreatedOrder, OrderDetail, OrderSummary, PaymentStatus, Transaction
from frontdesk.orders.types import Status
from frontdesk.payments.documents import PaymentMethod
from frontdesk.payments.types import MethodType, TransactionStatus
from frontdesk.values.envelopes import DataResponse, PageResponse
from frontdesk.values.pagination import MAX_PER_PAGE

Date = dt.date | str


class Availability(Resource[TransportT]):
    @Operation
    def find(
        self,
        *,
        service_id: Id,
        date: Date,
        staff_id: Id | None = None,
        quantity: int | None = None,
        visible_days: int | None = None,
        next_availability: bool | None = None,
        explain: bool | None = None,
    ) -> ApiRequest[DataResponse[FreeStarts]]:
        """The free starts of a service."""
        return post_query(
            "/availability",
            DataResponse[FreeStarts],
            service_id=service_id,
            date=date,
            staff_id=staff_id,
            quantity=quantity,
            visible_days=visible_days,
            next_availability=next_availability,
            explain=explain,
        )


class Orders(Resource[TransportT]):
    @Listing
    def list(
        self,
        *,
        from_: Date | None = None,
        to: Date | None = None,
        status: Status | str | None = None,
        payment_status: PaymentStatus | None = None,
        customer_id: Id | None = None,
        staff_id: Id | None = None,
        branch_id: Id | None = None,
        starts_from: Date | None = None,
        starts_to: Date | None = None,
        updated_since: Moment | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[PageResponse[OrderSummary]]:
        """Orders, newest first."""
        return read(
            "/orders",
            PageResponse[OrderSummary],
            from_=from_,
            to=to,
            status=status,
            payment_status=payment_status,
            customer_id=customer_id,
            staff_id=staff_id,
            branch_id=branch_id,
            starts_from=starts_from,
            starts_to=starts_to,
            updated_since=updated_since,
            per_page=per_page,
        )

    @Operation
    def get(self, order_id: Id) -> ApiRequest[DataResponse[OrderDetail]]:
        """One order with its lines, history, bookings and transactions."""
        return read(at("/orders/{}", order_id), DataResponse[OrderDetail])

    @Operation
    def place(
        self,
        *,
        team_id: Id,
        customer_id: Id,
        items: Sequence[OrderLine],
        start: Moment | None = None,
        note: str | None = None,
        payment: InlinePayment | None = None,
        key: str | None = None,
    ) -> ApiRequest[DataResponse[CreatedOrder]]:
        """Create an order, optionally with an inline payment."""
        return write(
            "POST",
            "/orders",
            DataResponse[CreatedOrder],
            key,
            team_id=team_id,
            customer_id=customer_id,
            items=items,
            start=start,
            note=note,
            payment=payment,
        )

    @Operation
    def set_status(
        self, order_id: Id, status: Status | str, *, note_for_status: str | None = None, key: str | None = None
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Change the status of an order; the one it has already changes nothing."""
        path = at("/orders/{}/status", order_id)
        return write("POST", path, DataResponse[OrderDetail], key, status=status, note_for_status=note_for_status)

    @Operation
    def reschedule(
        self,
        order_id: Id,
        start: Moment,
        *,
        items: Sequence[LineToReschedule] | None = None,
        key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Move the appointment of an order to another time; lines that are not named keep their provider."""
        path = at("/orders/{}/reschedule", order_id)
        return write("POST", path, DataResponse[OrderDetail], key, start=start, items=items)

    @Operation
    def pay(
        self,
        order_id: Id,
        *,
        amount: Amount,
        payment_method_id: Id,
        note: str | None = None,
        reference_number: str | None = None,
        date: Moment | None = None,
        key: str | None = None,
    ) -> ApiRequest[DataResponse[Transaction]]:
        """Record a payment against an order."""
        return write(
            "POST",
            at("/orders/{}/payments", order_id),
            DataResponse[Transaction],
            key,
            amount=amount,
            payment_method_id=payment_method_id,
            note=note,
            reference_number=reference_number,
            date=date,
        )


class PaymentMethods(Resource[TransportT]):
    @Listing
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[PageResponse[PaymentMethod]]:
        """The payment methods that can be used now."""
        return read("/payment-methods", PageResponse[PaymentMethod], per_page=per_page)

    @Operation
    def get(self, method_id: Id) -> ApiRequest[DataResponse[PaymentMethod]]:
        """One payment method."""
        return read(at("/payment-methods/{}", method_id), DataResponse[PaymentMethod])

    @Operation
    def create(
        self, *, name: str, type_: MethodType | str, status: bool | None = None, key: str | None = None
    ) -> ApiRequest[DataResponse[PaymentMethod]]:
        """Add a payment method of the types cash and other."""
        return write(
            "POST", "/payment-methods", DataResponse[PaymentMethod], key, name=name, type_=type_, status=status
        )


class Transactions(Resource[TransportT]):
    @Listing
    def list(
        self,
        *,
        status: TransactionStatus | str | None = None,
        order_id: Id | None = None,
        booking_id: Id | None = None,
        from_: Date | None = None,
        to: Date | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[PageResponse[Transaction]]:
        """Payments and refunds, newest first."""
        return read(
            "/transactions",
            PageResponse[Transaction],
            status=status,
            order_id=order_id,
            booking_id=booking_id,
            from_=from_,
            to=to,
            per_page=per_page,
        )

    @Operation
    def get(self, transaction_id: Id) -> ApiRequest[DataResponse[Transaction]]:
        """One payment or refund."""
        return read(at("/transactions/{}", transaction_id), DataResponse[Transaction])
