"""Of applications, pictures, messages, reports, files and pages that are busy."""

from collections.abc import Mapping

from frontdesk.applications.problems import ApplicationPictureProblem, ApplicationProblem, InstallProblem, ReviewProblem
from frontdesk.calendar_sync.problems import ExternalCalendarProblem, FeedProblem, FetchProblem
from frontdesk.custom_data.problems import CustomDataProblem
from frontdesk.exports.problems import ArchiveProblem, ExportProblem
from frontdesk.i18n.texts import N_
from frontdesk.imports.problems import FileProblem, ImportProblem
from frontdesk.invoices.problems import PdfProblem
from frontdesk.live.problems import LiveProblem
from frontdesk.messages.problems import MessageProblem
from frontdesk.pictures.problems import PictureProblem
from frontdesk.problems import ProblemKind
from frontdesk.reports.problems import RateProblem
from frontdesk.values.problems import BusyProblem
from frontdesk.webhooks.problems import OffReason

_SIGNING_SECRET = N_("Its webhooks and panels need a signing secret.")
_SELECT_ONE = N_("Select at least 1.")

APPLICATION_TEXTS: Mapping[ProblemKind, str] = {
    ApplicationProblem.NOT_A_LINK: N_("Enter an address that begins with https://."),
    ApplicationProblem.UNKNOWN_SCOPE: N_("'%(scope)s' is not a scope"),
    ApplicationProblem.REASON_REQUIRED: N_("Fill in this field."),
    ApplicationProblem.EVENTS_REQUIRED: _SELECT_ONE,
    ApplicationProblem.EVENT_NEEDS_SCOPE: N_("'%(event)s' needs the scope '%(scope)s', which is not requested"),
    ApplicationProblem.TOO_MANY_METHODS: N_("Select at most %(most)s."),
    ApplicationProblem.TOO_MANY_REDIRECTS: N_("Enter at most %(most)s addresses."),
    ApplicationProblem.NOT_A_FULL_ADDRESS: N_("'%(address)s' must be a full address without a fragment"),
    ApplicationProblem.NOT_HTTPS: N_(
        "'%(address)s' must begin with https://, or with http://127.0.0.1 or http://localhost for development"
    ),
    ApplicationProblem.HAS_OUR_PARAMETER: N_("'%(address)s' must not contain a parameter that the answer adds"),
    ApplicationProblem.NOT_EDITABLE: N_("This application cannot be changed now: return it to draft first."),
    CustomDataProblem.EXTERNAL_ID_TAKEN: N_("Another record has this external id already."),
    CustomDataProblem.TOO_MANY_KEYS: N_("Enter at most %(most)s keys."),
    ApplicationPictureProblem.REQUIRED: N_("Choose a picture."),
    ApplicationPictureProblem.TOO_MANY: N_("There are %(most)s already. Remove one first."),
    ApplicationPictureProblem.TOO_LARGE: N_("Choose a file smaller than %(kilobytes)s kB."),
    ApplicationPictureProblem.NOT_A_PICTURE: N_("Choose a PNG or JPEG file."),
    ApplicationPictureProblem.TOO_WIDE: N_("Choose a picture of at most %(most)s pixels in width and height."),
    ApplicationPictureProblem.NOT_SQUARE: N_("Choose a square picture."),
    ReviewProblem.NO_DESCRIPTION: N_("It needs a description."),
    ReviewProblem.NO_LINKS: N_("It needs links to support and to its privacy policy."),
    ReviewProblem.NO_SCOPES: N_("It requests no scope."),
    ReviewProblem.UNREADABLE_EVENTS: N_("It subscribes to events that its scopes cannot read."),
    ReviewProblem.NO_SIGNING_SECRET: _SIGNING_SECRET,
    ReviewProblem.NOT_A_DRAFT: N_("Only a draft can be submitted."),
    ReviewProblem.NOT_SUBMITTED: N_("Only applications in review or approved can be returned to draft."),
    ReviewProblem.OTHER_STATUS: N_("This cannot be decided about an application that is '%(status)s'."),
    ReviewProblem.REASON_REQUIRED: N_("Fill in this field."),
    ReviewProblem.VERSION_CHANGED: N_("The developer has changed it. Review it again before you decide."),
    InstallProblem.INSTALLED: N_("This application is already installed."),
    InstallProblem.NO_SIGNING_SECRET: _SIGNING_SECRET,
    InstallProblem.SCOPE_NOT_REQUESTED: N_("'%(scope)s' is not requested"),
    InstallProblem.SCOPE_NEEDED: N_("This cannot be left out."),
    InstallProblem.SCOPE_REQUIRED: _SELECT_ONE,
    InstallProblem.CODE_REJECTED: N_("This code is wrong or was already used."),
    PictureProblem.TOO_LARGE: N_("Choose a file smaller than %(megabytes)s MB."),
    PictureProblem.TOO_MANY_PIXELS: N_("Choose a picture of at most %(millions)s million pixels."),
    PictureProblem.NOT_A_PICTURE: N_("Choose a JPEG, PNG or WebP picture."),
    PictureProblem.NOT_SAVED: N_("Pictures cannot be saved at the moment. Save without one, or try again later."),
    PictureProblem.UNAVAILABLE: N_("This picture cannot be shown at the moment. Try again in a few seconds."),
    MessageProblem.QUIET_TIME_IS_EMPTY: N_("Enter another time than the beginning."),
    MessageProblem.QUIET_TIME_IS_HALF: N_("Enter both times, or none."),
    MessageProblem.UNKNOWN_KIND: N_("Choose a kind of message."),
    MessageProblem.UNKNOWN_PLACEHOLDER: N_("'%(typed)s' is not a placeholder. Use one of those below."),
    MessageProblem.NO_EMAIL: N_("This customer has no e-mail address."),
    MessageProblem.TOO_MANY_OFFERS: N_(
        "This customer got %(most)s offers within 24 hours. Offer more times tomorrow, or call."
    ),
    MessageProblem.TIME_IS_PAST: N_("This time is past."),
    MessageProblem.TOO_FAR_AHEAD: N_("Choose a day within two years."),
    MessageProblem.STAFF_DOES_NOT_PERFORM: N_("Choose a provider who performs this service."),
    RateProblem.DAY_TAKEN: N_("There is a rate for this from this day on already."),
    RateProblem.UNKNOWN_STAFF: N_("Choose a provider."),
    RateProblem.UNKNOWN_ITEM: N_("Choose a service or a product."),
    RateProblem.TOO_MANY: N_("A business can have at most %(most)s commission rates."),
    RateProblem.WRONG_RATE: N_("Enter a rate between 0 and 100, with at most two decimals."),
    FetchProblem.ANSWERS_STATUS: N_("The server of the calendar answers with status %(status)s."),
    FetchProblem.NO_ANSWER: N_("The server of the calendar does not answer."),
    FetchProblem.NO_CALENDAR: N_("The address does not lead to a calendar."),
    FetchProblem.NOT_DECRYPTED: N_("The address cannot be read any more. Enter it again."),
    FetchProblem.NOT_ENCRYPTED: N_("The address redirects to one that is not encrypted."),
    FetchProblem.TOO_MANY_REDIRECTS: N_("The address redirects too many times."),
    FetchProblem.UNUSABLE: N_("The address redirects to one that cannot be used."),
    FetchProblem.TOO_LARGE: N_("The calendar is too large."),
    FetchProblem.NOT_PUBLIC: N_("This address is not on the public Internet."),
    OffReason.SWITCHED_OFF: N_("Switched off by hand."),
    OffReason.NOT_REQUESTED: N_("Its application does not ask for events any more."),
    OffReason.GONE: N_("The receiver answered 410 Gone."),
    OffReason.NOTHING_ARRIVED: N_("Nothing has arrived for %(days)s days."),
    FeedProblem.READ_TOO_OFTEN: N_("This calendar is read too often. Wait a minute."),
    ExternalCalendarProblem.NOT_AN_ADDRESS: N_(
        "Enter the address of a calendar. It begins with https:// or webcal://."
    ),
    ExportProblem.TOO_MANY_OPEN: N_("%(most)s exports are under way. Wait until one is done."),
    ExportProblem.TOO_MANY_STORED: N_("There are %(most)s exports already. Each is kept for a day."),
    ArchiveProblem.NOT_AN_ARCHIVE: N_("This file is not an archive of a business."),
    ArchiveProblem.OTHER_FORMAT: N_("This archive has the format %(format)s. This version reads %(known)s."),
    ArchiveProblem.DAMAGED: N_("This archive is damaged. Nothing was created."),
    ArchiveProblem.PICTURES_UNAVAILABLE: N_("Pictures cannot be read at the moment. Try again later."),
    PdfProblem.FONT_MISSING: N_("The file cannot be made now. Ask the operator of this service."),
    FileProblem.TOO_LARGE: N_("The file is larger than %(megabytes)s MB."),
    FileProblem.TOO_MANY_ROWS: N_("This file has more than %(most)s rows. Split it into several files."),
    FileProblem.TOO_MANY_COLUMNS: N_("A row of this file has more than %(most)s columns."),
    FileProblem.CELL_TOO_LONG: N_("Row %(row)s has a cell of more than %(most)s characters."),
    FileProblem.UNREADABLE_ROW: N_("Row %(row)s cannot be read. Is a quotation mark missing?"),
    FileProblem.NO_ROWS: N_("This file has no rows below the names of the columns."),
    FileProblem.NOT_A_TABLE: N_("This file is not a table: it is neither a CSV file nor an Excel workbook (.xlsx)."),
    FileProblem.OLD_WORKBOOK: N_("This is an old Excel file (.xls), or it has a password. Save it as .xlsx or CSV."),
    FileProblem.DAMAGED_WORKBOOK: N_("This Excel workbook is damaged. Save it again, or save it as CSV."),
    FileProblem.WORKBOOK_TOO_LARGE: N_("This Excel workbook is too large when it is unpacked. Save it as CSV."),
    FileProblem.NO_SHEET: N_("This Excel workbook has no sheet."),
    FileProblem.TOO_SLOW: N_("This file takes too long to read. Save it as CSV, or split it into several files."),
    ImportProblem.CHANGED: N_("This import has changed meanwhile. Look at it again."),
    ImportProblem.COLUMN_TWICE: N_("Two columns cannot be used for the same field."),
    ImportProblem.NO_ROW: N_("No row can be imported."),
    ImportProblem.UNDO_TOO_LATE: N_("An import can be undone within a day."),
    LiveProblem.TOO_MANY_OF_USER: N_("You have too many pages open."),
    LiveProblem.TOO_MANY_OF_TENANT: N_("Too many pages of this business are open."),
    LiveProblem.TOO_MANY: N_("Too many pages are open at the moment."),
    BusyProblem.FILES_AND_REPORTS: N_("The service is busy with other files and reports. Try again in a few seconds."),
    BusyProblem.SIGN_INS: N_("Too many sign-ins at the moment. Try again in %(seconds)s s."),
    BusyProblem.BOOKING_PAGES: N_("Too many people look at this page at the moment. Try again in a few seconds."),
}
