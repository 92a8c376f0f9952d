"""What the pages say about each problem of a noun."""

from collections.abc import Mapping
from datetime import time
from decimal import Decimal

from frontdesk.auth.problems import LinkProblem, MemberProblem, SignInProblem, ThrottleProblem
from frontdesk.availability.problems import AvailabilityProblem
from frontdesk.http.errors import Code, WireError
from frontdesk.http.field_paths import FieldMap, field_path
from frontdesk.i18n.texts import Translated, translate
from frontdesk.invoices.problems import PdfProblem
from frontdesk.live.problems import LiveProblem
from frontdesk.problems import Problem, ProblemKind, SharedProblem, kind
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.problem_texts.applications import APPLICATION_TEXTS
from frontdesk.ui.shell.problem_texts.auth import AUTH_TEXTS
from frontdesk.ui.shell.problem_texts.business import BUSINESS_TEXTS
from frontdesk.ui.shell.problem_texts.catalog import CATALOG_TEXTS
from frontdesk.ui.shell.problem_texts.orders import ORDER_TEXTS
from frontdesk.ui.shell.problem_texts.shared import SHARED_TEXTS
from frontdesk.values.problems import BusyProblem

REFUSED = (Problem, WireError)
TEXTS: Mapping[ProblemKind, str] = {
    **SHARED_TEXTS,
    **ORDER_TEXTS,
    **CATALOG_TEXTS,
    **BUSINESS_TEXTS,
    **AUTH_TEXTS,
    **APPLICATION_TEXTS,
}
# Those that are not about what was entered.
CODES: Mapping[ProblemKind, Code] = {
    SharedProblem.NOT_FOUND: Code.NOT_FOUND,
    AvailabilityProblem.CHECK_FAILED: Code.AVAILABILITY_CHECK_FAILED,
    BusinessProblem.SUSPENDED: Code.BUSINESS_SUSPENDED,
    BusinessProblem.NO_OPEN_API: Code.FEATURE_DISABLED,
    SignInProblem.UNREADABLE_PASSKEY: Code.VALIDATION_ERROR,
    LiveProblem.TOO_MANY_OF_USER: Code.RATE_LIMIT_EXCEEDED,
    LiveProblem.TOO_MANY_OF_TENANT: Code.RATE_LIMIT_EXCEEDED,
    LiveProblem.TOO_MANY: Code.SERVICE_UNAVAILABLE,
    PdfProblem.FONT_MISSING: Code.SERVICE_UNAVAILABLE,
    MemberProblem.WITHDRAWN_BY_OWNER: Code.INSUFFICIENT_SCOPE,
    MemberProblem.MANAGED_BY_OWNER: Code.INSUFFICIENT_SCOPE,
}
CODES_OF_ENUMS: Mapping[type[ProblemKind], Code] = {
    LinkProblem: Code.NOT_FOUND,
    ThrottleProblem: Code.RATE_LIMIT_EXCEEDED,
    SignInProblem: Code.AUTHENTICATION_FAILED,
    BusyProblem: Code.SERVICE_UNAVAILABLE,
}


class PageError(WireError):
    """A problem with its texts in the language of the page, at the fields of its form."""

    def __init__(self, problem: Problem, message: str, errors: Mapping[str, list[str]] | None) -> None:
        wait = {"retry-after": str(problem.values["seconds"])} if "seconds" in problem.values else None
        super().__init__(code_of(problem.kind), message, errors=errors, headers=wait)
        self.problem = problem


def code_of(kind: ProblemKind) -> Code:
    return CODES.get(kind) or CODES_OF_ENUMS.get(type(kind), Code.VALIDATION_ERROR)


def is_expired_link(error: WireError) -> bool:
    return isinstance(error, PageError) and isinstance(error.problem.kind, LinkProblem)


def page_error(problem: Problem, fields: FieldMap, language: str, format_: Formatter) -> PageError:
    """A problem of no field is said above the form."""
    errors: dict[str, list[str]] = {}
    for each in problem.all:
        errors.setdefault(field_path(each.at, fields), []).append(problem_text(each, language, format_))
    message = problem_text(problem, language, format_)
    return PageError(problem, message, errors if any(errors) or len(problem.all) > 1 else None)


class PageProblem(ProblemKind):
    """What a page itself finds wrong; its text is where it is found."""

    TEXT = kind(text=str)


def page_problem(text: str, *at: str | int) -> Problem:
    """`text` is marked for translation."""
    return Problem(PageProblem.TEXT, *at, text=text)


def problem_text(problem: Problem, language: str, format_: Formatter) -> str:
    if problem.kind is PageProblem.TEXT:
        return Translated(translate(language, problem.values["text"]))
    shown = {name: _shown(value, language, format_) for name, value in problem.values.items()}
    return Translated(translate(language, TEXTS[problem.kind]) % shown)


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
