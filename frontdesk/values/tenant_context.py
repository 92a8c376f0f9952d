from datetime import UTC, datetime
from uuid import UUID

import msgspec

from frontdesk.problems import Problem, SharedProblem
from frontdesk.values.time import SkippedLocalTimeError, get_zone, to_instant


class TenantContext(msgspec.Struct, frozen=True):
    """The settings of the tenant that every request needs."""

    tenant_id: UUID
    timezone: str
    currency: str
    currency_decimals: int
    languages: tuple[str, ...]  # receipts use the first one
    grid_minutes: int

    def to_utc(self, moment: datetime, *at: str | int) -> datetime:
        """Without an offset the value is a local time; the first instant if the local time occurs twice."""
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
        try:
            return to_instant(moment, get_zone(self.timezone))
        except SkippedLocalTimeError:
            raise Problem(SharedProblem.SKIPPED_TIME, *at) from None
