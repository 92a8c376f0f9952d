"""What the pages say about each problem of a noun."""

from collections.abc import Mapping, Sequence
from datetime import time
from decimal import Decimal

from frontdesk.auth.problems import LinkProblem, MemberProblem, SignInProblem, ThrottleProblem
from frontdesk.availability.problems import AvailabilityProblem
from frontdesk.customers.problems import CustomerProblem
from frontdesk.exports.problems import ArchiveProblem
from frontdesk.http.errors import Code, WireError
from frontdesk.http.field_paths import FieldMap, field_path
from frontdesk.http.problems import KeyProblem, RequestProblem, ServiceProblem, headers_of
from frontdesk.i18n.texts import translate
from frontdesk.invoices.problems import PdfProblem
from frontdesk.live.problems import LiveProblem
from frontdesk.pictures.problems import PictureProblem
from frontdesk.problems import Problem, ProblemKind, SharedProblem, kind
from frontdesk.sandbox.problems import SandboxProblem
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.problem_texts.applications import APPLICATION_TEXTS
from frontdesk.ui.shell.problem_texts.auth import AUTH_TEXTS
from frontdesk.ui.shell.problem_texts.business import BUSINESS_TEXTS
from frontdesk.ui.shell.problem_texts.catalog import CATALOG_TEXTS
from frontdesk.ui.shell.problem_texts.http import HTTP_TEXTS
from frontdesk.ui.shell.problem_texts.imports import IMPORT_TEXTS
from frontdesk.ui.shell.problem_texts.orders import ORDER_TEXTS
from frontdesk.ui.shell.problem_texts.shared import SHARED_TEXTS
from frontdesk.ui.shell.problem_texts.starts import START_TEXTS
from frontdesk.values.problems import BusyProblem

TEXTS: Mapping[ProblemKind, str] = {
    **SHARED_TEXTS,
    **HTTP_TEXTS,
    **ORDER_TEXTS,
    **START_TEXTS,
    **IMPORT_TEXTS,
    **CATALOG_TEXTS,
    **BUSINESS_TEXTS,
    **AUTH_TEXTS,
    **APPLICATION_TEXTS,
}


class PageProblem(ProblemKind):
    """What a page itself finds wrong; its text is where it is found."""

    TEXT = kind(text=str)
    FORBIDDEN = kind(text=str)


def page_problem(text: str, *at: str | int) -> Problem:
    """`text` is marked for translation."""
    return Problem(PageProblem.TEXT, *at, text=text)


def forbidden(text: str) -> Problem:
    """`text` is marked for translation."""
    return Problem(PageProblem.FORBIDDEN, text=text)


# Those that are not about what was entered.
CODES: Mapping[ProblemKind, Code] = {
    PageProblem.FORBIDDEN: Code.INSUFFICIENT_SCOPE,
    SharedProblem.NOT_FOUND: Code.NOT_FOUND,
    CustomerProblem.UNKNOWN_OTHER: Code.NOT_FOUND,
    AvailabilityProblem.CHECK_FAILED: Code.AVAILABILITY_CHECK_FAILED,
    BusinessProblem.SUSPENDED: Code.BUSINESS_SUSPENDED,
    BusinessProblem.NO_OPEN_API: Code.FEATURE_DISABLED,
    SignInProblem.UNREADABLE_PASSKEY: Code.VALIDATION_ERROR,
    LiveProblem.TOO_MANY_OF_USER: Code.RATE_LIMIT_EXCEEDED,
    LiveProblem.TOO_MANY_OF_TENANT: Code.RATE_LIMIT_EXCEEDED,
    LiveProblem.TOO_MANY: Code.SERVICE_UNAVAILABLE,
    PdfProblem.FONT_MISSING: Code.SERVICE_UNAVAILABLE,
    ArchiveProblem.PICTURES_UNAVAILABLE: Code.SERVICE_UNAVAILABLE,
    PictureProblem.UNAVAILABLE: Code.SERVICE_UNAVAILABLE,
    MemberProblem.WITHDRAWN_BY_OWNER: Code.INSUFFICIENT_SCOPE,
    MemberProblem.MANAGED_BY_OWNER: Code.INSUFFICIENT_SCOPE,
    RequestProblem.WRONG_METHOD: Code.METHOD_NOT_ALLOWED,
    RequestProblem.TOO_LARGE: Code.PAYLOAD_TOO_LARGE,
    RequestProblem.TOO_SLOW: Code.REQUEST_TIMEOUT,
    RequestProblem.TOO_MANY: Code.RATE_LIMIT_EXCEEDED,
    KeyProblem.REUSED: Code.IDEMPOTENCY_KEY_REUSED,
    KeyProblem.IN_USE: Code.IDEMPOTENCY_KEY_IN_USE,
    ServiceProblem.INTERNAL: Code.INTERNAL_ERROR,
    ServiceProblem.CONCURRENT: Code.TEMPORARILY_UNAVAILABLE,
}
CODES_OF_ENUMS: Mapping[type[ProblemKind], Code] = {
    LinkProblem: Code.NOT_FOUND,
    ThrottleProblem: Code.RATE_LIMIT_EXCEEDED,
    SignInProblem: Code.AUTHENTICATION_FAILED,
    BusyProblem: Code.SERVICE_UNAVAILABLE,
    ServiceProblem: Code.SERVICE_UNAVAILABLE,
    SandboxProblem: Code.SANDBOX_ONLY,
}


class PageError(WireError):
    """A problem with its texts in the language of the page, at the fields of its form."""

    def __init__(
        self, problem: Problem, fields: FieldMap, message: str, errors: Mapping[str, Sequence[str]] | None
    ) -> None:
        super().__init__(code_of(problem.kind), message, errors=errors, headers=headers_of(problem))
        self.problem = problem
        self.fields = fields

    @property
    def is_expired_link(self) -> bool:
        return isinstance(self.problem.kind, LinkProblem)


def code_of(kind: ProblemKind) -> Code:
    return CODES.get(kind) or CODES_OF_ENUMS.get(type(kind), Code.VALIDATION_ERROR)


def page_error(problem: Problem, fields: FieldMap, language: str, format_: Formatter) -> PageError:
    """A problem of no field is said above the form."""
    errors: dict[str, list[str]] = {}
    for part in problem.all:
        errors.setdefault(field_path(part.at, fields), []).append(problem_text(part, language, format_))
    message = problem_text(problem, language, format_)
    return PageError(problem, fields, message, errors if any(errors) or len(problem.all) > 1 else None)


def problem_text(problem: Problem, language: str, format_: Formatter) -> str:
    if isinstance(problem.kind, PageProblem):
        return translate(language, problem.values["text"])
    shown = {name: _shown(value, language, format_) for name, value in problem.values.items()}
    return translate(language, TEXTS[problem.kind]) % shown


def _shown(value: object, language: str, format_: Formatter) -> str:
    match value:
        case Decimal():
            return format_.amount(value)
        case int():
            return f"{value:,}" if value >= 10_000 else str(value)  # shorter ones may be years
        case time():
            return f"{value:%H:%M}"
        case str() if language == "ar":  # otherwise '055 31' would be shown as '31 055'
            return f"\N{FIRST STRONG ISOLATE}{value}\N{POP DIRECTIONAL ISOLATE}"
        case _:
            return str(value)
