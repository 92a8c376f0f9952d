"""Phone numbers and e-mail addresses as people type them into a form."""

import re

from babel.core import get_global

from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.phones import PhoneError, parse_phone
from frontdesk.values.tenant_context import TenantContext

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_FALLBACK = "SA"


def read_phone(text: str | None, tenant: TenantContext, problems: list[Problem]) -> tuple[str | None, str | None]:
    """The number and its country. A number without a country code is of the country of the tenant's time zone."""
    if not text:
        return None, None
    country = get_global("zone_territories").get(tenant.timezone) or _FALLBACK
    try:
        return parse_phone(text, country), country
    except PhoneError as error:
        problems.append(error)
        return None, None


def read_email(text: str | None, problems: list[Problem]) -> str | None:
    if text and not _EMAIL.fullmatch(text):
        problems.append(page_problem(N_("Enter an e-mail address."), "email"))
    return text or None
