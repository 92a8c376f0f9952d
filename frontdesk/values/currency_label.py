from unicodedata import bidirectional

from babel.numbers import get_currency_symbol

_RIGHT_TO_LEFT_MARK = "\N{RIGHT-TO-LEFT MARK}"


def currency_label(code: str, language: str) -> str:
    """The code in English; in Arabic the usual abbreviation, if the currency has one."""
    if language != "ar":
        return code
    letters = get_currency_symbol(code, "ar").strip(_RIGHT_TO_LEFT_MARK).rstrip(".")
    return letters if bidirectional(letters[0]) == "AL" else code
