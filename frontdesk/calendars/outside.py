"""A calendar elsewhere whose events make a staff member busy."""

from base64 import b64encode
from uuid import UUID

from frontdesk.calendars.outside_queries import SeenCalendars, calendars_of
from frontdesk.calendars.problems import OutsideCalendarProblem
from frontdesk.net.safe_url import ParsedUrl, UrlRejected, parse_url
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version
from frontdesk.security.encryption import SecretBox


def read_address(text: str) -> tuple[str, ParsedUrl]:
    """Calendar programs show addresses with webcal://, which means https://."""
    address = text.strip()
    for scheme in ("webcal://", "webcals://"):
        if address.lower().startswith(scheme):
            address = f"https://{address[len(scheme) :]}"
    try:
        return address, parse_url(address)
    except UrlRejected:
        raise Problem(OutsideCalendarProblem.NOT_AN_ADDRESS, "address") from None


def look_at_outside_calendar(staff_id: UUID) -> Look[SeenCalendars]:
    lock = Lock("SELECT FROM staff WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (staff_id,))
    return Look(calendars_of(staff_id), lock)


def plan_outside_calendar(
    seen: SeenCalendars, staff_id: UUID, address: str, target: ParsedUrl, version: int | None, secret_box: SecretBox
) -> FunctionCall:
    """`version` is that of the calendar on the page; None if it showed none."""
    if seen.outside is not None:
        check_version(version or 0, seen.outside.version, staff_id)
    argument = {
        "staff_id": staff_id,
        "name": seen.owner,
        "version": seen.outside.version if seen.outside else None,
        "host": target.host,
        "url_secret": b64encode(secret_box.encrypt(address.encode())).decode(),
    }
    return FunctionCall("save_outside_calendar", argument)


def plan_no_outside_calendar(seen: SeenCalendars, staff_id: UUID, version: int) -> FunctionCall:
    if seen.outside is None:
        return FunctionCall(None, {})
    check_version(version, seen.outside.version, staff_id)
    argument = {"staff_id": staff_id, "name": seen.owner, "version": seen.outside.version}
    return FunctionCall("delete_outside_calendar", argument)
