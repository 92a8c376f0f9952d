"""Creating a payment method."""

import re
from collections.abc import Mapping
from uuid import UUID

from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.payments.settings_queries import lock_methods, method_names
from frontdesk.payments.types import MethodType, NewMethod
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from frontdesk.values.text import is_name_taken, search_key

Names = Mapping[UUID, Mapping[str, str]]  # of methods, by language
_GAPS = re.compile(r"[\W_]+")


class CreatePaymentMethod(Act[Names], frozen=True):
    """The name is used for every language of the tenant until it is translated."""

    name: str
    type: MethodType
    active: bool

    def load(self) -> Query[Names]:
        return method_names().locking(lock_methods())

    def decide(self, context: Context[Names]) -> FunctionCall:
        names = dict.fromkeys(context.tenant.languages, self.name)
        if is_name_taken(names, context.loaded.values()):
            raise Problem(PaymentSettingsProblem.NAME_TAKEN, "name")
        new = NewMethod(names, self.type, method_slug(self.name, self.type), self.active)
        return create_method(new, context.loaded)


def method_slug(name: str, type_: str) -> str:
    return _GAPS.sub("-", search_key(name)).strip("-")[:80] or type_


def create_method(new: NewMethod, others: Names | None = None) -> FunctionCall:
    """`others` are those that the name was compared with; None: an application names its method as it likes."""
    method_id = uuid7()
    argument = {
        "id": method_id,
        "others": None if others is None else len(others),
        "type": new.type,
        "name": new.name,
        "slug": new.slug,
        "active": new.active,
        "install_id": new.install_id,
    }
    return FunctionCall("create_payment_method", argument, ResponseDocument("payment_method_document", method_id))
