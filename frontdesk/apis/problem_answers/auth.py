from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer, Values
from frontdesk.applications.problems import InstallProblem
from frontdesk.auth.problems import BudgetProblem, ClientProblem, ThrottleProblem
from frontdesk.http.errors import Code
from frontdesk.net.problems import EmailProblem
from frontdesk.problems import ProblemKind
from frontdesk.tenants.problems import BusinessProblem

WWW_AUTHENTICATE = {"www-authenticate": 'Bearer realm="frontdesk", Basic realm="frontdesk"'}


def _throttled(text: str) -> Answer:
    return Answer(f"{text} Try again in {{seconds}} s.", Code.RATE_LIMIT_EXCEEDED, _wait)


def _wait(values: Values) -> Values:
    return {"retry_after": values["seconds"]}


def _budget(values: Values) -> Values:
    numbers = {name: values[name] for name in ("scope", "allowed", "used", "records")}
    return {**numbers, "retry_after": values["seconds"]}


AUTH_ANSWERS: Mapping[ProblemKind, Answer] = {
    BusinessProblem.SUSPENDED: Answer(
        "This business is suspended. Contact the operator of this service.", Code.BUSINESS_SUSPENDED
    ),
    BusinessProblem.NO_OPEN_API: Answer(
        "The plan of this business does not include the Open API.", Code.FEATURE_DISABLED
    ),
    ThrottleProblem.ATTEMPTS: _throttled("Too many attempts."),
    ThrottleProblem.FAILURES: _throttled("Too many failed attempts."),
    ThrottleProblem.FAILURES_OF_CLIENT: _throttled("Too many failed attempts for this client."),
    ThrottleProblem.TOKENS: _throttled("Too many tokens requested. A token is valid for one year; reuse it."),
    BudgetProblem.USED_UP: Answer(
        "The business allows this client to read {allowed} records a day with {scope}. {used} are read, and this "
        "response has {records} more. Ask the business for more, or try again tomorrow.",
        Code.BUDGET_EXCEEDED,
        _budget,
    ),
    ClientProblem.WRONG_CREDENTIALS: Answer(
        "The client id or client secret is wrong.", Code.AUTHENTICATION_FAILED, headers=WWW_AUTHENTICATE
    ),
    ClientProblem.UNKNOWN_SCOPE: Answer("{scope!r} is not a scope"),
    ClientProblem.SCOPES_NOT_APPROVED: Answer(
        "The business has not approved {scopes} for this client.",
        Code.INSUFFICIENT_SCOPE,
        lambda values: {"scope": " ".join(values["scopes"])},
    ),
    InstallProblem.CODE_REJECTED: Answer(
        "The code is wrong, expired or already used, or was issued to another application, redirect_uri or "
        "code_verifier.",
        Code.INVALID_GRANT,
    ),
    EmailProblem.TOO_LONG: Answer("must have at most {most} characters"),
    EmailProblem.NOT_AN_ADDRESS: Answer("is not a valid e-mail address"),
    EmailProblem.NO_DOMAIN: Answer("has a domain that does not exist"),
    EmailProblem.NO_MAIL: Answer("has a domain that does not receive e-mail"),
}
