"""The reason that is chosen when a booking is canceled."""

from frontdesk.i18n.texts import N_
from frontdesk.tenants.cancel_reason_queries import LANGUAGES, Names, cancel_reasons
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.problems import page_problem


def key_of(names: Names) -> str:
    """What a form sends for a reason: a name stays what it is while others are added."""
    return next((names[language] for language in LANGUAGES if names.get(language)), "")


async def reason_choices(context: PageContext) -> list[tuple[str, str]]:
    """The value and the label of each."""
    reasons = await context.fetch(cancel_reasons())
    return [("", "–"), *((key_of(names), context.format.localized(names)) for names in reasons)]


async def read_reason(context: PageContext, key: str) -> Names | None:
    """None if none was chosen."""
    if not key:
        return None
    for names in await context.fetch(cancel_reasons()):
        if key_of(names) == key:
            return names
    raise page_problem(N_("Choose a reason from the list."), "reason")
