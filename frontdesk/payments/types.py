from enum import StrEnum
from uuid import UUID

import msgspec


class MethodType(StrEnum):
    """The types that an application can create; the others are created in the dashboard."""

    CASH = "cash"
    OTHER = "other"


class NewMethod(msgspec.Struct, frozen=True):
    name: dict[str, str]  # by language
    type: str
    slug: str
    active: bool
    install_id: UUID | None = None  # of the application that provides it


class MethodInfo(msgspec.Struct, frozen=True):
    id: UUID
    type: str
    active: bool
    connected: bool  # not provided by an application, or by one that is still installed


class TransactionStatus(StrEnum):
    PENDING = "pending"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    CANCELED = "canceled"
    REFUNDED = "refunded"


class MethodChoice(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]  # by language
