"""Of the business and its branches, the drawer, the waiting list, webhooks and tags."""

from collections.abc import Mapping

from frontdesk.booking_page.problems import PageSettingsProblem
from frontdesk.day_close.problems import CloseProblem, DrawerProblem, ShiftProblem
from frontdesk.i18n.texts import N_
from frontdesk.problems import ProblemKind
from frontdesk.sandbox.problems import ClockProblem, FaultProblem, SandboxProblem, SnapshotProblem
from frontdesk.tags.problems import TagProblem
from frontdesk.tenants.problems import BranchProblem, BusinessProblem, QuotaProblem, TaxClassProblem
from frontdesk.waiting_list.problems import WaitingProblem
from frontdesk.webhooks.problems import WebhookProblem

_OPERATION = N_("This can never happen. Choose another operation.")

BUSINESS_TEXTS: Mapping[ProblemKind, str] = {
    QuotaProblem.API_CLIENTS: N_(
        "The plan allows %(limit)s API clients, and all are in use. Delete one first, or ask the operator to "
        "change the plan."
    ),
    QuotaProblem.API_KEYS: N_(
        "The plan allows %(limit)s API keys, and all are in use. Revoke one first, or ask the operator to "
        "change the plan."
    ),
    QuotaProblem.WEBHOOKS: N_(
        "The plan allows %(limit)s webhooks, and all are in use. Delete one first, or ask the operator to "
        "change the plan."
    ),
    QuotaProblem.MEMBERS: N_(
        "The plan allows %(limit)s members, and there are as many. Remove one first, or ask the operator to "
        "change the plan."
    ),
    QuotaProblem.PENDING_INVITATIONS: N_(
        "The plan allows %(limit)s open invitations, and there are as many. Withdraw one first, or wait until"
        " one is accepted or expires."
    ),
    QuotaProblem.IMPORTS: N_(
        "The plan allows %(limit)s imports at a time. Finish or stop one first, or wait until 24 hours have passed."
    ),
    QuotaProblem.MESSAGES: N_(
        "The plan allows %(limit)s messages in 24 hours, and all were sent. The others wait. They are sent "
        "within an hour once the number is below the limit."
    ),
    BusinessProblem.NAME_REQUIRED: N_("Fill in this field."),
    BusinessProblem.NAME_TOO_LONG: N_("Use at most %(most)s characters."),
    BusinessProblem.SLUG_TAKEN: N_("Another business uses this name. Choose another one."),
    BusinessProblem.WRONG_SLUG: N_("Use 2 to 60 lower-case letters, digits and hyphens."),
    BusinessProblem.TOO_MANY_SLUGS: N_("You have changed this name too often. Choose one of your earlier names."),
    BusinessProblem.UNKNOWN_COUNTRY: N_("Choose a country."),
    BusinessProblem.UNKNOWN_TIMEZONE: N_("'%(name)s' is not a time zone. Enter a name such as Asia/Riyadh."),
    BusinessProblem.UNKNOWN_CURRENCY: N_("'%(code)s' is not a currency that can be charged. Enter a code such as SAR."),
    BusinessProblem.WRONG_LANGUAGES: N_("Enter different codes such as ar and en."),
    BusinessProblem.TIMES_WOULD_MOVE: N_(
        "Coming bookings would be shown at another time of day. Tick the box below to change the time zone."
    ),
    BusinessProblem.CURRENCY_BY_OWNER: N_("Only an owner can change the currency."),
    BusinessProblem.CURRENCY_HAS_SALES: N_("The currency cannot be changed after the first sale."),
    BusinessProblem.CURRENCY_HAS_FEWER_DECIMALS: N_("This currency has fewer decimals than your prices."),
    BusinessProblem.NOTICE_TOO_LONG: N_("Enter fewer hours than customers can book ahead."),
    BusinessProblem.NOT_A_COLOUR: N_("Enter a colour of six hexadecimal digits."),
    BusinessProblem.WRONG_REASON: N_("Use at most %(most)s characters."),
    BusinessProblem.UNKNOWN_REASON: N_("Choose a reason from the list."),
    BusinessProblem.OTHER_NAME_TYPED: N_("Type the name of the business exactly as it is shown."),
    BusinessProblem.SUSPENDED: N_("This business is suspended. Contact the operator of this service."),
    BusinessProblem.NO_OPEN_API: N_("The plan of this business does not include the Open API."),
    SandboxProblem.NOT_A_SANDBOX: N_("Only a sandbox can do this."),
    SandboxProblem.NOT_DISTRIBUTED: N_("Sandboxes of this installation have no clock of their own."),
    ClockProblem.ONE_OF_BOTH: N_("Enter a time."),
    ClockProblem.NOT_A_DURATION: N_("Enter a length of time."),
    ClockProblem.BACKWARD: N_("Enter a later time: the clock is not moved back."),
    ClockProblem.TOO_FAR: N_("Enter an earlier time: the clock can be at most %(years)s years ahead."),
    FaultProblem.NO_ERROR: N_("Only an error has a code."),
    FaultProblem.WRONG_STATUS: N_("Choose an error."),
    FaultProblem.NOT_ANSWERED: N_("Choose an error."),
    FaultProblem.NOT_AN_OPERATION: _OPERATION,
    FaultProblem.NOT_AN_EVENT: _OPERATION,
    FaultProblem.NOT_OF_TOKENS: _OPERATION,
    FaultProblem.HAS_NO_SECONDS: N_("Leave this empty."),
    FaultProblem.TOO_SLOW: N_("Enter at most %(most)s seconds."),
    FaultProblem.TOO_MANY: N_("At most %(most)s faults can be on. Switch them off first."),
    SnapshotProblem.TOO_MANY: N_("There can be at most %(most)s snapshots. Delete one first."),
    SnapshotProblem.TOO_LARGE: N_("A sandbox with more than %(most)s orders cannot be kept."),
    TaxClassProblem.NAME_REQUIRED: N_("Enter a name."),
    TaxClassProblem.NAME_TAKEN: N_("Another tax class has this name."),
    TaxClassProblem.WRONG_RATE: N_("Enter a rate between 0 and 100, with at most two decimals."),
    TaxClassProblem.WRONG_DAYS: N_("Enter at least one rate, each with its own day."),
    TaxClassProblem.TOO_MANY: N_("A business can have at most %(most)s tax classes."),
    TaxClassProblem.NEEDS_A_DEFAULT: N_("Make another class the default instead."),
    TaxClassProblem.IS_DEFAULT: N_("The default tax class cannot be deleted."),
    TaxClassProblem.IN_USE: N_("Items or packages use this tax class."),
    BranchProblem.NAME_TAKEN: N_("Another branch has this name."),
    BranchProblem.SLUG_TAKEN: N_("This address is already used by '%(name)s'."),
    BranchProblem.ONLY_ACTIVE_ONE: N_("The only active branch cannot be deactivated."),
    DrawerProblem.OPEN: N_("The drawer is already open."),
    DrawerProblem.NOT_OPEN: N_("The drawer is not open."),
    DrawerProblem.FLOAT_DIFFERS: N_("Say why the float is not what was left."),
    DrawerProblem.NOT_AN_AMOUNT: N_("Enter an amount such as 12.50."),
    DrawerProblem.TOO_HIGH: N_("Enter at most %(most)s."),
    DrawerProblem.NOTHING: N_("Enter an amount above zero."),
    DrawerProblem.ABOVE_CONTENT: N_("The drawer holds %(expected)s."),
    DrawerProblem.NOT_SO_MUCH: N_("There is less in the drawer."),
    DrawerProblem.REASON_REQUIRED: N_("Say what it is for."),
    DrawerProblem.OTHER_PIECES: N_("The rows of the form do not match. Reload the page."),
    DrawerProblem.UNKNOWN: N_("This branch has fewer drawers."),
    DrawerProblem.TOO_MANY: N_("Enter a number from 1 to 20."),
    DrawerProblem.NEEDS_SHIFTS: N_("More than one drawer needs own shifts: switch them on, or enter 1."),
    ShiftProblem.OPEN: N_("You have an open shift at this branch."),
    ShiftProblem.CLOSED: N_("This shift is closed already."),
    ShiftProblem.NOT_CLOSED: N_("This shift is open."),
    ShiftProblem.DAY_CLOSED: N_("The day of this shift is closed. Reopen the day first."),
    ShiftProblem.FOLLOWED: N_("Its drawer or its cashier has had another shift since, so this count stays."),
    ShiftProblem.REASON_REQUIRED: N_("Say why the shift is opened again."),
    CloseProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    CloseProblem.IN_FUTURE: N_("This day is in the future."),
    CloseProblem.TOO_OLD_TO_CLOSE: N_("This day is too long ago to be closed."),
    CloseProblem.DRAWER_CHANGED: N_("The drawer has changed while you counted. It should hold %(expected)s now."),
    CloseProblem.NOT_COUNTED: N_("Count the drawer."),
    CloseProblem.LEFT_ABOVE_COUNTED: N_("Enter at most what was counted."),
    CloseProblem.OTHER_ROWS: N_("The rows of the form do not match. Reload the page."),
    CloseProblem.HANDED_OVER_DIFFERS: N_("The cashiers handed over %(total)s together."),
    CloseProblem.NOTE_REQUIRED: N_("Say why it differs."),
    CloseProblem.SHIFTS_OPEN: N_("Close these shifts first: %(names)s."),
    CloseProblem.IS_REOPENED: N_("This close was reopened already."),
    CloseProblem.NOT_LAST: N_("Only the last close of a day can be reopened."),
    CloseProblem.TOO_OLD_TO_REOPEN: N_("This day is too long ago to be reopened."),
    CloseProblem.DRAWER_OPENED: N_("The drawer has been opened since. Close the rest of the day instead."),
    CloseProblem.REASON_REQUIRED: N_("Say why the day is reopened."),
    WaitingProblem.UNKNOWN_CUSTOMER: N_("Choose a customer."),
    WaitingProblem.CUSTOMER_BLOCKED: N_("This customer is blocked."),
    WaitingProblem.UNKNOWN_SERVICE: N_("Choose a service."),
    WaitingProblem.STAFF_DOES_NOT_PERFORM: N_("Choose a provider who performs this service."),
    WaitingProblem.PAST: N_("Choose today or a later day."),
    WaitingProblem.TOO_FAR_AHEAD: N_("Choose a day within two years."),
    WaitingProblem.WAITS_ALREADY: N_("This customer already waits for this service on these days."),
    WaitingProblem.ENDS_BEFORE_FIRST: N_("Enter a day that is not before the first."),
    WaitingProblem.TOO_MANY_DAYS: N_("Enter a day within a year of the first."),
    PageSettingsProblem.TOO_MANY_ORIGINS: N_("Enter at most %(most)s sites."),
    PageSettingsProblem.NOT_AN_ORIGIN: N_("'%(typed)s' is not the address of a site such as https://www.example.com."),
    WebhookProblem.TOO_MANY: N_("There are %(most)s webhooks already. Delete one first."),
    WebhookProblem.DISABLED: N_("Enable the webhook first."),
    WebhookProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    WebhookProblem.UNKNOWN_FIELD: N_("'%(name)s' is no field of the selected events."),
    TagProblem.EXISTS: N_("A tag with this name already exists."),
}
