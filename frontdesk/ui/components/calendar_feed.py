"""What the pages of staff and branches show about a calendar feed."""

from typing import NamedTuple

from frontdesk.calendar_sync.types import Feed
from frontdesk.security.encryption import DecryptionFailed
from frontdesk.ui.shell.context import PageContext


class ShownFeed(NamedTuple):
    """`address` is None if it cannot be decrypted; a new one can be made."""

    feed: Feed
    address: str | None
    subscribe: str | None  # opens the calendar program of the device


def shown_feed(context: PageContext, feed: Feed | None) -> ShownFeed | None:
    if feed is None:
        return None
    try:
        secret = context.request.resources.secret_box.decrypt(feed.secret).decode()
    except DecryptionFailed:
        return ShownFeed(feed, None, None)
    address = f"{context.request.origin}/feeds/{secret}.ics"
    return ShownFeed(feed, address, f"webcal://{address.partition('://')[2]}")
