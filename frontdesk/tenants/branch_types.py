from decimal import Decimal
from uuid import UUID

import msgspec


class BranchFields(msgspec.Struct, frozen=True):
    """What a form edits."""

    name: str
    names: dict[str, str]  # what customers read in its place, by language
    slug: str
    phone: str | None
    phone_country: str | None
    address: str | None
    latitude: Decimal | None
    longitude: Decimal | None
    location: str | None  # the address of a map


class StoredBranch(BranchFields, frozen=True):
    id: UUID
    status: bool  # whether it is active
    version: int


class BranchInUse(msgspec.Struct, frozen=True):
    """A branch with what depends on it."""

    branch: StoredBranch
    staff: int  # active ones
    services: int
    products: int
    upcoming_bookings: int  # bookings
    is_last: bool  # the only active one
    lacks_contact: bool  # the booking page shows no phone number or no address
