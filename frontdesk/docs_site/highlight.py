"""Colors in samples of code: comments, texts, names, numbers and keywords, in the languages of the guides."""

import re
from collections.abc import Callable

from markupsafe import Markup, escape

_KEYWORDS = (
    "as|async|await|class|const|def|elif|else|except|export|false|False|for|from|function|if|import|in|let|new|none|None"
    "|not|null|raise|return|true|True|try|while|with"
)
_TOKEN = re.compile(
    rf"""
    (?P<comment>(?:^|(?<=\s))(?:\#|//)(?!\{{).*$)
    | (?P<name>"(?:\\.|[^"\\\n])*"(?=\s*:))
    | (?P<text>"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'|`[^`]*`)
    | (?P<number>(?<![\w.-])\d+(?:\.\d+)?(?![\w-]))
    | (?P<keyword>(?<![\w.$/-])(?:{_KEYWORDS})(?![\w/=-]))
    """,
    re.VERBOSE | re.MULTILINE,
)
_CLASSES = {
    "comment": "code-comment",
    "name": "code-name",
    "text": "code-text",
    "number": "code-number",
    "keyword": "code-keyword",
}
_PLAIN = {"", "text"}  # tables, mails and logs


def highlight(sample: str, show: Callable[[str], Markup] = escape) -> Markup:
    """`show` writes each part, and may mark something in it."""
    parts, end = [], 0
    for found in _TOKEN.finditer(sample):
        part = Markup('<span class="{}">{}</span>').format(_CLASSES[str(found.lastgroup)], show(found[0]))
        parts += [show(sample[end : found.start()]), part]
        end = found.end()
    return Markup().join([*parts, show(sample[end:])])


def highlight_in_guide(sample: str, language: str, _attributes: str) -> str:
    """As markdown-it asks for it; an empty answer leaves the sample as it is."""
    return "" if language in _PLAIN else str(highlight(sample))
