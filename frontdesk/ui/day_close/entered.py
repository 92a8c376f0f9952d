"""The count of a day or a shift as it was typed. All is text, so that all errors of the form are shown at once."""

from decimal import Decimal
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.day_close.drawer import counted_amount
from frontdesk.day_close.drawer_types import Count
from frontdesk.day_close.problems import DrawerProblem
from frontdesk.http.field_types import AmountText, CalendarDate, LongText
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.denominations import denominations_of
from frontdesk.values.money import fits_currency, highest_entry, parse_amount
from frontdesk.values.tenant_context import TenantContext

_MAX_PIECES = 1_000_000
_MAX_ROWS = 200
_Text = Annotated[str, Meta(max_length=255)]
_Texts = Annotated[list[_Text], Meta(max_length=_MAX_ROWS)]
_Ids = Annotated[list[UUID], Meta(max_length=_MAX_ROWS)]
Errors = dict[str, list[str]]


class CountFields(msgspec.Struct, kw_only=True):
    """`method` and `found` have the same order, as have the three lists of what each cashier handed over. An empty
    amount was not counted.
    """

    id: UUID
    pieces: _Texts = []
    amount: _Text = ""
    left: _Text = ""
    method: _Ids = []
    found: _Texts = []
    cashier: _Texts = []
    cashier_method: _Ids = []
    cashier_found: _Texts = []
    note: LongText | None = None
    expected: AmountText | None = None  # what the page showed; below zero after refunds in cash


class CountForm(CountFields, kw_only=True):
    """Of a day."""

    branch: UUID
    date: CalendarDate
    is_open: bool = False  # the drawer, when the page was shown
    sure: bool = False  # to close while orders of the day are still to come


def read_count(tenant: TenantContext, form: CountFields) -> Count:
    if len(form.method) != len(form.found) or not len(form.cashier) == len(form.cashier_method) == len(
        form.cashier_found
    ):
        raise page_problem(N_("The rows of the form do not match. Reload the page."))
    problems: list[Problem] = []
    pieces = [_number(text, problems, "pieces", index) for index, text in enumerate(form.pieces)]
    counted = counted_amount(tenant, pieces, _amount(tenant, form.amount, problems, "amount"))
    if any(problem.at[0] == "pieces" for problem in problems):
        counted = None
    listed = denominations_of(tenant.currency)
    found = [_amount(tenant, text, problems, "found", index) for index, text in enumerate(form.found)]
    by_cashier = [
        _amount(tenant, text, problems, "cashier_found", index) for index, text in enumerate(form.cashier_found)
    ]
    keys = zip((name or None for name in form.cashier), form.cashier_method, strict=True)
    return Count(
        pieces=None if listed is None or counted is None else [number or 0 for number in pieces],
        counted=counted,
        left=_amount(tenant, form.left, problems, "left"),
        found={id_: amount for id_, amount in zip(form.method, found, strict=True) if amount is not None},
        note=form.note,
        expected=form.expected.amount if form.expected else None,
        by_cashier={key: amount for key, amount in zip(keys, by_cashier, strict=True) if amount is not None},
        problems=problems,
    )


def _number(text: str, problems: list[Problem], *at: str | int) -> int | None:
    if not text.strip():
        return None
    number = parse_amount(text)
    if number is None or number != int(number) or number > _MAX_PIECES:
        problems.append(page_problem(N_("Enter a whole number."), *at))
        return None
    return int(number)


def _amount(tenant: TenantContext, text: str, problems: list[Problem], *at: str | int) -> Decimal | None:
    if not text.strip():
        return None
    amount, decimals = parse_amount(text), tenant.currency_decimals
    if amount is None or not fits_currency(amount, decimals):
        problems.append(Problem(DrawerProblem.NOT_AN_AMOUNT, *at))
        return None
    if amount > highest_entry(decimals):
        problems.append(Problem(DrawerProblem.TOO_HIGH, *at, most=highest_entry(decimals)))
        return None
    return amount
