"""Texts that are stored in English and translated when they are shown."""

from frontdesk.i18n.texts import N_

# Why a calendar elsewhere could not be read, from calendars/fetch.py.
FETCH_ERRORS = (
    N_("The server of the calendar answers with status {n}."),
    N_("The server of the calendar does not answer."),
    N_("The address does not lead to a calendar."),
    N_("The address cannot be read any more. Enter it again."),
    N_("The address leads to one that is not encrypted."),
    N_("The address leads to another one too often."),
    N_("The address leads to one that cannot be used."),
    N_("The calendar is too large."),
)
