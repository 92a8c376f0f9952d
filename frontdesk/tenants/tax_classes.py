"""Tax classes and their rates. Sales keep the rate they were made with, so a rate can change at any time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version, raise_all
from frontdesk.tenants.problems import TaxClassProblem
from frontdesk.tenants.tax_class_queries import (
    DatedRate,
    TaxClass,
    get_tax_class,
    lock_tax_class,
    lock_tax_classes,
    tax_class_names,
)
from frontdesk.values.money import fits_currency
from frontdesk.values.text import is_name_taken

MAX_CLASSES = 20
MAX_RATES = 50
RATE_DECIMALS = 2
Names = Mapping[UUID, Mapping[str, str]]  # of classes, by language


class TaxClassChange(NamedTuple):
    name: Mapping[str, str]
    is_default: bool
    rates: Sequence[DatedRate]


def look_at_tax_classes() -> Look[Names]:
    return Look(tax_class_names(), lock_tax_classes())


def look_at_tax_class(class_id: UUID) -> Look[TaxClass]:
    return Look(get_tax_class(class_id), lock_tax_class(class_id))


def plan_new_tax_class(others: Names, class_id: UUID, new: TaxClassChange) -> FunctionCall:
    """The first class is the default."""
    _check(new, others.values())
    if len(others) >= MAX_CLASSES:
        raise Problem(TaxClassProblem.TOO_MANY, most=MAX_CLASSES)
    return FunctionCall("save_tax_class", {**_argument(class_id, new), "is_default": new.is_default or not others})


def plan_tax_class(seen: TaxClass, version: int, new: TaxClassChange, names: Names) -> FunctionCall:
    _check(new, [other for id_, other in names.items() if id_ != seen.id])
    check_version(version, seen.version, seen.id)
    if seen.is_default and not new.is_default:
        raise Problem(TaxClassProblem.NEEDS_A_DEFAULT, "is_default")
    return FunctionCall("save_tax_class", {**_argument(seen.id, new), "version": version})


def plan_tax_class_deletion(seen: TaxClass) -> FunctionCall:
    if seen.is_default:
        raise Problem(TaxClassProblem.IS_DEFAULT)
    if seen.is_used:
        raise Problem(TaxClassProblem.IN_USE)
    return FunctionCall("delete_tax_class", {"id": seen.id, "version": seen.version})


def _argument(class_id: UUID, new: TaxClassChange) -> dict[str, object]:
    return {"id": class_id, "name": new.name, "is_default": new.is_default, "rates": list(new.rates)}


def _check(new: TaxClassChange, others: Iterable[Mapping[str, str]]) -> None:
    problems = []
    if not any(text.strip() for text in new.name.values()):
        problems.append(Problem(TaxClassProblem.NAME_REQUIRED, "name"))
    elif is_name_taken(new.name, others):
        problems.append(Problem(TaxClassProblem.NAME_TAKEN, "name"))
    if any(not 0 <= rate.rate <= 100 or not fits_currency(rate.rate, RATE_DECIMALS) for rate in new.rates):
        problems.append(Problem(TaxClassProblem.WRONG_RATE, "rate"))
    days = [rate.starts_on for rate in new.rates]
    if not days or len(set(days)) < len(days) or len(days) > MAX_RATES:
        problems.append(Problem(TaxClassProblem.WRONG_DAYS, "starts_on"))
    raise_all(problems)
