"""Error messages in the words of the pages. The layers below speak to programs, which see the name of the field."""

import re

from frontdesk.ui.shell.i18n import N_, translate

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
    "must not be empty or contain unprintable characters": _FILL_IN,
    "must not contain NUL or unpaired surrogates": N_("This text has characters that cannot be stored. Type it again."),
    "must have at least {n} characters": N_("Use at least {n} characters."),
    "must have at most {n} characters": _AT_MOST,
    "must have at most {n} printable characters": _AT_MOST,
    "must have at least {n} entry": N_("Select at least {n}."),
    "must have at most {n} entries": N_("Select at most {n}."),
    "must be an integer": N_("Enter a whole number."),
    "must be at least {n}": N_("Enter {n} or more."),
    "must be at most {n}": N_("Enter {n} or less."),
    "must be more than {n}": N_("Enter more than {n}."),
    "must not be negative": N_("Enter 0 or more."),
    "must be between {n} and {n}": N_("Enter a value between {n} and {n}."),
    "must have at most {n} decimals": N_("Use at most {n} decimals."),
    "must be {n} digits": N_("Enter {n} digits."),
    "must be a UUID": _CHOOSE,
    "is not valid": N_("Check this field."),
    "is not a branch of this business": N_("Choose a branch."),
    "is not a member of this business": N_("Choose a member of this business."),
    "is not a line of this order": N_("Choose a line of this order."),
    "must be in the future": N_("Choose a day in the future."),
    "must be at most {n} days later": N_("Choose a day at most {n} days later."),
    "is already in use": N_("This is already in use. Choose another one."),
    "is not a valid e-mail address": N_("Enter an e-mail address such as name@example.com."),
    "is not your password": N_("This is not your password."),
    "is not the password of this account; sign in first": N_(
        "This is not the password of this account. Sign in first."
    ),
    "appears in lists of leaked passwords; choose another, such as four unrelated words": N_(
        "This password is in lists of leaked passwords. Choose another one, such as four unrelated words."
    ),
    "is too easy to guess; choose another, such as four unrelated words": N_(
        "This password is too easy to guess. Choose another one, such as four unrelated words."
    ),
    "must not contain your name, e-mail address or business name": N_(
        "Choose a password without your name, e-mail address or business name."
    ),
    "is that of the last owner; make another member an owner first": N_(
        "This is the last owner. Make another member an owner first."
    ),
    "is the last operator: make another user an operator first": N_(
        "This is the last operator. Make another user an operator first."
    ),
    "has no second factor": N_("This user has no second factor."),
    "has not verified their e-mail address yet": N_("This user has not verified their e-mail address yet."),
    "is not a valid URL": N_("Enter an address such as https://www.example.com."),
    "must begin with https:// or http://": N_("Enter an address that begins with https:// or http://."),
    "must be a URL that begins with https://": N_("Enter an address that begins with https://."),
    "must not contain a user name or password": N_("Leave the user name and the password out of the address."),
    "has an invalid host name": N_("The host name in this address is wrong."),
    "has a host on a private network": N_("This address is in a private network."),
    "is false; enable the webhook first": N_("Enable the webhook first."),
    "exceeds the maximum of {n} webhooks; delete one first": N_("There are {n} webhooks already. Delete one first."),
    "must be smaller than {n} MB": N_("Choose a file smaller than {n} MB."),
    "must be smaller than {n} kB": N_("Choose a file smaller than {n} kB."),
    "must be a JPEG, PNG or WebP picture": N_("Choose a JPEG, PNG or WebP picture."),
    "must be a PNG or JPEG file": N_("Choose a PNG or JPEG file."),
    "must be square": N_("Choose a square picture."),
    "must have at most {n} million pixels": N_("Choose a picture of at most {n} million pixels."),
    "must be at most {n} pixels wide and high": N_("Choose a picture of at most {n} pixels in width and height."),
    "already belongs to another customer": N_("This already belongs to another customer."),
    "the data of this customer was erased": "The data of this customer was erased.",
    "a customer cannot be merged with itself": N_("Choose another customer."),
    "the customer has coming visits; cancel them first": N_("The customer has coming visits. Cancel them first."),
    "exceeds the quantity in stock": N_("There is not enough in stock."),
    "exceeds the quantity in stock of this option": N_("There is not enough of this option in stock."),
    "belongs to another branch": N_("This belongs to another branch."),
    "is not available for sale": N_("This is not on sale."),
    "is not a product of this business": N_("This is no longer on sale."),
    "must not exceed the amount of the line": N_("The discount is larger than the line."),
    "must not exceed {n}": N_("A discount is at most {n} percent."),
    "does not perform this service in this branch": N_("This provider does not perform the service here."),
    "is blocked by the business": N_("This customer is blocked."),
    "has too many digits": N_("This amount has too many digits."),
    "must not exceed the remaining amount of {n}": N_("Only {n} is left to pay."),
    "must not exceed the remaining amount of {n}.{n}": N_("Only {n}.{n} is left to pay."),
    "must not exceed the refundable amount of {n}": N_("At most {n} can be refunded."),
    "must not exceed the refundable amount of {n}.{n}": N_("At most {n}.{n} can be refunded."),
    "exceed the refundable amount of {n}": N_("At most {n} can be refunded."),
    "exceed the refundable amount of {n}.{n}": N_("At most {n}.{n} can be refunded."),
    "has nothing left to refund": N_("Nothing is left to refund."),
    "have nothing left to refund": N_("Choose something that is not refunded yet."),
    "must be between {n} and {n}, the quantity not yet refunded": N_(
        "Enter a number from {n} to {n}: what is not yet refunded."
    ),
    "is a refund and cannot be refunded": N_("This is a refund. It cannot be refunded."),
    "is a draft, canceled or a refund and cannot have an invoice": N_(
        "A draft, a canceled order or a refund has no invoice."
    ),
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
    message = _CHOOSE if message.startswith("must be one of ") else _WITH_EXAMPLE.get(message, message)
    placeholder, pattern = ("{q}", _QUOTED) if _QUOTED.search(message) else ("{n}", _NUMBER)
    isolates = placeholder == "{q}" and language == "ar"
    values = (f"\u2068{value}\u2069" if isolates else _grouped(value) for value in pattern.findall(message))
    wording = pattern.sub(placeholder, message)
    pieces = translate(language, FOR_PEOPLE.get(wording, wording)).split(placeholder)
    text = pieces[0] + "".join(f"{next(values, placeholder)}{piece}" for piece in pieces[1:])
    return text[:1].upper() + text[1:]
