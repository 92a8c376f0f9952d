"""Phone numbers and e-mail addresses as people type them into a form."""

import re

from babel.core import get_global

from frontdesk.i18n.texts import N_
from frontdesk.values.phones import PhoneError, parse_phone
from frontdesk.values.tenant_context import TenantContext

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_ENTER_PHONE = N_("Enter a phone number as it is dialed here, or with + and the country code.")
_ENTER_EMAIL = N_("Enter an e-mail address.")
_FALLBACK = "SA"

Errors = dict[str, list[str]]


def read_phone(text: str | None, tenant: TenantContext, errors: Errors) -> tuple[str | None, str | None]:
    """The number and its country. A number without a country code is of the country of the tenant's time zone."""
    if not text:
        return None, None
    country = get_global("zone_territories").get(tenant.timezone) or _FALLBACK
    try:
        return parse_phone(text, country), country
    except PhoneError:
        errors["phone"] = [_ENTER_PHONE]
        return None, None


def read_email(text: str | None, errors: Errors) -> str | None:
    if text and not _EMAIL.fullmatch(text):
        errors["email"] = [_ENTER_EMAIL]
    return text or None
