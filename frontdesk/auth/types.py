from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.auth.rate_limit import RateLimitStatus
from frontdesk.tenants.types import TenantContext


class Caller(msgspec.Struct, frozen=True):
    """Whose token or key it is, and what it may do at this moment."""

    tenant: TenantContext
    id: UUID  # the API client or the API key
    scopes: frozenset[str] = frozenset()
    branch_id: UUID | None = None  # that a key is bound to

    @property
    def tenant_id(self) -> UUID:
        return self.tenant.tenant_id


class AuthResult(msgspec.Struct, frozen=True):
    """The caller of a valid token or key, and whether it may go on."""

    caller: Caller
    is_suspended: bool  # the tenant
    has_open_api: bool  # the tenant's plan
    rate: RateLimitStatus | None  # None where the request was not counted


class Client(msgspec.Struct, frozen=True):
    """An API client whose secret was right."""

    tenant_id: UUID
    id: UUID
    scopes: frozenset[str]
    secret_version: int
    is_suspended: bool  # the business


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
    email_verified_at: datetime | None


class Account(msgspec.Struct, frozen=True):
    """The account that an e-mail address leads to."""

    id: UUID
    password_hash: str | None
    is_proven: bool
    is_disabled: bool


class SessionUser(msgspec.Struct, frozen=True):
    """Somebody who is signed in."""

    id: UUID
    email: str
    name: str
    language: str
    is_operator: bool
    has_proven_email: bool


class CurrentTenant(msgspec.Struct, frozen=True):
    """The business that somebody works for at the moment, and as what."""

    tenant: TenantContext
    name: str
    role: Role
    plan: str
    is_sandbox: bool
    is_suspended: bool


class UserSession(msgspec.Struct, frozen=True):
    session_id: UUID
    user: SessionUser
    current_tenant: CurrentTenant | None
    tenant_count: int  # that the user is a member of


class SessionInfo(msgspec.Struct, frozen=True):
    """One of somebody's sessions, as they see it themselves."""

    id: UUID
    address: str
    user_agent: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class Member(msgspec.Struct, frozen=True):
    """A person of a business, as its owner sees them."""

    id: UUID
    name: str
    email: str
    role: Role
    joined_at: datetime
    last_seen_at: datetime | None


class Invitation(msgspec.Struct, frozen=True):
    id: UUID
    email: str
    role: Role
    created_at: datetime
    expires_at: datetime
    sender_role: Role | None  # as it is now


class PendingInvitation(msgspec.Struct, frozen=True):
    """An invitation as whoever opens its link sees it."""

    id: UUID
    tenant_id: UUID
    business_name: str
    email: str
    role: Role
    proves_email: bool  # not in a sandbox: anybody can have one, and make invitations there


class ApiClient(msgspec.Struct, frozen=True):
    """An API client as the business that owns it sees it."""

    id: UUID
    name: str
    scopes: list[str]
    rate_limit: int | None  # None: the service's own
    secret_version: int
    previous_secret_until: datetime | None
    disabled_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    application: str | None  # the name of the application whose install made it


class ApiKey(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    last_four: str | None
    branch: str | None
    expires_at: datetime | None
    revoked_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    rate_limit: int | None

    @property
    def is_living(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > datetime.now(UTC))
