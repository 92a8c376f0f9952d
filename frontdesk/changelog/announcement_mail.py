"""Writes the mail about new publications: the changes for one reader, and the programs that they concern."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from frontdesk.changelog.announcement_queries import Recipient
from frontdesk.changelog.concerning import urgent_first
from frontdesk.changelog.types import Change
from frontdesk.i18n.texts import N_, translate
from frontdesk.messages.composed_mail import Fact
from frontdesk.messages.types import API_CHANGES_KIND

_MAX_LISTED = 30  # the page has all


class Program(NamedTuple):
    name: str
    page: str  # where its changes are


def write_mail(
    reader: Recipient, changes: Iterable[Change], programs: Sequence[Program], business: str | None = None
) -> dict[str, Any]:
    """As `queue_account_message` takes it."""
    pages = list(dict.fromkeys(program.page for program in programs))
    names = dict.fromkeys(program.name for program in programs)
    data = {
        "application": translate(reader.language, N_(", ")).join(names),
        "facts": [
            *([Fact(translate(reader.language, N_("Business")), business)] if business else []),
            *_changes(sorted(changes, key=lambda one: (urgent_first(one), one)), reader.language),
            *(_pages(programs, reader.language) if len(pages) > 1 else []),
        ],
        "link": pages[0] if len(pages) == 1 else None,
    }
    person = {"email": reader.email, "name": reader.name, "language": reader.language}
    return {"kind": API_CHANGES_KIND, **person, "data": data}


def _changes(changes: Sequence[Change], language: str) -> Iterator[Fact]:
    for change in changes[:_MAX_LISTED]:
        yield Fact(translate(language, _effect(change)), f"{change.where} {change.text}", is_number=True)
    if len(changes) > _MAX_LISTED:
        yield Fact(translate(language, N_("Further changes")), str(len(changes) - _MAX_LISTED), is_number=True)


def _pages(programs: Iterable[Program], language: str) -> Iterator[Fact]:
    for program in programs:
        label = translate(language, N_("API client"))
        yield Fact(label, program.name, program.page, translate(language, N_("See the changes")))


def _effect(change: Change) -> str:
    if change.breaking:
        return N_("Breaking")
    return N_("Deprecated") if change.is_deprecation else N_("Compatible")
