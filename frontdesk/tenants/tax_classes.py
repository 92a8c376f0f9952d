"""Tax classes and their rates. Sales keep the rate they were made with, so a rate can change at any time."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version, not_found, raise_all
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
        argument = {"id": self.class_id, "name": self.name, "is_default": self.is_default, "rates": self.rates}
        if self.version is None:
            self._check(others)
            if len(others) >= MAX_CLASSES:
                raise Problem(TaxClassProblem.TOO_MANY, most=MAX_CLASSES)
            return FunctionCall("save_tax_class", {**argument, "is_default": self.is_default or not others})
        if tax_class is None:
            raise not_found("tax class")
        self._check(others)
        check_version(self.version, tax_class.version, self.class_id)
        if tax_class.is_default and not self.is_default:
            raise Problem(TaxClassProblem.NEEDS_A_DEFAULT, "is_default")
        return FunctionCall("save_tax_class", {**argument, "version": self.version})

    def _check(self, others: Iterable[Mapping[str, str]]) -> None:
        problems = []
        if not any(text.strip() for text in self.name.values()):
            problems.append(Problem(TaxClassProblem.NAME_REQUIRED, "name"))
        elif is_name_taken(self.name, others):
            problems.append(Problem(TaxClassProblem.NAME_TAKEN, "name"))
        if any(not 0 <= rate.rate <= 100 or not fits_currency(rate.rate, RATE_DECIMALS) for rate in self.rates):
            problems.append(Problem(TaxClassProblem.WRONG_RATE, "rate"))
        days = [rate.starts_on for rate in self.rates]
        if not days or len(set(days)) < len(days) or len(days) > MAX_RATES:
            problems.append(Problem(TaxClassProblem.WRONG_DAYS, "starts_on"))
        raise_all(problems)


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
