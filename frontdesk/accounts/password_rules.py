"""Password rules: a minimum length, and no common passwords. There are no composition rules."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from frontdesk.auth.problems import AccountProblem
from frontdesk.problems import Problem

MIN_PASSWORD, MAX_PASSWORD = 10, 256
_COMMON = Path(__file__).parent / "common_passwords.txt"
_MIN_DISTINCT = 5  # different characters
_MIN_PERSONAL_WORD = 4
_MIN_REST = 6  # characters besides the user's own names
_RUNS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
)
_LINES = [line for run in _RUNS for line in (run * 2, (run * 2)[::-1])]
_LEET = str.maketrans("013457@$!", "oieastasi")
_EDGES = re.compile(r"^[\W\d_]+|[\W\d_]+$")


def check_password(password: str, own: Iterable[str], field: str) -> None:
    problem = password_problem(password, own, field)
    if problem is not None:
        raise problem


def password_problem(password: str, own: Iterable[str] = (), *at: str) -> Problem | None:
    """`own`: the e-mail address and the names of the user and of the tenant."""
    if len(password) < MIN_PASSWORD:
        return Problem(AccountProblem.PASSWORD_TOO_SHORT, *at, least=MIN_PASSWORD)
    if len(password) > MAX_PASSWORD:
        return Problem(AccountProblem.PASSWORD_TOO_LONG, *at, most=MAX_PASSWORD)
    folded = _fold(password)
    if len(set(folded)) < _MIN_DISTINCT or _is_run(folded):
        return Problem(AccountProblem.PASSWORD_TOO_EASY, *at)
    if _is_common(folded):
        return Problem(AccountProblem.PASSWORD_LEAKED, *at)
    return Problem(AccountProblem.PASSWORD_PERSONAL, *at) if _is_personal(folded, own) else None


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _is_common(folded: str) -> bool:
    """A common password, also with digits and symbols around it, digits for letters, or repeated."""
    plain = _EDGES.sub("", folded)
    spellings = {
        folded,
        plain,
        folded.translate(_LEET),
        _EDGES.sub("", folded.translate(_LEET)),
        plain.translate(_LEET),
    }
    joined = {re.sub(r"[\W_]+", "", spelling) for spelling in spellings}
    return any(_unit(spelling) in common_passwords() for spelling in spellings | joined)


def _unit(text: str) -> str:
    """The smallest repeated unit: `ab` for `abab`."""
    return text[: (text + text).find(text, 1)] if text else ""


def _is_run(folded: str) -> bool:
    """A sequence on the keyboard, in the alphabet or of digits, with few other characters before or after."""
    text = re.sub(r"[\W_]+", "", folded)
    if len(text) > max(map(len, _LINES)):
        return False
    return any(
        text[before : len(text) - after] in line
        for before in range(_MIN_DISTINCT)
        for after in range(_MIN_DISTINCT - before)
        if len(text) - before - after > 3
        for line in _LINES
    )


def _is_personal(folded: str, own: Iterable[str]) -> bool:
    rest = letters = re.sub(r"[\W_]+", "", folded)
    for word in sorted(_personal_words(own), key=len, reverse=True):
        rest = rest.replace(word, "")
    return rest != letters and len(rest) < _MIN_REST


def _personal_words(own: Iterable[str]) -> Iterator[str]:
    for text in own:
        parts = [re.sub(r"[\W_]+", "", part) for part in re.split(r"[\s@.+_-]+", _fold(text))]
        yield from (word for word in (*parts, "".join(parts)) if len(word) >= _MIN_PERSONAL_WORD)


@cache
def common_passwords() -> frozenset[str]:
    lines = _COMMON.read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
