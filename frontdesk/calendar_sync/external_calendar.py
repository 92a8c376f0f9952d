"""A calendar elsewhere whose events make a staff member busy."""

from base64 import b64encode
from uuid import UUID

from frontdesk.calendar_sync.external_calendar_queries import StaffCalendars, calendars_of
from frontdesk.calendar_sync.problems import ExternalCalendarProblem
from frontdesk.net.safe_url import ParsedUrl, UrlRejected, parse_url
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version


def read_address(text: str) -> tuple[str, ParsedUrl]:
    """Calendar programs show addresses with webcal://, which means https://."""
    address = text.strip()
    for scheme in ("webcal://", "webcals://"):
        if address.lower().startswith(scheme):
            address = f"https://{address[len(scheme) :]}"
    try:
        return address, parse_url(address)
    except UrlRejected:
        raise Problem(ExternalCalendarProblem.NOT_AN_ADDRESS, "address") from None


class _ExternalCalendarAct(Act[StaffCalendars], frozen=True):
    staff_id: UUID

    def load(self) -> Query[StaffCalendars]:
        return calendars_of(self.staff_id).locking(lock_row("staff", self.staff_id))


class SaveExternalCalendar(_ExternalCalendarAct, frozen=True):
    host: str
    encrypted_address: bytes
    version: int | None  # of the calendar on the page; None if it showed none

    def decide(self, context: Context[StaffCalendars]) -> FunctionCall:
        external = context.loaded.external
        if external is not None:
            check_version(self.version or 0, external.version, self.staff_id)
        argument = {
            "staff_id": self.staff_id,
            "name": context.loaded.owner,
            "version": external.version if external else None,
            "host": self.host,
            "url_secret": b64encode(self.encrypted_address).decode(),
        }
        return FunctionCall("save_external_calendar", argument)


class DeleteExternalCalendar(_ExternalCalendarAct, frozen=True):
    version: int

    def decide(self, context: Context[StaffCalendars]) -> FunctionCall:
        external = context.loaded.external
        if external is None:
            return FunctionCall(None, {})
        check_version(self.version, external.version, self.staff_id)
        argument = {"staff_id": self.staff_id, "name": context.loaded.owner, "version": external.version}
        return FunctionCall("delete_external_calendar", argument)
