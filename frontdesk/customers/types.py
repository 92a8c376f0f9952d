from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.custom_data.types import NO_FILTER, CustomDataFilter


class CustomerType(StrEnum):
    INDIVIDUAL = "individual"
    COMPANY = "company"


class CustomerFilter(msgspec.Struct, frozen=True):
    """Each filter matches a substring; None means no filter."""

    name: str | None = None  # a search key
    phone_digits: str | None = None
    email: str | None = None
    own: CustomDataFilter = NO_FILTER


class NewCustomer(msgspec.Struct, frozen=True):
    """Validated and normalized."""

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
    birthday: str | None = None  # as in values/birthdays.py
    allergies: str | None = None
    favorite_staff_id: UUID | None = None


class PhotoShows(StrEnum):
    BEFORE = "before"
    AFTER = "after"


class ConsentChannel(StrEnum):
    """How a customer consented, to marketing or to photos."""

    IN_PERSON = "in_person"
    PHONE = "phone"
    WRITTEN = "written"
    ONLINE = "online"
