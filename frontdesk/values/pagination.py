"""Pages of a list: the requested range, and its rows."""

from collections.abc import Sequence

import msgspec

MAX_PER_PAGE = 100
MAX_OFFSET = 2**31 * MAX_PER_PAGE


class PageRequest(msgspec.Struct, frozen=True):
    page: int = 1
    per_page: int = 25

    @property
    def offset(self) -> int:
        """Capped far beyond any list, so that it fits into a bigint."""
        return min((self.page - 1) * self.per_page, MAX_OFFSET)


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
