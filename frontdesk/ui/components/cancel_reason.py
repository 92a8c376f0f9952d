"""The reason that is chosen when a booking is canceled."""

from frontdesk.tenants.cancel_reason_queries import Names, cancel_reasons, find_reason, key_of
from frontdesk.ui.shell.context import PageContext


async def reason_choices(context: PageContext) -> list[tuple[str, str]]:
    """The value and the label of each."""
    reasons = await context.fetch(cancel_reasons())
    return [("", "–"), *((key_of(names), context.format.localized(names)) for names in reasons)]


async def read_reason(context: PageContext, key: str) -> Names | None:
    """None if none was chosen."""
    return find_reason(await context.fetch(cancel_reasons()), key) if key else None
