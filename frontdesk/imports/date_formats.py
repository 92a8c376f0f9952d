"""Which number formats of a workbook show a number as a date."""

import re

# Of the formats that a workbook does not spell out: dates and times, also those of East Asian languages.
_BUILT_IN = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
_DATE_LETTERS = re.compile("[dmyhs]", re.IGNORECASE)


def is_date_format(number: int, code: str | None) -> bool:
    if code is None:
        return number in _BUILT_IN
    bare = _LITERAL.sub("", code)
    return bare.lower() != "general" and _DATE_LETTERS.search(bare) is not None
