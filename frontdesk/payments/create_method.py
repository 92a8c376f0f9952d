"""Creating a payment method."""

import re
from collections.abc import Mapping
from uuid import UUID

from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.payments.types import MethodType, NewMethod
from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.text import is_name_taken, search_key

Names = Mapping[UUID, Mapping[str, str]]  # of methods, by language
_GAPS = re.compile(r"[\W_]+")


def plan_method(tenant: TenantContext, name: str, type_: MethodType, others: Names, *, active: bool) -> FunctionCall:
    """The name is used for every language of the tenant until it is translated."""
    if is_name_taken(dict.fromkeys(tenant.languages, name), others.values()):
        raise Problem(PaymentSettingsProblem.NAME_TAKEN, "name")
    slug = _GAPS.sub("-", search_key(name)).strip("-")[:80] or type_
    return create_method(NewMethod(dict.fromkeys(tenant.languages, name), type_, slug, active), others)


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
