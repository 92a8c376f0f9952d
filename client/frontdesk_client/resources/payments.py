"""Payment methods and transactions."""

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    CreatablePaymentMethodType,
    DataResponse,
    Date,
    DateTime,
    Id,
    Localized,
    Page,
    PaymentMethod,
    Transaction,
    TransactionStatus,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, delete, patch, path, read, write


class PaymentMethods(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, updated_since: DateTime | None = None, after: str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[PaymentMethod]]:
        """List the active payment methods."""
        return read(
            "/payment-methods", Page[PaymentMethod], updated_since=updated_since, after=after, per_page=per_page
        )

    @Operation
    def get(self, method_id: Id) -> ApiRequest[DataResponse[PaymentMethod]]:
        """Get a payment method."""
        return read(path("/payment-methods/{}", method_id), DataResponse[PaymentMethod])

    @Operation
    def create(
        self,
        *,
        name: str,
        type_: CreatablePaymentMethodType,
        status: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[PaymentMethod]]:
        """Create a payment method of type cash or other."""
        return write(
            "POST",
            "/payment-methods",
            DataResponse[PaymentMethod],
            idempotency_key,
            name=name,
            type_=type_,
            status=status,
        )

    @Operation
    def update(
        self,
        method_id: Id,
        *,
        name: Localized | UnsetType = UNSET,
        status: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[PaymentMethod]]:
        """Rename a payment method, or set whether it can be used. Omitted fields keep their value."""
        return patch(
            path("/payment-methods/{}", method_id),
            DataResponse[PaymentMethod],
            idempotency_key,
            name=name,
            status=status,
            version=version,
        )

    @Operation
    def delete(self, method_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete a payment method that has no payments."""
        return delete(path("/payment-methods/{}", method_id), idempotency_key)

    @Operation
    def move(
        self, method_id: Id, *, before: Id | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[PaymentMethod]]:
        """Move a payment method before another one, or to the end."""
        at = path("/payment-methods/{}/move", method_id)
        return write("POST", at, DataResponse[PaymentMethod], idempotency_key, before=before)


class Transactions(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        status: TransactionStatus | None = None,
        order_id: Id | None = None,
        booking_id: Id | None = None,
        from_: Date | None = None,
        to: Date | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[Transaction]]:
        """List payments and refunds, newest first."""
        return read(
            "/transactions",
            Page[Transaction],
            status=status,
            order_id=order_id,
            booking_id=booking_id,
            from_=from_,
            to=to,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def get(self, transaction_id: Id) -> ApiRequest[DataResponse[Transaction]]:
        """Get a payment or a refund."""
        return read(path("/transactions/{}", transaction_id), DataResponse[Transaction])
