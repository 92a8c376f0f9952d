"""Customers."""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    CustomerDetail,
    CustomerSummary,
    CustomerType,
    DataResponse,
    DateTime,
    Id,
    MergedField,
    Page,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, patch, path, read, write


class Customers(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        name: str | None = None,
        phone: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[CustomerSummary]]:
        """List customers, newest first."""
        return read(
            "/customers",
            Page[CustomerSummary],
            name=name,
            phone=phone,
            email=email,
            external_id=external_id,
            metadata=metadata,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def get(self, customer_id: Id) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Get a customer with tags and notes."""
        return read(path("/customers/{}", customer_id), DataResponse[CustomerDetail])

    @Operation
    def find_by_phone(self, phone: str) -> ApiRequest[DataResponse[CustomerDetail | None]]:
        """Get the customer with an international phone number, or None."""
        return read("/customers/phone", DataResponse[CustomerDetail | None], phone=phone)

    @Operation
    def create(
        self,
        *,
        first_name: str,
        last_name: str | None = None,
        email: str | None = None,
        phone: str | None = None,
        phone_country: str | None = None,
        type_: CustomerType | None = None,
        city: str | None = None,
        address: str | None = None,
        note: str | None = None,
        tax_registration_number: str | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str | None] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Create a customer."""
        return write(
            "POST",
            "/customers",
            DataResponse[CustomerDetail],
            idempotency_key,
            first_name=first_name,
            last_name=last_name,
            email=email,
            phone=phone,
            phone_country=phone_country,
            type_=type_,
            city=city,
            address=address,
            note=note,
            tax_registration_number=tax_registration_number,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def update(
        self,
        customer_id: Id,
        *,
        first_name: str | UnsetType = UNSET,
        last_name: str | UnsetType | None = UNSET,
        email: str | UnsetType | None = UNSET,
        phone: str | UnsetType | None = UNSET,
        phone_country: str | UnsetType | None = UNSET,
        type_: CustomerType | UnsetType | None = UNSET,
        city: str | UnsetType | None = UNSET,
        address: str | UnsetType | None = UNSET,
        note: str | UnsetType | None = UNSET,
        tax_registration_number: str | UnsetType | None = UNSET,
        external_id: str | UnsetType | None = UNSET,
        metadata: Mapping[str, str | None] | UnsetType | None = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Update a customer. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/customers/{}", customer_id),
            DataResponse[CustomerDetail],
            idempotency_key,
            first_name=first_name,
            last_name=last_name,
            email=email,
            phone=phone,
            phone_country=phone_country,
            type_=type_,
            city=city,
            address=address,
            note=note,
            tax_registration_number=tax_registration_number,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def tag(
        self, customer_id: Id, name: str, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Give a customer a tag, which is created if it does not exist."""
        return write(
            "POST", path("/customers/{}/tags", customer_id), DataResponse[CustomerDetail], idempotency_key, name=name
        )

    @Operation
    def untag(
        self, customer_id: Id, *, tag_id: Id, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[None]]:
        """Take a tag from a customer."""
        return ApiRequest(
            "DELETE",
            path("/customers/{}/tags", customer_id),
            DataResponse[None],
            {"tag_id": str(tag_id)},
            idempotency_key=idempotency_key or str(uuid4()),
        )

    @Operation
    def block(
        self, customer_id: Id, reason: str, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Block a customer, who then gets no new orders."""
        return write(
            "POST",
            path("/customers/{}/block", customer_id),
            DataResponse[CustomerDetail],
            idempotency_key,
            reason=reason,
        )

    @Operation
    def unblock(
        self, customer_id: Id, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """End the block of a customer."""
        return write("POST", path("/customers/{}/unblock", customer_id), DataResponse[CustomerDetail], idempotency_key)

    @Operation
    def merge(
        self,
        record_id: Id,
        *,
        customer_id: Id,
        take: Sequence[MergedField] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Merge the record `customer_id` of the same customer into `record_id`. It is deleted."""
        return write(
            "POST",
            path("/customers/{}/merge", record_id),
            DataResponse[CustomerDetail],
            idempotency_key,
            customer_id=customer_id,
            take=take,
        )

    @Operation
    def mark_distinct(
        self, record_id: Id, *, customer_id: Id, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Record that `customer_id`, who looks like `record_id`, is another person."""
        at = path("/customers/{}/distinct", record_id)
        return write("POST", at, DataResponse[CustomerDetail], idempotency_key, customer_id=customer_id)
