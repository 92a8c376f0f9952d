"""Pages of a list: which rows are asked for, and from which end of the index they are nearer."""

import msgspec

MAX_PER_PAGE = 100
FARTHEST = 2**31 * MAX_PER_PAGE


class PageRequest(msgspec.Struct, frozen=True):
    page: int = 1
    per_page: int = 25

    @property
    def offset(self) -> int:
        """Beyond what any list has it is the same, so that the database can count as far."""
        return min((self.page - 1) * self.per_page, FARTHEST)


class Page(msgspec.Struct, frozen=True):
    """Rows as one JSON array, written by the database, and how many there are in all."""

    documents: str | bytes  # JSON
    total: int

    def last_page(self, wanted: PageRequest) -> int:
        return max(1, -(-self.total // wanted.per_page))


class RowRange(msgspec.Struct, frozen=True):
    """Where to read: so many rows after skipping so many, from the front of the order or from its end."""

    backward: bool
    skip: int
    take: int


def choose_scan_direction(wanted: PageRequest, total: int) -> RowRange:
    """The last page is as cheap as the first when it is counted from the end."""
    take = max(0, min(wanted.per_page, total - wanted.offset))
    behind = total - wanted.offset - take
    if behind < wanted.offset:
        return RowRange(backward=True, skip=max(0, behind), take=take)
    return RowRange(backward=False, skip=wanted.offset, take=take)
