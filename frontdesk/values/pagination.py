"""Pages of a list: the requested range, and its rows."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

MAX_PER_PAGE = 100
MAX_OFFSET = 2**31 * MAX_PER_PAGE
BEFORE_ALL = UUID(int=0)  # smaller than the id of any record


class PageRequest(msgspec.Struct, frozen=True):
    page: int = 1
    per_page: int = 25

    @property
    def offset(self) -> int:
        """Capped far beyond any list, so that it fits into a bigint."""
        return min((self.page - 1) * self.per_page, MAX_OFFSET)


class ChangesSince(msgspec.Struct, frozen=True):
    """Which records of a list are read, the earliest change first: those that changed at `moment` or later.

    With `after`, of those that changed at `moment` only the ones behind this record.
    """

    moment: datetime
    after: UUID | None = None


class Page(msgspec.Struct, frozen=True):
    """The rows of a page as one JSON array, written by the database, and the number of all rows."""

    documents: str | bytes  # JSON
    total: int
    unknown: Sequence[str] = ()  # filters that name no record of the tenant; set only if the list is empty

    def count(self, page: PageRequest) -> int:
        """The rows of this page."""
        return max(0, min(page.per_page, self.total - page.offset))

    def last_page(self, page: PageRequest) -> int:
        return max(1, -(-self.total // page.per_page))
