"""`frontdesk doctor` about the archive, from which any moment can be restored: is it on, and does it get everything?"""

from datetime import UTC, datetime

from frontdesk.config import Settings
from frontdesk.postgres.embedded.archive import Archive
from frontdesk.postgres.health import Archiving, get_archiving
from frontdesk.postgres.pool import Connection
from frontdesk.server.finding import Finding

_MAX_WAITING = 16  # files; a few more than a burst of writes leaves


async def examine_archive(conn: Connection, settings: Settings) -> Finding:
    archiving = await get_archiving(conn)
    if settings.archive_dir:
        return examine_embedded(archiving, Archive(settings.archive_dir).last_base())
    if archiving.is_on:
        return _of_log(archiving, "archive_command, and the log of PostgreSQL for the reason")
    text = "is off: what was written since the last backup cannot be restored"
    if settings.database_url:
        return Finding("ok", "archive", f"{text}, unless another program copies the log")
    return Finding("warn", "archive", f"{text}; set FRONTDESK_ARCHIVE_DIR")


def examine_embedded(archiving: Archiving, last_base: datetime | None) -> Finding:
    if not archiving.is_on:
        text = "the service runs without FRONTDESK_ARCHIVE_DIR: restart it with that setting"
        return Finding("fail", "archive", text)
    if last_base is None:
        return Finding("warn", "archive", "has no base backup, without which it is of no use: `frontdesk backup base`")
    found = _of_log(archiving, "the folder and its disk, and postgres.log in the data folder for the reason")
    return found._replace(text=f"{found.text}; the last base backup is of {last_base:%Y-%m-%d}")


def _of_log(archiving: Archiving, place: str) -> Finding:
    if archiving.failed_at:
        text = f"cannot be written since {archiving.failed_at:%Y-%m-%d %H:%M:%S} UTC, and the log grows: check {place}"
        return Finding("fail", "archive", text)
    if archiving.waiting > _MAX_WAITING:
        text = f"{archiving.waiting} files of the log wait to be copied to it, and the log grows: check {place}"
        return Finding("fail", "archive", text)
    if archiving.last_at is None:
        return Finding("ok", "archive", "is on, and nothing was written since that could be copied to it")
    ago = (datetime.now(UTC) - archiving.last_at).total_seconds()
    return Finding("ok", "archive", f"got the last file of the log {ago:.0f} s ago")
