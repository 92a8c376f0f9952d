"""What is wrong with a request before a noun sees it: with its values, its form, or the service."""

from datetime import date

from frontdesk.problems import Problem, ProblemKind, kind


class ValueProblem(ProblemKind):
    """A value that is none of the type of its field."""

    REQUIRED = kind()
    REQUIRED_BY_OTHER_NAME = kind(sent=str)  # the field has another name in other operations
    EMPTY = kind()
    UNSTORABLE = kind()  # a text with NUL or unpaired surrogates
    TOO_SHORT = kind(least=int)
    TOO_LONG = kind(most=int)
    NO_ENTRY = kind()
    TOO_FEW_ENTRIES = kind(least=int)
    TOO_MANY_ENTRIES = kind(most=int)
    NOT_OBJECT = kind()
    NOT_LIST = kind()
    NOT_TEXT = kind()
    NOT_BOOLEAN = kind()
    NOT_INTEGER = kind()
    BELOW = kind(least=int)
    ABOVE = kind(most=int)
    NOT_BETWEEN = kind(least=int, most=int)
    NOT_UUID = kind()
    NOT_ONE_OF = kind(choices=list)
    NOT_THE_ONLY = kind(choice=str)
    NOT_NUMBER = kind()
    TOO_MANY_DIGITS = kind(digits=int)
    NOT_AMOUNT = kind()
    NOT_PERCENTAGE = kind()
    NOT_DIGITS = kind(count=int)
    NOT_COUNTRY = kind()
    NOT_DATE = kind()
    NO_SUCH_DATE = kind()
    NOT_MOMENT = kind()
    NO_SUCH_MOMENT = kind()
    OUTSIDE_YEARS = kind(first=int, last=int)
    AFTER = kind(other=str)  # a first day that is after the last
    NO_MATCH = kind(pattern=str)
    NOT_POSITION = kind()  # not where a page of a list ended
    INVALID = kind()


class WrongValue(ValueError):
    """Raised by a field type. msgspec makes its own error of it, and the walk over the request finds the problem."""

    def __init__(self, kind: ProblemKind, **values: int) -> None:
        self.problem = Problem(kind, **values)
        super().__init__(str(self.problem))


class BodyProblem(ProblemKind):
    EMPTY = kind()
    TOO_MANY_VALUES = kind(most=int)
    NOT_OBJECT = kind()
    TOO_DEEP = kind()
    TOO_LARGE_NUMBER = kind()
    NOT_UTF8 = kind()
    NOT_JSON = kind(reason=str)
    OTHER_TYPE = kind(reason=str)
    OUT_OF_RANGE = kind()  # only the database has found it
    MALFORMED_FORM = kind()
    MALFORMED_PARTS = kind()
    QUERY_NOT_ENCODED = kind()
    TOO_MANY_PARAMETERS = kind(most=int)


class RequestProblem(ProblemKind):
    WRONG_METHOD = kind(allowed=list)
    TOO_LARGE = kind(most=int)  # bytes of its body
    TOO_SLOW = kind()
    REMOVED = kind(day=date)
    REPLACED = kind(day=date, successor=str)
    DRY_RUN = kind()
    DRY_RUN_VALUE = kind()
    TOO_MANY = kind(limit=int, seconds=int)


class KeyProblem(ProblemKind):
    """Of an Idempotency-Key."""

    SENT_TWICE = kind()
    UNBALANCED_QUOTE = kind()
    NOT_PRINTABLE = kind()
    REUSED = kind()
    NOT_DECRYPTED = kind()
    IN_USE = kind(seconds=int)


class ServiceProblem(ProblemKind):
    INTERNAL = kind(request_id=str)
    TOO_MANY_BODIES = kind(seconds=int)
    CONCURRENT = kind(seconds=int)
    DATABASE_UNAVAILABLE = kind(seconds=int)
    TOO_MANY_WAITING = kind(seconds=int)
    TOO_LONG = kind(seconds=int)


def headers_of(problem: Problem) -> dict[str, str]:
    """Of any response to it, as JSON or as a page."""
    if problem.kind is RequestProblem.WRONG_METHOD:
        return {"allow": ", ".join(problem.values["allowed"])}
    if problem.kind is RequestProblem.TOO_SLOW:
        return {"connection": "close"}
    return {"retry-after": str(problem.values["seconds"])} if "seconds" in problem.values else {}
