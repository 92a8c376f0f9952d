"""The actions at the till: fields that were typed into and the button that was pressed, applied to the cart."""

import dataclasses
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import EnteredAmount, FilterText
from frontdesk.i18n.texts import N_
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import MAX_LINES, MAX_PAYMENTS
from frontdesk.till.cart import CartLine
from frontdesk.till.queries import FoundItem
from frontdesk.ui.components.customer_fields import split_typed
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.till.state import MAX_QUANTITY, PayRow, TillState
from frontdesk.values.money import exact_sum

_Index = Annotated[int, Meta(ge=0, le=MAX_LINES)]


class TillFields(msgspec.Struct, kw_only=True):
    """The fields of the page. `has` names the groups that it showed, because an empty field is not sent as such."""

    state: Annotated[str, Meta(max_length=30_000)]
    has: list[str] = []
    people: FilterText = ""
    first_name: FilterText | None = None
    last_name: FilterText | None = None
    phone: FilterText | None = None
    discount: EnteredAmount | None = None
    discount_kind: DiscountKind = DiscountKind.PERCENTAGE
    quantity: Annotated[int, Meta(ge=1, le=MAX_QUANTITY)] | None = None
    price: EnteredAmount | None = None
    line_discount: EnteredAmount | None = None
    line_kind: DiscountKind = DiscountKind.PERCENTAGE
    staff: UUID | None = None
    amount: Annotated[list[EnteredAmount | None], Meta(max_length=MAX_PAYMENTS)] = []
    shown: Annotated[list[EnteredAmount | None], Meta(max_length=MAX_PAYMENTS)] = []
    given: EnteredAmount | None = None
    part: EnteredAmount | None = None  # of what is left, for the method that is pressed
    due: EnteredAmount | None = None  # as the page showed it
    method: UUID | None = None
    tip: EnteredAmount | None = None
    tip_staff: UUID | None = None
    back_method: UUID | None = None
    receipt: Literal["print", "mail", "none"] | None = None


class TillForm(TillFields, kw_only=True):
    """With the button that was pressed."""

    find: FilterText = ""
    add: UUID | None = None
    plain: UUID | None = None  # adds an item without any of its options
    more: _Index | None = None
    less: _Index | None = None
    drop: _Index | None = None
    open: _Index | None = None
    customer: UUID | None = None
    walk_in: bool = False
    who: Literal["new"] | None = None
    category: UUID | None = None
    view: Literal["often", "all", "packages"] | None = None
    go: Literal["pay", "walk_in", "items"] | None = None
    oversell: _Index | None = None
    unpay: _Index | None = None
    quick: EnteredAmount | None = None
    tip_percent: Annotated[int, Meta(ge=0, le=100)] | None = None

    @property
    def has_act(self) -> bool:
        """Whether a button other than an item was pressed."""
        acts = (self.more, self.less, self.drop, self.open, self.customer, self.category, self.view, self.go)
        more_acts = (self.method, self.unpay, self.quick, self.tip_percent, self.who, self.oversell)
        return self.walk_in or any(act is not None for act in (*acts, *more_acts))


def apply_fields(state: TillState, form: TillFields) -> TillState:
    state = state._replace(done=None, receipt=form.receipt or state.receipt)
    if "people" in form.has:
        state = state._replace(people=form.people)
    if "new" in form.has:
        names = state._replace(first_name=form.first_name or "", last_name=form.last_name or "")
        state = names._replace(phone=form.phone or "")
    if "discount" in form.has:
        discount = _discount(form.discount, form.discount_kind)
        if state.discount is not None and dataclasses.replace(state.discount, apply_all=True) == discount:
            discount = state.discount
        state = state._replace(discount=discount, discount_kind=form.discount_kind)
    if "line" in form.has and state.edit is not None and state.edit < len(state.lines):
        line = state.lines[state.edit]
        line = line._replace(
            quantity=form.quantity or line.quantity,
            staff_id=form.staff,
            discount=_discount(form.line_discount, form.line_kind),
            price=form.price.amount if form.price else None,
        )
        state = _with_line(state, state.edit, line)._replace(line_kind=form.line_kind)
    if "pay" in form.has:
        state = state._replace(pay=_typed_rows(state.pay, form))
    if "given" in form.has:
        state = state._replace(given=form.given.amount if form.given else None)
    if "tip" in form.has:
        state = state._replace(tip=form.tip.amount if form.tip else None, tip_staff=form.tip_staff)
        state = state._replace(tip_for="" if form.tip_staff else "all")
        state = state._replace(tip_percent=None) if state.tip is not None else state
    if "back" in form.has:
        state = state._replace(back_method=form.back_method)
    return state


def apply_act(state: TillState, form: TillForm) -> TillState:  # noqa: PLR0911, PLR0912 - one row an act
    match form:
        case TillForm(go="pay" | "items" as step):
            # How it is paid is chosen on the page that is shown then: what was chosen before is not seen there.
            return state._replace(step=step, edit=None, choose=None, pay=(), given=None)
        case TillForm(go="walk_in"):
            return without_person(state)._replace(step="pay", edit=None, choose=None, pay=(), given=None)
        case TillForm(oversell=int(index)) if index < len(state.lines):
            return state._replace(oversell=(*state.oversell, state.lines[index].item_id))
        case TillForm(more=int(index)) if index < len(state.lines):
            return _with_quantity(state, index, state.lines[index].quantity + 1)
        case TillForm(less=int(index)) if index < len(state.lines):
            return _with_quantity(state, index, state.lines[index].quantity - 1)
        case TillForm(drop=int(index)) if index < len(state.lines):
            return _with_quantity(state._replace(edit=None), index, 0)
        case TillForm(open=int(index)):
            return _open_line(state, index)
        case TillForm(customer=UUID() as customer):
            return without_person(state)._replace(customer=customer)
        case TillForm(walk_in=True):
            return without_person(state)._replace(customer=None)
        case TillForm(who="new"):
            typed = split_typed(state.people)
            return state._replace(
                customer=None, who="new", first_name=typed.first_name, last_name=typed.last_name, phone=typed.phone
            )
        case TillForm(view=str(view)):
            return state._replace(view=view, category=None, search="", choose=None)
        case TillForm(category=UUID() as category):
            return state._replace(category=category, view="all", search="", choose=None)
        case TillForm(method=UUID() as method):
            return _pay_cash(state, form, method)
        case TillForm(unpay=int(index)):
            return state._replace(pay=tuple(row for n, row in enumerate(state.pay) if n != index))
        case TillForm(quick=EnteredAmount() as sum_):
            return state._replace(given=sum_.amount)
        case TillForm(tip_percent=int(percent)):
            return state._replace(tip_percent=percent or None, tip=None)
        case _:
            return state._replace(edit=None) if "line" in form.has else state


def add_method(state: TillState, method: UUID, part: Decimal | None = None) -> TillState:
    """Without a part it takes what the typed amounts leave, so it replaces a row that did."""
    return state._replace(pay=(*(row for row in state.pay if row.amount is not None), PayRow(method, part)))


def _pay_cash(state: TillState, form: TillForm, method: UUID) -> TillState:
    """As much as is left, or more, is what the customer hands over."""
    if form.part is None:
        return add_method(state, method)
    if form.due is not None and form.part.amount < left_of(state, form.due.amount):
        return add_method(state, method, form.part.amount)
    return add_method(state, method)._replace(given=form.part.amount)


def left_of(state: TillState, due: Decimal) -> Decimal:
    """What the typed amounts leave."""
    return due - exact_sum(row.amount for row in state.pay if row.amount is not None)


def add_item(state: TillState, found: FoundItem, *, plain: bool = False) -> TillState:
    """An item with options asks for one, or for none if it is sold so. A second one of the same raises the quantity."""
    if found.option_id is None and not found.has_options and not found.base_sellable:
        raise page_problem(N_("It cannot be sold: none of its options is on sale."))
    if found.has_options and found.option_id is None and not (plain and found.base_sellable):
        return state._replace(choose=found.item_id, edit=None, step="items")
    options = (found.option_id,) if found.option_id else ()
    new = CartLine(found.item_id, option_ids=options, staff_id=_likely_staff(state, found))
    state = state._replace(choose=None, edit=None, search="")
    for index, line in enumerate(state.lines):
        if line._replace(quantity=1) == new:
            return _with_quantity(state, index, line.quantity + 1)
    if len(state.lines) >= MAX_LINES:
        raise page_problem(N_("The cart is full."))
    return state._replace(lines=(*state.lines, new))


def without_person(state: TillState) -> TillState:
    """Without what was typed of a customer."""
    return state._replace(people="", who="find", first_name="", last_name="", phone="")


def _open_line(state: TillState, index: int) -> TillState:
    if state.edit == index or index >= len(state.lines):
        return state._replace(edit=None, choose=None)
    discount = state.lines[index].discount
    return state._replace(edit=index, choose=None, line_kind=discount.kind if discount else DiscountKind.PERCENTAGE)


def _likely_staff(state: TillState, found: FoundItem) -> UUID | None:
    """The provider of another line who performs this one too, or the only one who does."""
    known = [line.staff_id for line in state.lines if line.staff_id in found.staff]
    if known:
        return known[-1]
    return found.staff[0] if len(found.staff) == 1 else None


def _with_quantity(state: TillState, index: int, quantity: int) -> TillState:
    if quantity < 1:
        return state._replace(lines=tuple(line for n, line in enumerate(state.lines) if n != index), edit=None)
    line = state.lines[index]._replace(quantity=min(quantity, MAX_QUANTITY))
    return _with_line(state, index, line)


def _with_line(state: TillState, index: int, line: CartLine) -> TillState:
    return state._replace(lines=tuple(line if n == index else old for n, old in enumerate(state.lines)))


def _discount(amount: EnteredAmount | None, kind: DiscountKind) -> Discount | None:
    if amount is None or not amount.amount:
        return None
    return Discount(kind, amount.amount, apply_all=True)


def _typed_rows(rows: tuple[PayRow, ...], form: TillFields) -> tuple[PayRow, ...]:
    """A row takes what is left until another amount is typed."""
    if len(form.amount) != len(rows) or len(form.shown) != len(rows):
        return rows
    typed = zip(rows, form.amount, form.shown, strict=True)
    return tuple(
        row if str(new) == str(old) else row._replace(amount=new.amount if new else None) for row, new, old in typed
    )
