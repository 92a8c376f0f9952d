"""Checks of a phone number and an e-mail address that an application sends."""

from frontdesk.net.email_domains import DomainChecker, EmailError, normalize_email
from frontdesk.problems import Problem
from frontdesk.values.phones import PhoneError, parse_phone
from frontdesk.values.problems import PhoneProblem


async def checked_email(email: str | None, domains: DomainChecker, problems: list[Problem]) -> str | None:
    if email is None:
        return None
    try:
        normalized = normalize_email(email)
        await domains.check(normalized)
    except EmailError as error:
        problems.append(error.within("email"))
        return None
    return normalized


def checked_phone(phone: str | None, country: str | None, problems: list[Problem]) -> str | None:
    if phone is None:
        return None
    if country is None:
        problems.append(Problem(PhoneProblem.REGION_REQUIRED, "phone_country"))
        return None
    try:
        return parse_phone(phone, country)
    except PhoneError as error:
        problems.append(error)
        return None
