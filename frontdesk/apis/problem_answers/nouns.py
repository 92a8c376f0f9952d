from collections.abc import Callable, Mapping

from frontdesk.apis.problem_answers.answer import Answer, Values
from frontdesk.apis.problem_answers.catalog import CATALOG_ANSWERS
from frontdesk.apis.problem_answers.front_desk import FRONT_DESK_ANSWERS
from frontdesk.apis.problem_answers.settings import SETTINGS_ANSWERS
from frontdesk.apis.problem_answers.staff import STAFF_ANSWERS
from frontdesk.calendar_sync.problems import FeedProblem
from frontdesk.custom_data.problems import CustomDataProblem
from frontdesk.customers.problems import CustomerProblem
from frontdesk.day_close.problems import CloseProblem
from frontdesk.exports.problems import ExportProblem
from frontdesk.http.errors import Code
from frontdesk.invoices.problems import PdfProblem
from frontdesk.problems import ProblemKind
from frontdesk.sandbox.problems import ClockProblem, FaultProblem, SandboxProblem, SnapshotProblem
from frontdesk.tags.problems import TagProblem
from frontdesk.tenants.problems import QuotaProblem
from frontdesk.values.problems import BusyProblem, PhoneProblem
from frontdesk.webhooks.problems import WebhookProblem

_ASK = "or ask the operator to change the plan"


def _quota(kind: QuotaProblem, what: str, remedy: str) -> Answer:
    return Answer(f"the plan allows {{limit}} {what}; {remedy}", details=_named(kind.name.lower()))


def _named(quota: str) -> Callable[[Values], Values]:
    return lambda values: {"quota": quota, **values}


def _exports(text: str, reason: str) -> Answer:
    def details(values: Values) -> Values:
        return {"reason": reason, "limit": values["most"], "retry_after": values["seconds"]}

    return Answer(text, Code.EXPORT_LIMIT_REACHED, details)


NOUN_ANSWERS: Mapping[ProblemKind, Answer] = {
    **CATALOG_ANSWERS,
    **STAFF_ANSWERS,
    **SETTINGS_ANSWERS,
    **FRONT_DESK_ANSWERS,
    CustomerProblem.PHONE_TAKEN: Answer("already belongs to another customer"),
    CustomerProblem.SAME_CUSTOMER: Answer("must be another customer than the one in the path"),
    CustomerProblem.UNKNOWN_OTHER: Answer("is not a customer of this business"),
    CustomerProblem.ERASED: Answer("the data of this customer was erased"),
    CustomDataProblem.EXTERNAL_ID_TAKEN: Answer("Another record has this external_id already.", Code.EXTERNAL_ID_TAKEN),
    CustomDataProblem.TOO_MANY_KEYS: Answer("must have at most {most} keys"),
    BusyProblem.FILES_AND_REPORTS: Answer(
        "The service is busy with other files and reports. Try again in a few seconds.", Code.SERVICE_UNAVAILABLE
    ),
    FeedProblem.READ_TOO_OFTEN: Answer("This calendar is read too often. Wait a minute.", Code.RATE_LIMIT_EXCEEDED),
    PhoneProblem.NOT_A_NUMBER: Answer("is not a valid phone number for {region}"),
    PhoneProblem.NO_SUCH_REGION: Answer("must be a two-letter country code, such as SA"),
    PhoneProblem.TOO_LONG: Answer("is too long for a phone number"),
    PhoneProblem.OTHER_CHARACTERS: Answer(
        "must contain only digits, spaces, dashes, dots, parentheses and a leading +"
    ),
    PhoneProblem.REQUIRED_WITH_REGION: Answer("is required with phone_country"),
    PhoneProblem.REGION_REQUIRED: Answer("is required with phone"),
    PdfProblem.FONT_MISSING: Answer("{reason}", Code.SERVICE_UNAVAILABLE),
    CloseProblem.UNKNOWN_BRANCH: Answer("is not a branch of this business"),
    CloseProblem.IN_FUTURE: Answer("must not be in the future"),
    SandboxProblem.NOT_A_SANDBOX: Answer("Only a sandbox can do this, and this business is none.", Code.SANDBOX_ONLY),
    SandboxProblem.NOT_DISTRIBUTED: Answer(
        "Sandboxes of this installation have no clock of their own, because its data is on several nodes.",
        Code.SANDBOX_ONLY,
    ),
    ClockProblem.ONE_OF_BOTH: Answer("must be sent, or now, but not both"),
    ClockProblem.NOT_A_DURATION: Answer("must be an ISO 8601 duration of weeks, days, hours, minutes and seconds"),
    ClockProblem.BACKWARD: Answer("must not be earlier than the time of the sandbox"),
    ClockProblem.TOO_FAR: Answer("must not move the clock more than {years} years ahead of the real time"),
    FaultProblem.NO_ERROR: Answer("has neither status nor code; only error does"),
    FaultProblem.WRONG_STATUS: Answer("must be {status}, as this code has, or be omitted"),
    FaultProblem.NOT_ANSWERED: Answer("is not answered by {route}; possible are {possible}"),
    FaultProblem.NOT_AN_OPERATION: Answer(
        "must be a method and a path as the reference writes them, without /open-api/v1 or /api/v1; "
        "the nearest is {nearest}"
    ),
    FaultProblem.NOT_AN_EVENT: Answer("must be a type of event for this kind; the nearest is {nearest}"),
    FaultProblem.NOT_OF_TOKENS: Answer("must be one of {kinds} for an operation below /oauth"),
    FaultProblem.HAS_NO_SECONDS: Answer("must be omitted: this kind has none"),
    FaultProblem.TOO_SLOW: Answer("must be at most {most} for a slow answer"),
    FaultProblem.TOO_MANY: Answer("exceeds the maximum of {most} faults that are not used up; clear them first"),
    SnapshotProblem.TOO_MANY: Answer("exceeds the maximum of {most} snapshots; delete one first"),
    SnapshotProblem.TOO_LARGE: Answer("cannot be that of a sandbox with more than {most} orders"),
    TagProblem.EXISTS: Answer("A tag with this name already exists.", Code.TAG_ALREADY_EXISTS),
    ExportProblem.TOO_MANY_OPEN: _exports(
        "This business has {most} exports under way. Wait until one is done.", "open"
    ),
    ExportProblem.TOO_MANY_STORED: _exports(
        "This business has {most} exports, each of which is kept for a day. The first one ends in {seconds} s.",
        "stored",
    ),
    WebhookProblem.TOO_MANY: Answer("exceeds the maximum of {most} webhooks; delete one first"),
    WebhookProblem.DISABLED: Answer("is false; enable the webhook first"),
    WebhookProblem.UNKNOWN_BRANCH: Answer("is not a branch of this business"),
    WebhookProblem.UNKNOWN_FIELD: Answer("must be one of {choices}"),
    QuotaProblem.API_CLIENTS: _quota(QuotaProblem.API_CLIENTS, "API clients", f"delete one first, {_ASK}"),
    QuotaProblem.API_KEYS: _quota(QuotaProblem.API_KEYS, "API keys", f"revoke one first, {_ASK}"),
    QuotaProblem.WEBHOOKS: _quota(QuotaProblem.WEBHOOKS, "webhooks", f"delete one first, {_ASK}"),
    QuotaProblem.MEMBERS: _quota(QuotaProblem.MEMBERS, "members", f"remove one first, {_ASK}"),
    QuotaProblem.PENDING_INVITATIONS: _quota(
        QuotaProblem.PENDING_INVITATIONS, "open invitations", "withdraw one first, or wait until one expires"
    ),
    QuotaProblem.IMPORTS: _quota(QuotaProblem.IMPORTS, "imports", f"wait until one finishes, {_ASK}"),
    QuotaProblem.MESSAGES: _quota(QuotaProblem.MESSAGES, "messages in 24 hours", "the others wait"),
}
