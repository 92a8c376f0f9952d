from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.availability.opening import Opening, OpeningHours, opening_of
from frontdesk.values.clock import current_time
from frontdesk.values.money import deposit_of
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone


class PageSettings(msgspec.Struct, frozen=True):
    """What the form of the settings changes. The defaults are those of a business that has saved nothing."""

    shown: bool = True
    about: dict[str, str] = {}  # by language
    cover_id: UUID | None = None
    asks_for_code: bool = False  # sent to the e-mail address of the customer who books, to verify it
    customers_move: bool = True
    customers_cancel: bool = True
    payment_instructions: dict[str, str] = {}  # by language
    embedding_origins: tuple[str, ...] = ()


class BookingRules(msgspec.Struct, frozen=True):
    """For bookings that customers make themselves."""

    notice_hours: int  # between booking and start, at least
    horizon_days: int  # how far ahead
    cancellation_hours: int  # before the start
    deposit_percent: int  # of the total


class BookingPage(msgspec.Struct, frozen=True):
    """The business behind a public page, as far as every such page needs it."""

    tenant: TenantContext
    slug: str
    name: str
    names: dict[str, str]  # that customers read instead, by language
    country: str | None
    accent: str | None
    logo_id: UUID | None
    is_suspended: bool
    is_sandbox: bool
    rules: BookingRules
    settings: PageSettings
    version: int  # of the settings; 0: none were saved
    cover_size: tuple[int, int] | None  # in pixels
    hours: dict[UUID, OpeningHours]  # of each branch
    clock_ahead: int | None = None  # of a sandbox whose clock was moved

    @property
    def tenant_id(self) -> UUID:
        return self.tenant.tenant_id

    def address(self, origin: str) -> str:
        return f"{origin}/book/{self.slug}"

    def deposit_of(self, total: Decimal) -> Decimal | None:
        return deposit_of(total, self.rules.deposit_percent, self.tenant.currency_decimals)

    def opening_of(self, branch_id: UUID) -> Opening | None:
        """Until when the branch is open, or when it opens; None: it has no hours."""
        hours = self.hours.get(branch_id)
        return opening_of(hours, get_zone(self.tenant.timezone), current_time()) if hours else None

    @property
    def is_open(self) -> bool:
        """Whether customers can book here."""
        return self.settings.shown and not self.is_suspended
