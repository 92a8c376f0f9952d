"""The count so far, from the form or from the last saved count, against what is expected."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.day_close.count import expected_by_method
from frontdesk.day_close.drawer_queries import Drawer, DrawerEvent
from frontdesk.day_close.drawer_types import StoredDrawer, Takings
from frontdesk.http.forms import Fields
from frontdesk.values.denominations import denominations_of
from frontdesk.values.money import exact_sum, format_amount, parse_amount
from frontdesk.values.tenant_context import TenantContext

NOTHING: Mapping[UUID, str] = {}
_DIGITS = re.compile(r"\d{1,7}")


class Piece(NamedTuple):
    """A note or a coin, and how many there are."""

    value: Decimal
    number: str  # as entered
    amount: Decimal


class MethodRow(NamedTuple):
    id: UUID
    name: Mapping[str, str]
    type: str
    expected: Decimal
    tips: Decimal  # in what is expected
    found: str  # as entered
    difference: Decimal | None  # None: not counted


class Tally(NamedTuple):
    notes: list[Piece]
    coins: list[Piece]
    is_listed: bool  # the currency has a table of notes and coins
    counted: Decimal | None
    expected: Decimal | None  # None: the drawer has nothing to do with this day
    left: str
    methods: list[MethodRow]

    @property
    def to_safe(self) -> Decimal | None:
        """What does not stay in the drawer."""
        left = parse_amount(self.left)
        return None if self.counted is None or left is None else max(self.counted - left, Decimal(0))

    @property
    def difference(self) -> Decimal | None:
        return None if self.counted is None or self.expected is None else self.counted - self.expected


def counted_pieces(tenant: TenantContext, drawer: StoredDrawer | None) -> list[tuple[Decimal, int]]:
    """The notes and coins of a closed count, each with their number."""
    listed = denominations_of(tenant.currency)
    pieces = (drawer.pieces if drawer else None) or ()
    return [(value, number) for value, number in zip(listed.all if listed else (), pieces, strict=False) if number]


def tally(
    tenant: TenantContext, drawer: Drawer, loaded: Takings, sent: Fields, in_shifts: Mapping[UUID, str] = NOTHING
) -> Tally:
    """`in_shifts` is what cashiers have found already, by payment method."""
    count = next((event for event in drawer.events if event.kind == "count"), None)
    listed = denominations_of(tenant.currency)
    numbers = sent.get("pieces") or _numbers(count)
    values = listed.all if listed else ()
    pieces = [_piece(value, numbers[at] if at < len(numbers) else "") for at, value in enumerate(values)]
    notes = len(listed.notes) if listed else 0
    counted = _counted(pieces, numbers) if listed else parse_amount(_first(sent, "amount"))
    if counted is None and not sent and count:
        counted = count.counted
    return Tally(
        notes=pieces[:notes],
        coins=pieces[notes:],
        is_listed=listed is not None,
        counted=counted,
        expected=loaded.drawer.expected if loaded.drawer else None,
        left=_left(tenant, loaded, sent),
        methods=_methods(drawer, loaded, sent, in_shifts),
    )


def _numbers(count: DrawerEvent | None) -> list[str]:
    return [str(number or "") for number in count.pieces or []] if count else []


def _piece(value: Decimal, number: str) -> Piece:
    count = int(number) if _DIGITS.fullmatch(number.strip()) else 0
    return Piece(value, number, value * count)


def _counted(pieces: Sequence[Piece], numbers: Sequence[str]) -> Decimal | None:
    return exact_sum(piece.amount for piece in pieces) if any(number.strip() for number in numbers) else None


def _left(tenant: TenantContext, loaded: Takings, sent: Fields) -> str:
    """The float stays, unless another amount is entered."""
    if sent or not loaded.drawer or not loaded.drawer.session_id:
        return _first(sent, "left")
    return format_amount(loaded.drawer.float_amount, tenant.currency_decimals)


def _methods(drawer: Drawer, loaded: Takings, sent: Fields, in_shifts: Mapping[UUID, str]) -> list[MethodRow]:
    names = {method.id: method.name for method in drawer.methods}
    found = dict(zip(sent.get("method", []), sent.get("found", []), strict=False))
    if not sent:
        found = {str(id_): text for id_, text in in_shifts.items()}
    rows = []
    for id_, (type_, expected) in expected_by_method(loaded).items():
        text = found.get(str(id_), "")
        amount = parse_amount(text)
        tips = exact_sum(tip.amount for tip in loaded.tips if tip.method_id == id_)
        difference = None if amount is None else amount - expected
        rows.append(MethodRow(id_, names[id_], type_, expected, tips, text, difference))
    return rows


def _first(sent: Fields, name: str) -> str:
    return sent[name][0] if sent.get(name) else ""
