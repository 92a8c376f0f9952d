from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.kit.ratelimit import Rate
from frontdesk.tenants.types import Business


class TokenHolder(msgspec.Struct, frozen=True):
    """A living token: whose it is, what it may do at this moment, and how much of its minute is used."""

    business: Business
    client_id: UUID
    scopes: frozenset[str]
    open_api: bool
    rate: Rate | None  # not counted where the plan already refuses


class KeyHolder(msgspec.Struct, frozen=True):
    business: Business
    key_id: UUID
    branch_id: UUID | None
    rate: Rate


class Client(msgspec.Struct, frozen=True):
    """An API client whose secret was right."""

    tenant_id: UUID
    id: UUID
    scopes: frozenset[str]
    secret_version: int


class Role(StrEnum):
    OWNER = "owner"
    MANAGER = "manager"
    STAFF = "staff"
    CASHIER = "cashier"


class Membership(msgspec.Struct, frozen=True):
    tenant_id: UUID
    role: Role


class User(msgspec.Struct, frozen=True):
    """A person as the operator sees them."""

    id: UUID
    email: str
    name: str
    is_operator: bool
    disabled_at: datetime | None
    created_at: datetime
    memberships: list[Membership]
