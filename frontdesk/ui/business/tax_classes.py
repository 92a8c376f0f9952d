"""Tax classes: their names, and their rates with the days on which they start."""

from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import CalendarDate, EnteredPercent
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.tenants.tax_class_queries import DatedRate, TaxClass, get_tax_class
from frontdesk.tenants.tax_classes import MAX_RATES, DeleteTaxClass, SaveTaxClass
from frontdesk.ui.components.percent import percent
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.text import by_language

pages = Pages()
BUSINESS = "/settings/business"
_PATH = f"{BUSINESS}/tax-classes"
_FIELDS = {"rates.#.rate": "rate"}
_SAVED = N_("Tax class saved.")
Name = Annotated[str, Meta(max_length=80)]


class TaxClassForm(msgspec.Struct):
    """`rate` and `starts_on` have the same order; a row without a rate is left out."""

    name_en: Name = ""
    name_ar: Name = ""
    is_default: bool = False
    rate: Annotated[list[EnteredPercent | None], Meta(max_length=MAX_RATES)] = []
    starts_on: Annotated[list[CalendarDate | None], Meta(max_length=MAX_RATES)] = []

    def names(self) -> dict[str, str]:
        return by_language(self.name_en, self.name_ar)

    def rates(self) -> list[DatedRate]:
        rows = [(day, rate) for day, rate in zip(self.starts_on, self.rate, strict=False) if rate is not None]
        if any(day is None for day, _ in rows):
            raise page_problem(N_("Enter at least one rate, each with its own day."), "starts_on")
        return [DatedRate(day.day, rate.amount) for day, rate in rows if day is not None]


class NewTaxClassForm(TaxClassForm):
    id: UUID = msgspec.field(default_factory=uuid7)


class ChangedTaxClassForm(TaxClassForm):
    version: int = 0


class ListedClass(NamedTuple):
    tax_class: TaxClass
    rate: str  # today
    next: DatedRate | None

    @property
    def next_rate(self) -> str:
        return percent(self.next.rate) if self.next else ""


def listed_classes(context: PageContext, classes: list[TaxClass]) -> list[ListedClass]:
    today = context.format.today
    return [
        ListedClass(
            class_, percent(class_.rate_on(today)), next((r for r in class_.rates if r.starts_on > today), None)
        )
        for class_ in classes
    ]


@pages.get(f"{_PATH}/new", MANAGERS)
async def show_new_class(context: PageContext) -> Response:
    rates = [(str(context.format.today), "")]
    return context.render("tax_class.html", tax_class=None, rates=_rows(context, rates), form_id=uuid7())


@pages.post(f"{_PATH}/new", MANAGERS, on_error=show_new_class, fields=_FIELDS)
async def submit_new_class(context: PageContext, form: NewTaxClassForm) -> Response:
    act = SaveTaxClass(uuid7(), form.names(), form.is_default, form.rates())
    path = await submit(context, act, once=form.id, then=BUSINESS)
    return context.redirect(path, flash=_SAVED)


@pages.get(f"{_PATH}/{{class_id}}", MANAGERS)
async def show_class(context: PageContext, class_id: UUID) -> Response:
    found = await context.fetch(get_tax_class(class_id))
    rates = [(str(rate.starts_on), percent(rate.rate).rstrip("%")) for rate in found.rates]
    return context.render("tax_class.html", tax_class=found, rates=_rows(context, [*rates, ("", "")]), form_id=uuid7())


@pages.post(f"{_PATH}/{{class_id}}", MANAGERS, on_error=show_class, fields=_FIELDS)
async def submit_class(context: PageContext, class_id: UUID, form: ChangedTaxClassForm) -> Response:
    await context.run(SaveTaxClass(class_id, form.names(), form.is_default, form.rates(), form.version))
    return context.redirect(BUSINESS, flash=_SAVED)


@pages.get(f"{_PATH}/{{class_id}}/delete", MANAGERS)
async def confirm_class_deletion(context: PageContext, class_id: UUID) -> Response:
    found = await context.fetch(get_tax_class(class_id))
    return context.render("tax_class_delete.html", tax_class=found)


@pages.post(f"{_PATH}/{{class_id}}/delete", MANAGERS, on_error=confirm_class_deletion)
async def delete_class(context: PageContext, class_id: UUID) -> Response:
    await context.run(DeleteTaxClass(class_id))
    return context.redirect(BUSINESS, flash=N_("Tax class deleted."))


def _rows(context: PageContext, rates: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What was typed, if the form is shown again."""
    sent = context.form.values
    return list(zip(sent.get("starts_on", []), sent.get("rate", []), strict=False)) if sent else rates
