"""What is in the till, as its address holds it: a reload or Back shows it again, and nothing is stored before a sale.

A line is `item~quantity~o…~l…~s…~p…~d…`: options, the line of an order that exists, provider, price, discount as an
amount (`d`) or in percent (`r`). Lines are joined by `_`.
"""

import dataclasses
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.decoding import decode_query
from frontdesk.i18n.texts import N_
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import MAX_LINES, MAX_PAYMENTS
from frontdesk.till.cart import Cart, CartLine
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.ids import uuid7
from frontdesk.values.money import fits_currency

PATH = "/till"
FIELDS = {
    "lines": "line",
    "lines.#.item_id": "line.#.item",
    "lines.#.staff_id": "line.#.staff",
    "payments": "pay",
}
MAX_QUANTITY = 9999
_MAX_CART = 12_000  # characters; the head of a request also holds the address of the page before
_CART = Annotated[str, Meta(max_length=_MAX_CART)]
_SHORT = Annotated[str, Meta(max_length=200)]


class PayRow(NamedTuple):
    method_id: UUID
    amount: Decimal | None = None  # None: what is left


class TillQuery(msgspec.Struct, kw_only=True):
    sale: UUID | None = None  # the id that the order will have
    order: UUID | None = None  # a parked draft, or an order to be paid
    version: int | None = None  # of an order whose lines are the cart
    branch: UUID | None = None
    cart: _CART = ""
    customer: UUID | None = None
    discount: _SHORT = ""
    discount_kind: DiscountKind = DiscountKind.PERCENTAGE  # also while the amount is empty
    line_kind: DiscountKind = DiscountKind.PERCENTAGE  # of the line that is edited
    category: UUID | None = None
    view: Literal["often", "all", "packages"] = "often"
    search: _SHORT = ""
    people: _SHORT = ""  # searched customers
    who: Literal["find", "new"] = "find"
    first_name: _SHORT = ""  # of a new customer who is not saved yet
    last_name: _SHORT = ""
    phone: _SHORT = ""
    step: Literal["items", "pay"] = "items"
    choose: UUID | None = None  # the item whose option is chosen
    edit: int | None = None  # the line that is edited
    tip: _SHORT = ""
    tip_percent: Annotated[int, Meta(ge=0, le=100)] | None = None  # of the services, instead of an amount
    tip_staff: UUID | None = None
    tip_for: Literal["all", ""] = ""  # chosen for all; otherwise the page proposes a provider
    oversell: Annotated[str, Meta(max_length=40 * MAX_LINES)] = ""  # products that are sold beyond their stock
    pay: Annotated[str, Meta(max_length=80 * MAX_PAYMENTS)] = ""
    given: _SHORT = ""
    back: UUID | None = None  # an earlier sale of which lines come back
    give: Annotated[str, Meta(max_length=60 * MAX_LINES)] = ""
    back_method: UUID | None = None
    restock: Literal["yes", "no"] = "yes"
    reason: _SHORT = ""
    receipt: Literal["print", "mail", "none", ""] = ""  # empty: as after the last sale of this browser
    done: UUID | None = None  # the sale that was just finished without a receipt
    approval: Annotated[str, Meta(max_length=1000)] = ""  # by an owner or a manager; see approval.py


class TillState(NamedTuple):
    sale: UUID
    order: UUID | None = None
    version: int | None = None
    branch: UUID | None = None
    lines: tuple[CartLine, ...] = ()
    customer: UUID | None = None
    discount: Discount | None = None
    discount_kind: DiscountKind = DiscountKind.PERCENTAGE
    line_kind: DiscountKind = DiscountKind.PERCENTAGE
    category: UUID | None = None
    view: str = "often"
    search: str = ""
    people: str = ""
    who: str = "find"
    first_name: str = ""
    last_name: str = ""
    phone: str = ""
    step: str = "items"
    choose: UUID | None = None
    edit: int | None = None
    tip: Decimal | None = None
    tip_percent: int | None = None
    tip_staff: UUID | None = None
    tip_for: str = ""
    oversell: tuple[UUID, ...] = ()
    pay: tuple[PayRow, ...] = ()
    given: Decimal | None = None
    back: UUID | None = None
    give: tuple[tuple[UUID, int], ...] = ()
    back_method: UUID | None = None
    restock: str = "yes"
    reason: str = ""
    receipt: str = ""
    done: UUID | None = None
    approval: str = ""

    @property
    def cart(self) -> Cart:
        return Cart(self.lines, self.customer, self.discount, self.branch)

    @property
    def checks_out(self) -> bool:
        """The cart is an order that exists, such as a booking."""
        return self.order is not None and self.version is not None and bool(self.lines)

    @property
    def is_empty(self) -> bool:
        return not self.lines and self.back is None

    @property
    def query(self) -> str:
        fields = {
            **self._asdict(),
            "cart": "_".join(_write_line(line) for line in self.lines),
            "discount": _write_order_discount(self.discount),
            "oversell": "_".join(map(str, self.oversell)),
            "pay": "_".join(_write(row.method_id, row.amount) for row in self.pay),
            "give": "_".join(f"{line}~{quantity}" for line, quantity in self.give),
        }
        del fields["lines"]
        defaults = {"view": "often", "who": "find", "step": "items", "restock": "yes"}
        defaults |= {"discount_kind": "percentage", "line_kind": "percentage"}
        kept = {n: v for n, v in fields.items() if v not in (None, "") and defaults.get(n) != v}
        return urlencode({name: str(value) for name, value in kept.items()})

    @property
    def url(self) -> str:
        return f"{PATH}?{self.query}"


def new_state() -> TillState:
    return TillState(uuid7())


def read_query(query: TillQuery) -> TillState:
    return TillState(
        sale=query.sale or uuid7(),
        order=query.order,
        version=query.version,
        branch=query.branch,
        lines=tuple(_read_line(text) for text in _split(query.cart, MAX_LINES)),
        customer=query.customer,
        discount=_read_order_discount(query.discount),
        discount_kind=query.discount_kind,
        line_kind=query.line_kind,
        category=query.category,
        view=query.view,
        search=query.search,
        people=query.people,
        who=query.who,
        first_name=query.first_name,
        last_name=query.last_name,
        phone=query.phone,
        step=query.step,
        choose=query.choose,
        edit=query.edit,
        tip=_amount(query.tip) if query.tip else None,
        tip_percent=query.tip_percent,
        tip_staff=query.tip_staff,
        tip_for=query.tip_for,
        oversell=tuple(_uuid(text) for text in _split(query.oversell, MAX_LINES)),
        pay=tuple(_read_pay(text) for text in _split(query.pay, MAX_PAYMENTS)),
        given=_amount(query.given) if query.given else None,
        back=query.back,
        give=tuple(_read_given_back(text) for text in _split(query.give, MAX_LINES)),
        back_method=query.back_method,
        restock=query.restock,
        reason=query.reason,
        receipt=query.receipt,
        done=query.done,
        approval=query.approval,
    )


def read_state(query_string: str) -> TillState:
    """As the hidden field of the page holds it."""
    raw = query_string.encode("ascii", "replace")
    return read_query(decode_query(raw, TillQuery))


def _split(text: str, most: int) -> list[str]:
    parts = text.split("_") if text else []
    if len(parts) > most:
        raise page_problem(N_("The cart is full."))
    return parts


def _read_line(text: str) -> CartLine:
    item, _, rest = text.partition("~")
    quantity, *parts = rest.split("~")
    line = CartLine(_uuid(item), _quantity(quantity))
    for part in filter(None, parts):
        kind, value = part[0], part[1:]
        match kind:
            case "o":
                line = line._replace(option_ids=(*line.option_ids, _uuid(value)))
            case "l":
                line = line._replace(line_id=_uuid(value))
            case "s":
                line = line._replace(staff_id=_uuid(value))
            case "p":
                line = line._replace(price=_amount(value))
            case "d":
                line = line._replace(discount=Discount(DiscountKind.FIXED, _amount(value)))
            case "r":
                line = line._replace(discount=Discount(DiscountKind.PERCENTAGE, _amount(value), apply_all=True))
            case _:
                raise _broken()
    return line


def _write_line(line: CartLine) -> str:
    parts = [str(line.item_id), str(line.quantity), *(f"o{option}" for option in line.option_ids)]
    if line.line_id:
        parts.append(f"l{line.line_id}")
    if line.staff_id:
        parts.append(f"s{line.staff_id}")
    if line.price is not None:
        parts.append(f"p{line.price:f}")
    if line.discount is not None:
        parts.append(_write_discount(line.discount))
    return "~".join(parts)


def _write_discount(discount: Discount | None) -> str:
    if discount is None:
        return ""
    return f"{'r' if discount.kind is DiscountKind.PERCENTAGE else 'd'}{discount.amount:f}"


def _write_order_discount(discount: Discount | None) -> str:
    """With `s` before it: of an order that exists, on some of its lines only."""
    return ("" if discount is None or discount.apply_all else "s") + _write_discount(discount)


def _read_order_discount(text: str) -> Discount | None:
    if not text:
        return None
    if text[0] == "s":
        shared = _read_order_discount(text[1:])
        return shared and dataclasses.replace(shared, apply_all=False)
    kind = {"r": DiscountKind.PERCENTAGE, "d": DiscountKind.FIXED}.get(text[0])
    if kind is None:
        raise _broken()
    return Discount(kind, _amount(text[1:]), apply_all=True)


def _write(method_id: UUID, amount: Decimal | None) -> str:
    return str(method_id) if amount is None else f"{method_id}~{amount:f}"


def _read_pay(text: str) -> PayRow:
    method, _, amount = text.partition("~")
    return PayRow(_uuid(method), _amount(amount) if amount else None)


def _read_given_back(text: str) -> tuple[UUID, int]:
    line, _, quantity = text.partition("~")
    return _uuid(line), _quantity(quantity)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise _broken() from None


def _quantity(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_QUANTITY)) and int(text) > 0):
        raise _broken()
    return int(text)


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise _broken() from None
    if not fits_currency(amount, 3) or amount < 0:
        raise _broken()
    return amount


def _broken() -> Exception:
    return page_problem(N_("This address of the till is damaged. Start again."))


def item_ids(lines: Iterable[CartLine], choose: UUID | None) -> list[UUID]:
    return [*(line.item_id for line in lines), *([choose] if choose else [])]
