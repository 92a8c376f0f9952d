"""The people who book."""

from msgspec import UNSET, UnsetType

from frontdesk.client.asking import ApiRequest, Id, at, change, read, write
from frontdesk.client.operations import Listing, Operation, Resource, TransportT
from frontdesk.customers.documents import CustomerDetail, CustomerSummary
from frontdesk.customers.types import CustomerType
from frontdesk.values.envelopes import DataResponse, PageResponse
from frontdesk.values.pagination import MAX_PER_PAGE


class Customers(Resource[TransportT]):
    @Listing
    def list(
        self,
        *,
        name: str | None = None,
        phone: str | None = None,
        email: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[PageResponse[CustomerSummary]]:
        """Customers, newest first."""
        return read("/customers", PageResponse[CustomerSummary], name=name, phone=phone, email=email, per_page=per_page)

    @Operation
    def get(self, customer_id: Id) -> ApiRequest[DataResponse[CustomerDetail]]:
        """One customer with tags and notes."""
        return read(at("/customers/{}", customer_id), DataResponse[CustomerDetail])

    @Operation
    def find_by_phone(self, phone: str) -> ApiRequest[DataResponse[CustomerDetail | None]]:
        """The customer with an international number, or None."""
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
        type_: CustomerType | str | None = None,
        city: str | None = None,
        address: str | None = None,
        note: str | None = None,
        tax_registration_number: str | None = None,
        key: str | None = None,
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Create a customer."""
        return write(
            "POST",
            "/customers",
            DataResponse[CustomerDetail],
            key,
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
        )

    @Operation
    def change(
        self,
        customer_id: Id,
        *,
        first_name: str | UnsetType = UNSET,
        last_name: str | UnsetType | None = UNSET,
        email: str | UnsetType | None = UNSET,
        phone: str | UnsetType | None = UNSET,
        phone_country: str | UnsetType | None = UNSET,
        type_: CustomerType | str | UnsetType | None = UNSET,
        city: str | UnsetType | None = UNSET,
        address: str | UnsetType | None = UNSET,
        note: str | UnsetType | None = UNSET,
        tax_registration_number: str | UnsetType | None = UNSET,
        key: str | None = None,
    ) -> ApiRequest[DataResponse[CustomerDetail]]:
        """Change a customer; what is left out stays as it is, and None clears a field."""
        return change(
            at("/customers/{}", customer_id),
            DataResponse[CustomerDetail],
            key,
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
        )
