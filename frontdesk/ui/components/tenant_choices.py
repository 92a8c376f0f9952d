"""The countries, time zones, currencies and languages that a business can choose, in the language of the page."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple
from zoneinfo import available_timezones

from babel import Locale

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_, translate
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.countries import countries, is_currency, propose
from frontdesk.tenants.register import registration_problems
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.ui.shell.zone_names import is_current_name, zone_name

_REGIONS = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
GRIDS = (5, 10, 15, 20, 30, 60)


Choices = list[tuple[str, str]]


@lru_cache(maxsize=4)
def country_choices(language: str) -> Choices:
    names = Locale(language).territories
    return sorted(((code, names.get(code, code)) for code in countries()), key=lambda choice: choice[1])


@lru_cache(maxsize=4)
def currency_choices(language: str) -> Choices:
    names = Locale(language).currencies
    return [(code, f"{code} · {name}") for code, name in sorted(names.items()) if is_currency(code)]


@lru_cache(maxsize=4)
def zone_choices(language: str) -> Choices:
    """In English under all names, as they are called elsewhere."""
    known = (name for name in available_timezones() if name.startswith(_REGIONS))
    names = [name for name in known if language == "en" or is_current_name(name)]
    return [("UTC", "UTC"), *sorted(((name, zone_name(name, language)) for name in names), key=lambda zone: zone[1])]


@lru_cache(maxsize=4)
def language_choices(language: str) -> Choices:
    """Two languages or one: the codes with commas, and how they are called."""
    names, codes = language_names(language), sorted(LANGUAGES)
    pairs = [
        (
            f"{first},{second}",
            translate(language, N_("{first}, then {second}"), first=names[first], second=names[second]),
        )
        for first, second in permutations(codes, 2)
    ]
    return [*pairs, *((code, translate(language, N_("{language} only"), language=names[code])) for code in codes)]


@lru_cache(maxsize=4)
def language_names(language: str) -> Mapping[str, str]:
    return {code: Locale(language).languages[code] for code in LANGUAGES}


def with_current(choices: Choices, current: str | None) -> Choices:
    """A value that was set elsewhere is kept."""
    known = current is None or any(code == current for code, _ in choices)
    return choices if known or current is None else [(current, current), *choices]


class RegionChoices(NamedTuple):
    """What a new business has in place of what is usual in its country. Languages are codes with commas."""

    timezone: str = ""
    currency: str = ""
    languages: str = ""


_AS_USUAL = RegionChoices()


def new_tenant_in(
    country: str,
    name: str,
    plan: Plan,
    slug: str,
    *,
    region: RegionChoices = _AS_USUAL,
    others: Sequence[Problem] = (),
) -> NewTenant:
    """`others`: problems of other fields of the form, which are raised together."""
    new = propose_tenant(country, name, plan, slug, region=region)
    raise_all([*form_problems(new), *others])
    return new


def propose_tenant(
    country: str, name: str, plan: Plan, slug: str, *, region: RegionChoices = _AS_USUAL, signed_up: bool = False
) -> NewTenant:
    """Time zone, currency and languages are those of the country unless `region` says otherwise.

    The settings page changes them.
    """
    proposal = propose(country)
    return NewTenant(
        name=name,
        branch=name,
        plan=plan,
        timezone=region.timezone or proposal.timezone,
        currency=region.currency or proposal.currency,
        languages=region.languages.split(",") if region.languages else proposal.languages,
        slug=slug.lower() or None,
        country=country,
        signed_up=signed_up,
    )


def form_problems(new: NewTenant) -> list[Problem]:
    """The form has one field for the name of the business and of its branch."""
    found = [problem for problem in registration_problems(new) if problem.at != ("branch",)]
    return [
        Problem(problem.kind, "business", **problem.values) if problem.at == ("name",) else problem for problem in found
    ]
