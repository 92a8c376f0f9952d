"""Pagination: the rows of a page, and from which end of the index to read them."""

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

    def last_page(self, page: PageRequest) -> int:
        return max(1, -(-self.total // page.per_page))


class RowRange(msgspec.Struct, frozen=True):
    """Skip and take counts, from the start of the order or, backward, from its end."""

    backward: bool
    skip: int
    take: int


def choose_scan_direction(page: PageRequest, total: int) -> RowRange:
    """Reads from the nearer end, so that the last page is as cheap as the first."""
    take = max(0, min(page.per_page, total - page.offset))
    remaining = total - page.offset - take
    if remaining < page.offset:
        return RowRange(backward=True, skip=max(0, remaining), take=take)
    return RowRange(backward=False, skip=page.offset, take=take)
