"""Why bookings are canceled: the list of the business, from which people choose."""

from collections.abc import Mapping, Sequence

import msgspec
from asyncpg import Record

from frontdesk.i18n.texts import N_, translate
from frontdesk.postgres.query import Query, found
from frontdesk.problems import Problem
from frontdesk.tenants.problems import BusinessProblem

Names = Mapping[str, str]  # by language
LANGUAGES = ("en", "ar")
_DEFAULTS = (
    N_("The customer is ill"),
    N_("The customer has no time"),
    N_("The customer goes elsewhere"),
    N_("Booked by mistake"),
    N_("The provider is away"),
    N_("Another reason"),
)


def cancel_reasons() -> Query[list[Names]]:
    return Query("SELECT cancel_reasons FROM tenants WHERE id = $1", (), found("business", _reasons))


def _reasons(row: Record) -> list[Names]:
    stored = row["cancel_reasons"]
    if stored is not None:
        return list(msgspec.json.decode(stored, type=list[dict[str, str]]))
    return [{language: translate(language, text) for language in LANGUAGES} for text in _DEFAULTS]


def key_of(names: Names) -> str:
    """What a form or an application sends for a reason: a name stays what it is while others are added."""
    return next((names[language] for language in LANGUAGES if names.get(language)), "")


def find_reason(reasons: Sequence[Names], name: str) -> Names:
    """By its name in any language."""
    for names in reasons:
        if name in names.values():
            return names
    raise Problem(BusinessProblem.UNKNOWN_REASON, "reason", reasons=[key_of(names) for names in reasons])
