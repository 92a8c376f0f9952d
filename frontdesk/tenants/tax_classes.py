"""Tax classes and their rates. Sales keep the rate they were made with, so a rate can change at any time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version, not_found, or_not_found, raise_all
from frontdesk.tenants.problems import TaxClassProblem
from frontdesk.tenants.tax_class_queries import (
    DatedRate,
    TaxClass,
    TaxClassToSave,
    get_tax_class,
    lock_tax_classes,
    tax_class_to_save,
)
from frontdesk.values.money import fits_currency
from frontdesk.values.text import is_name_taken

MAX_CLASSES = 20
MAX_RATES = 50
RATE_DECIMALS = 2


class SaveTaxClass(Act[TaxClassToSave], frozen=True):
    """Without a version it is a new one. The first class is the default."""

    class_id: UUID
    name: Mapping[str, str]
    is_default: bool
    rates: Sequence[DatedRate]
    version: int | None = None

    def load(self) -> Query[TaxClassToSave]:
        return tax_class_to_save(self.class_id).locking(lock_tax_classes())

    def decide(self, context: Context[TaxClassToSave]) -> FunctionCall:
        tax_class, others = context.loaded
        if self.version is None:
            self._check(others)
            if len(others) >= MAX_CLASSES:
                raise Problem(TaxClassProblem.TOO_MANY, most=MAX_CLASSES)
            return self._save(is_default=self.is_default or not others)
        if tax_class is None:
            raise not_found("tax class")
        self._check(others)
        check_version(self.version, tax_class.version, self.class_id)
        if tax_class.is_default and not self.is_default:
            raise Problem(TaxClassProblem.NEEDS_A_DEFAULT, "is_default")
        return self._save(is_default=self.is_default, version=self.version)

    def _save(self, **more: int) -> FunctionCall:
        argument = {"id": self.class_id, "name": self.name, "rates": self.rates, **more}
        return FunctionCall("save_tax_class", argument, ResponseDocument("tax_class_document", self.class_id))

    def _check(self, others: Iterable[Mapping[str, str]]) -> None:
        problems = []
        if not any(text.strip() for text in self.name.values()):
            problems.append(Problem(TaxClassProblem.NAME_REQUIRED, "name"))
        elif is_name_taken(self.name, others):
            problems.append(Problem(TaxClassProblem.NAME_TAKEN, "name"))
        wrong = [row for row, rate in enumerate(self.rates) if not _is_rate(rate.rate)]
        problems += [Problem(TaxClassProblem.WRONG_RATE, "rates", row, "rate") for row in wrong]
        days = [rate.starts_on for rate in self.rates]
        if not days or len(set(days)) < len(days) or len(days) > MAX_RATES:
            problems.append(Problem(TaxClassProblem.WRONG_DAYS, "starts_on"))
        raise_all(problems)


def _starts_on(rate: DatedRate) -> date:
    return rate.starts_on


def _is_rate(rate: Decimal) -> bool:
    return 0 <= rate <= 100 and fits_currency(rate, RATE_DECIMALS)


class ChangeTaxClass(Act[TaxClassToSave], frozen=True):
    """Other fields stay as they are."""

    class_id: UUID
    changes: Mapping[str, Any]  # fields of SaveTaxClass
    version: int | None = None

    def load(self) -> Query[TaxClassToSave]:
        return tax_class_to_save(self.class_id).locking(lock_tax_classes())

    def decide(self, context: Context[TaxClassToSave]) -> FunctionCall:
        before = or_not_found(context.loaded.tax_class, "tax class")
        check_version(self.version, before.version, self.class_id)
        after = msgspec.structs.replace(before, **self.changes)
        if msgspec.structs.replace(after, rates=sorted(after.rates, key=_starts_on)) == before:
            return FunctionCall(None, None, ResponseDocument("tax_class_document", self.class_id))
        return SaveTaxClass(self.class_id, after.name, after.is_default, after.rates, before.version).decide(context)


class DeleteTaxClass(Act[TaxClass], frozen=True):
    class_id: UUID

    def load(self) -> Query[TaxClass]:
        return get_tax_class(self.class_id).locking(lock_row("tax_classes", self.class_id, "UPDATE"))

    def decide(self, context: Context[TaxClass]) -> FunctionCall:
        if context.loaded.is_default:
            raise Problem(TaxClassProblem.IS_DEFAULT)
        if context.loaded.is_used:
            raise Problem(TaxClassProblem.IN_USE)
        return FunctionCall("delete_tax_class", {"id": self.class_id, "version": context.loaded.version})
