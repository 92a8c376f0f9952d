from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.auth.rate_limit import RateLimitStatus
from frontdesk.values.clock import current_time
from frontdesk.values.tenant_context import TenantContext


class Caller(msgspec.Struct, frozen=True):
    """An authenticated API client or key, with its current scopes."""

    tenant: TenantContext
    type: Literal["app", "key"]
    id: UUID  # the API client or the API key
    scopes: frozenset[str] = frozenset()
    branch_id: UUID | None = None  # that a key is bound to
    budgeted_scopes: frozenset[str] = frozenset()  # of which the business counts what is read
    approved_scopes: frozenset[str] = frozenset()  # by the business; the token may have fewer

    @property
    def tenant_id(self) -> UUID:
        return self.tenant.tenant_id


class AuthResult(msgspec.Struct, frozen=True):
    """The caller of a valid token or key, and whether the request is allowed."""

    caller: Caller
    is_suspended: bool  # the tenant
    has_open_api: bool  # the tenant's plan
    rate: RateLimitStatus | None  # None if the request was not counted
    rate_limit: int
    clock_ahead: int | None = None  # seconds, of a sandbox whose clock was moved
    has_faults: bool = False  # of a sandbox, on purpose


class Client(msgspec.Struct, frozen=True):
    """An API client that has authenticated with its secret."""

    tenant_id: UUID
    id: UUID
    scopes: frozenset[str]
    secret_version: int
    is_suspended: bool  # the tenant
    has_open_api: bool  # the tenant's plan
    clock_ahead: int | None = None  # seconds, of a sandbox whose clock was moved
    has_faults: bool = False  # of a sandbox, on purpose


class Role(StrEnum):
    OWNER = "owner"
    MANAGER = "manager"
    RECEPTIONIST = "receptionist"
    CASHIER = "cashier"
    PROVIDER = "provider"


class Membership(msgspec.Struct, frozen=True):
    tenant_id: UUID
    role: Role


class User(msgspec.Struct, frozen=True):
    """A user as operators see them."""

    id: UUID
    email: str
    name: str
    is_operator: bool
    disabled_at: datetime | None
    created_at: datetime
    memberships: list[Membership]
    email_verified_at: datetime | None
    second_factors: int


class ResetLink(msgspec.Struct, frozen=True):
    """Whose password an open link sets."""

    user_id: UUID
    email: str
    name: str


class Account(msgspec.Struct, frozen=True):
    """The account with a given e-mail address."""

    id: UUID
    password_hash: str | None
    is_proven: bool
    is_disabled: bool
    security_version: int
    has_second_factor: bool


class Person(msgspec.Struct, frozen=True):
    """Whom a message goes to."""

    id: UUID
    email: str
    name: str
    language: str


class SecondFactor(msgspec.Struct, frozen=True):
    """A second factor as its user sees it."""

    id: UUID
    kind: Literal["passkey", "app"]
    name: str
    rp_id: str | None  # the host that a passkey works on
    created_at: datetime
    last_used_at: datetime | None
    version: int


class PendingSignIn(msgspec.Struct, frozen=True):
    """A sign-in that waits for a second factor, or for a passkey alone."""

    id: UUID
    user_id: UUID | None  # None: the passkey says who it is
    email: str | None
    challenge: bytes
    tenant_id: UUID | None
    remember_me: bool
    next_path: str


class SessionUser(msgspec.Struct, frozen=True):
    """A user who is signed in."""

    id: UUID
    email: str
    name: str
    language: str
    is_operator: bool
    has_proven_email: bool
    has_second_factor: bool


class CurrentTenant(msgspec.Struct, frozen=True):
    """The tenant that is selected in a session, and the user's role in it."""

    tenant: TenantContext
    name: str
    role: Role
    staff_id: UUID | None  # the staff member that the user is
    plan: str
    is_sandbox: bool
    is_suspended: bool
    requires_second_factor: bool  # of its members
    is_set_up: bool  # or the set-up checklist is hidden
    last_event: int  # the sequence of the last event before the page was read, from which its live updates go on
    branches: list[tuple[UUID, str]]  # the active ones with their names
    unseen: int = 0  # notifications on the bell, counted up to 100
    clock_ahead: int | None = None  # seconds, of a sandbox whose clock was moved


class UserSession(msgspec.Struct, frozen=True):
    session_id: UUID
    user: SessionUser
    current_tenant: CurrentTenant | None
    tenant_count: int  # that the user is a member of
    is_recent: bool  # the user has proved who they are in the last minutes

    @property
    def lacks_second_factor(self) -> bool:
        """It is required of operators, and of members where their business says so."""
        current = self.current_tenant
        required = self.user.is_operator or (current is not None and current.requires_second_factor)
        return required and not self.user.has_second_factor


class ValidSession(msgspec.Struct, frozen=True):
    """A session that has not ended, with the current role in its tenant."""

    id: UUID
    tenant_id: UUID
    role: Role
    staff_id: UUID | None


class SessionInfo(msgspec.Struct, frozen=True):
    """A session as its user sees it."""

    id: UUID
    address: str
    user_agent: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class Member(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    email: str
    role: Role
    last_seen_at: datetime | None
    staff_id: UUID | None = None  # the staff member that the user is
    staff_name: str | None = None


class Invitation(msgspec.Struct, frozen=True):
    id: UUID
    email: str
    role: Role
    created_at: datetime
    expires_at: datetime
    sender_role: Role | None  # the current one


class PendingInvitation(msgspec.Struct, frozen=True):
    """An invitation as the page of its link shows it."""

    id: UUID
    tenant_id: UUID
    business_name: str
    email: str
    role: Role
    proves_email: bool  # the link was mailed; never in a sandbox, whose mail its visitors can read


class ApiClient(msgspec.Struct, frozen=True):
    """An API client as its tenant sees it."""

    id: UUID
    name: str
    scopes: list[str]
    rate_limit: int | None  # None: the default of the service
    secret_version: int
    previous_secret_until: datetime | None
    disabled_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    application: str | None  # the name of the application whose install created it
    version: int  # of name and scopes


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
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > current_time())
