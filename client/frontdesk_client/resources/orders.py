"""Orders."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    Amount,
    CreatedOrder,
    DataResponse,
    Date,
    DateTime,
    Id,
    InlinePayment,
    OrderDetail,
    OrderDiscount,
    OrderItemCreate,
    OrderItemReplace,
    OrderStatus,
    OrderSummary,
    OrderTrace,
    Page,
    PaymentStatus,
    RefundLineCreate,
    SettableOrderStatus,
    StaffAssignment,
    Transaction,
)
from frontdesk_client.models.orders import CustomerLink
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, patch, path, read, write


class Orders(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        from_: Date | None = None,
        to: Date | None = None,
        status: OrderStatus | None = None,
        payment_status: PaymentStatus | None = None,
        customer_id: Id | None = None,
        staff_id: Id | None = None,
        branch_id: Id | None = None,
        starts_from: Date | None = None,
        starts_to: Date | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[OrderSummary]]:
        """List orders, newest first."""
        return read(
            "/orders",
            Page[OrderSummary],
            from_=from_,
            to=to,
            status=status,
            payment_status=payment_status,
            customer_id=customer_id,
            staff_id=staff_id,
            branch_id=branch_id,
            starts_from=starts_from,
            starts_to=starts_to,
            external_id=external_id,
            metadata=metadata,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def get(self, order_id: Id) -> ApiRequest[DataResponse[OrderDetail]]:
        """Get an order with its lines, status history, bookings and transactions."""
        return read(path("/orders/{}", order_id), DataResponse[OrderDetail])

    @Operation
    def get_trace(self, order_id: Id) -> ApiRequest[DataResponse[OrderTrace]]:
        """Get why each line costs what it costs, who performs it and why, and which payment settles what."""
        return read(path("/orders/{}/trace", order_id), DataResponse[OrderTrace])

    @Operation
    def create(
        self,
        *,
        team_id: Id,
        customer_id: Id,
        items: Sequence[OrderItemCreate],
        start: DateTime | None = None,
        note: str | None = None,
        payment: InlinePayment | None = None,
        hold_id: Id | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str | None] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CreatedOrder]]:
        """Create an order, optionally with an inline payment."""
        return write(
            "POST",
            "/orders",
            DataResponse[CreatedOrder],
            idempotency_key,
            team_id=team_id,
            customer_id=customer_id,
            items=items,
            start=start,
            note=note,
            payment=payment,
            hold_id=hold_id,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def update(
        self,
        order_id: Id,
        *,
        external_id: str | UnsetType | None = UNSET,
        metadata: Mapping[str, str | None] | UnsetType | None = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Change what the application stores with an order. Omitted keys keep their value; None removes one."""
        return patch(
            path("/orders/{}", order_id),
            DataResponse[OrderDetail],
            idempotency_key,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def update_status(
        self,
        order_id: Id,
        status: SettableOrderStatus,
        *,
        note_for_status: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Change the status of an order. Setting its current status again has no effect."""
        return write(
            "POST",
            path("/orders/{}/status", order_id),
            DataResponse[OrderDetail],
            idempotency_key,
            status=status,
            note_for_status=note_for_status,
        )

    @Operation
    def cancel(
        self,
        order_id: Id,
        *,
        reason: str | None = None,
        note_for_status: str | None = None,
        no_show: bool | None = None,
        notify: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Cancel an order, also one that has an invoice or refunds. What was paid stays paid until it is refunded."""
        return write(
            "POST",
            path("/orders/{}/cancel", order_id),
            DataResponse[OrderDetail],
            idempotency_key,
            reason=reason,
            note_for_status=note_for_status,
            no_show=no_show,
            notify=notify,
        )

    @Operation
    def reschedule(
        self,
        order_id: Id,
        start: DateTime,
        *,
        items: Sequence[StaffAssignment] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Move the appointment of an order to another time. Lines not in `items` keep their staff member."""
        return write(
            "POST",
            path("/orders/{}/reschedule", order_id),
            DataResponse[OrderDetail],
            idempotency_key,
            start=start,
            items=items,
        )

    @Operation
    def create_payment(
        self,
        order_id: Id,
        *,
        amount: Amount,
        payment_method_id: Id,
        note: str | None = None,
        reference_number: str | None = None,
        date: DateTime | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Transaction]]:
        """Record a payment against an order."""
        return write(
            "POST",
            path("/orders/{}/payments", order_id),
            DataResponse[Transaction],
            idempotency_key,
            amount=amount,
            payment_method_id=payment_method_id,
            note=note,
            reference_number=reference_number,
            date=date,
        )

    @Operation
    def refund(
        self,
        order_id: Id,
        *,
        lines: Sequence[RefundLineCreate] | None = None,
        amount: Amount | None = None,
        whole: bool | None = None,
        payment_method_id: Id | None = None,
        restock: bool | None = None,
        cancel_order: bool | None = None,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Refund an order: `lines`, an `amount` or the `whole`. The refund is an order of its own."""
        return write(
            "POST",
            path("/orders/{}/refunds", order_id),
            DataResponse[OrderDetail],
            idempotency_key,
            lines=lines,
            amount=amount,
            whole=whole,
            payment_method_id=payment_method_id,
            restock=restock,
            cancel_order=cancel_order,
            reason=reason,
        )

    @Operation
    def replace_items(
        self,
        order_id: Id,
        items: Sequence[OrderItemReplace],
        *,
        discount: OrderDiscount | None = None,
        start: DateTime | None = None,
        note: str | None = None,
        updated_at: DateTime | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Replace the items and the discount of an order. What is not sent is removed."""
        return write(
            "PUT",
            path("/orders/{}/items", order_id),
            DataResponse[OrderDetail],
            idempotency_key,
            items=items,
            discount=discount,
            start=start,
            note=note,
            updated_at=updated_at,
        )

    @Operation
    def set_arrived(
        self, order_id: Id, *, arrived: bool, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[OrderDetail]]:
        """Record that the customer of an appointment of today has come, or take that back."""
        at = path("/orders/{}/arrived", order_id)
        return write("POST", at, DataResponse[OrderDetail], idempotency_key, arrived=arrived)

    @Operation
    def create_booking_link(
        self, order_id: Id, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerLink]]:
        """Create the address at which the customer sees, moves and cancels the booking."""
        return write("POST", path("/orders/{}/booking-link", order_id), DataResponse[CustomerLink], idempotency_key)

    @Operation
    def create_receipt_link(
        self, order_id: Id, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerLink]]:
        """Create the address of the receipt."""
        return write("POST", path("/orders/{}/receipt-link", order_id), DataResponse[CustomerLink], idempotency_key)
