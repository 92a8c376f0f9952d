"""The people who book."""

from frontdesk.client.asking import Ask, Id, at, read, write
from frontdesk.client.operations import Listing, Operation, Resource, Way
from frontdesk.customers.documents import CustomerDetail, CustomerListItem
from frontdesk.customers.types import CustomerType
from frontdesk.kit.envelopes import DataOf, PageOf
from frontdesk.kit.paging import LONGEST_PAGE


class Customers(Resource[Way]):
    @Listing
    def list(
        self,
        *,
        name: str | None = None,
        phone: str | None = None,
        email: str | None = None,
        per_page: int = LONGEST_PAGE,
    ) -> Ask[PageOf[CustomerListItem]]:
        """Customers, newest first."""
        return read("/customers", PageOf[CustomerListItem], name=name, phone=phone, email=email, per_page=per_page)

    @Operation
    def get(self, customer_id: Id) -> Ask[DataOf[CustomerDetail]]:
        """One customer with tags and notes."""
        return read(at("/customers/{}", customer_id), DataOf[CustomerDetail])

    @Operation
    def find_by_phone(self, phone: str) -> Ask[DataOf[CustomerDetail | None]]:
        """The customer with an international number, or None."""
        return read("/customers/phone", DataOf[CustomerDetail | None], phone=phone)

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
    ) -> Ask[DataOf[CustomerDetail]]:
        """Create a customer."""
        return write(
            "POST",
            "/customers",
            DataOf[CustomerDetail],
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
