"""Creating a payment method."""

import re

from frontdesk.payments.types import MethodType, NewMethod
from frontdesk.postgres.write import Call, Document
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key

_GAPS = re.compile(r"[\W_]+")


def plan_method(tenant: TenantContext, name: str, type_: MethodType, *, active: bool) -> Call:
    """The name is used for every language of the tenant until it is translated."""
    slug = _GAPS.sub("-", search_key(name)).strip("-")[:80] or type_
    return create_method(NewMethod(dict.fromkeys(tenant.languages, name), type_, slug, active))


def create_method(new: NewMethod) -> Call:
    method_id = uuid7()
    argument = {
        "id": method_id,
        "type": new.type,
        "name": new.name,
        "slug": new.slug,
        "active": new.active,
        "install_id": new.install_id,
    }
    return Call("create_payment_method", argument, Document("payment_method_document", method_id))
