"""Error messages in the words of the pages. The layers below speak to programs, which see the name of the field."""

import re

from frontdesk.i18n.texts import N_, Translated, translate

_NUMBER = re.compile(r"\d+")
_LARGE = re.compile(r"[1-9][0-9]{4,11}")
_QUOTED = re.compile(r"'[^']*'")
_FILL_IN = N_("Fill in this field.")
_CHOOSE = N_("Choose one from the list.")
_AT_MOST = N_("Use at most {n} characters.")
# Numbers are written as {n}. A message that is missing here is shown as it is.
FOR_PEOPLE = {
    "is required": _FILL_IN,
    "must not be empty": _FILL_IN,
    "must not contain NUL or unpaired surrogates": N_("This text has characters that cannot be stored. Type it again."),
    "must have at least {n} characters": N_("Use at least {n} characters."),
    "must have at most {n} characters": _AT_MOST,
    "must have at least {n} entry": N_("Select at least {n}."),
    "must have at most {n} entries": N_("Select at most {n}."),
    "must be an integer": N_("Enter a whole number."),
    "must be at least {n}": N_("Enter {n} or more."),
    "must be at most {n}": N_("Enter {n} or less."),
    "must not be negative": N_("Enter 0 or more."),
    "must be between {n} and {n}": N_("Enter a value between {n} and {n}."),
    "must be {n} digits": N_("Enter {n} digits."),
    "must be a UUID": _CHOOSE,
    "is not valid": N_("Check this field."),
    "is not a branch of this business": N_("Choose a branch."),
    "has no second factor": N_("This user has no second factor."),
    "is not a valid URL": N_("Enter an address such as https://www.example.com."),
    "must begin with https:// or http://": N_("Enter an address that begins with https:// or http://."),
    "must not contain a user name or password": N_("Leave the user name and the password out of the address."),
    "has an invalid host name": N_("The host name in this address is wrong."),
    "has a host on a private network": N_("This address is in a private network."),
    "must not exceed {n}": N_("A discount is at most {n} percent."),
}
# Those with a number in the example.
_WITH_EXAMPLE = {
    "must be a date in the format YYYY-MM-DD": "Enter a date such as 2026-12-31.",
    "is not a valid date": "Enter a date such as 2026-12-31.",
}


def _grouped(value: str) -> str:
    """A number of thousands. Shorter ones may be years."""
    return f"{int(value):,}" if _LARGE.fullmatch(value) else value


def translate_error(language: str, message: str) -> str:
    """Translates an error message that the layers below wrote in English.

    The message id has {n} for each number, or {q} for each quoted value; the values are put back into the translation.
    Within Arabic a quoted value is isolated: otherwise '055 31' would be shown as '31 055'.
    """
    if isinstance(message, Translated):
        return message
    message = _CHOOSE if message.startswith("must be one of ") else _WITH_EXAMPLE.get(message, message)
    placeholder, pattern = ("{q}", _QUOTED) if _QUOTED.search(message) else ("{n}", _NUMBER)
    isolates = placeholder == "{q}" and language == "ar"
    values = (f"\u2068{value}\u2069" if isolates else _grouped(value) for value in pattern.findall(message))
    wording = pattern.sub(placeholder, message)
    pieces = translate(language, FOR_PEOPLE.get(wording, wording)).split(placeholder)
    text = pieces[0] + "".join(f"{next(values, placeholder)}{piece}" for piece in pieces[1:])
    return text[:1].upper() + text[1:]
