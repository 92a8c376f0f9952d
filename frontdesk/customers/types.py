from enum import StrEnum

import msgspec


class CustomerType(StrEnum):
    INDIVIDUAL = "individual"
    COMPANY = "company"


class CustomerFilter(msgspec.Struct, frozen=True):
    """Each is a part to be found anywhere in the value; None is no filter."""

    name: str | None = None  # folded
    phone_digits: str | None = None
    email: str | None = None


class NewCustomer(msgspec.Struct, frozen=True):
    """Checked and normalised: ready to be written."""

    first_name: str
    last_name: str | None
    email: str | None
    phone: str | None
    phone_country: str | None
    type: CustomerType
    city: str | None
    address: str | None
    note: str | None
    tax_registration_number: str | None
