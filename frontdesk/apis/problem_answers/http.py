from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer, Values
from frontdesk.http.errors import Code
from frontdesk.http.problems import BodyProblem, KeyProblem, RequestProblem, ServiceProblem, ValueProblem
from frontdesk.net.problems import UrlProblem
from frontdesk.problems import ProblemKind


def _rate(values: Values) -> Values:
    return {"limit": values["limit"], "retry_after": values["seconds"]}


HTTP_ANSWERS: Mapping[ProblemKind, Answer] = {
    ValueProblem.REQUIRED: Answer("is required"),
    ValueProblem.REQUIRED_BY_OTHER_NAME: Answer("is required; only other operations call it {sent}"),
    ValueProblem.EMPTY: Answer("must not be empty"),
    ValueProblem.UNSTORABLE: Answer("must not contain NUL or unpaired surrogates"),
    ValueProblem.TOO_SHORT: Answer("must have at least {least} characters"),
    ValueProblem.TOO_LONG: Answer("must have at most {most} characters"),
    ValueProblem.NO_ENTRY: Answer("must have at least 1 entry"),
    ValueProblem.TOO_FEW_ENTRIES: Answer("must have at least {least} entries"),
    ValueProblem.TOO_MANY_ENTRIES: Answer("must have at most {most} entries"),
    ValueProblem.NOT_OBJECT: Answer("must be an object"),
    ValueProblem.NOT_LIST: Answer("must be a list"),
    ValueProblem.NOT_TEXT: Answer("must be a string"),
    ValueProblem.NOT_BOOLEAN: Answer("must be true or false"),
    ValueProblem.NOT_INTEGER: Answer("must be an integer"),
    ValueProblem.BELOW: Answer("must be at least {least}"),
    ValueProblem.ABOVE: Answer("must be at most {most}"),
    ValueProblem.NOT_BETWEEN: Answer("must be between {least} and {most}"),
    ValueProblem.NOT_UUID: Answer("must be a UUID"),
    ValueProblem.NOT_ONE_OF: Answer("must be one of {choices}"),
    ValueProblem.NOT_THE_ONLY: Answer("must be {choice}"),
    ValueProblem.NOT_NUMBER: Answer("must be a number"),
    ValueProblem.TOO_MANY_DIGITS: Answer("must have at most {digits} digits before the decimal point"),
    ValueProblem.NOT_AMOUNT: Answer("must be a decimal string such as 12.50"),
    ValueProblem.NOT_PERCENTAGE: Answer("must be a percentage such as 15"),
    ValueProblem.NOT_DIGITS: Answer("must be {count} digits"),
    ValueProblem.NOT_COUNTRY: Answer("must be a two-letter country code"),
    ValueProblem.NOT_DATE: Answer("must be a date in the format YYYY-MM-DD"),
    ValueProblem.NO_SUCH_DATE: Answer("is not a valid date"),
    ValueProblem.NOT_MOMENT: Answer(
        "must be a date and time in the format YYYY-MM-DDTHH:MM:SS, with or without an offset"
    ),
    ValueProblem.NO_SUCH_MOMENT: Answer("is not a valid date and time"),
    ValueProblem.OUTSIDE_YEARS: Answer("must be between {first} and {last}"),
    ValueProblem.AFTER: Answer("must not be after {other}"),
    ValueProblem.NO_MATCH: Answer("must match {pattern}"),
    ValueProblem.NOT_POSITION: Answer("is not where a page ended: take it from links.next"),
    ValueProblem.INVALID: Answer("is not valid"),
    UrlProblem.TOO_LONG: Answer("must have at most {most} characters"),
    UrlProblem.UNSENDABLE: Answer("must not contain spaces, backslashes or control characters"),
    UrlProblem.NOT_A_URL: Answer("is not a valid URL"),
    UrlProblem.OTHER_SCHEME: Answer("must begin with https:// or http://"),
    UrlProblem.HAS_CREDENTIALS: Answer("must not contain a user name or password"),
    UrlProblem.HAS_FRAGMENT: Answer("must not contain a fragment"),
    UrlProblem.WRONG_IPV6: Answer("has an invalid IPv6 address"),
    UrlProblem.WRONG_HOST: Answer("has an invalid host name"),
    UrlProblem.WRONG_IPV4: Answer("has an IPv4 address that is not in dotted decimal form"),
    UrlProblem.WRONG_PORT: Answer("must use port 80, 443, or 1024 and above"),
    UrlProblem.WRONG_PATH: Answer("has a path with characters that must be percent-encoded"),
    UrlProblem.PRIVATE_HOST: Answer("has a host on a private network"),
    UrlProblem.MULTICAST_HOST: Answer("has a host with a multicast address"),
    BodyProblem.EMPTY: Answer("the body is empty; send a JSON object"),
    BodyProblem.TOO_MANY_VALUES: Answer("the body has more than {most} values"),
    BodyProblem.NOT_OBJECT: Answer("the body must be a JSON object"),
    BodyProblem.TOO_DEEP: Answer("the body is nested too deeply"),
    BodyProblem.TOO_LARGE_NUMBER: Answer("the body has a number that is too large"),
    BodyProblem.NOT_UTF8: Answer("the body is not JSON: it is not UTF-8"),
    BodyProblem.NOT_JSON: Answer("the body is not JSON: {reason}"),
    BodyProblem.OTHER_TYPE: Answer("{reason}"),
    BodyProblem.OUT_OF_RANGE: Answer("a value is out of range"),
    BodyProblem.MALFORMED_FORM: Answer("the form is malformed; send it as application/x-www-form-urlencoded"),
    BodyProblem.MALFORMED_PARTS: Answer("the form is malformed; send it as multipart/form-data"),
    BodyProblem.QUERY_NOT_ENCODED: Answer("the query string must be percent-encoded UTF-8"),
    BodyProblem.TOO_MANY_PARAMETERS: Answer("the query has more than {most} parameters"),
    RequestProblem.WRONG_METHOD: Answer("This path supports only {allowed}.", Code.METHOD_NOT_ALLOWED),
    RequestProblem.TOO_LARGE: Answer("The request body is larger than {most} bytes.", Code.PAYLOAD_TOO_LARGE),
    RequestProblem.TOO_SLOW: Answer("The request body was not received in time.", Code.REQUEST_TIMEOUT),
    RequestProblem.REMOVED: Answer("This operation was removed on {day}.", Code.GONE),
    RequestProblem.REPLACED: Answer("This operation was removed on {day}. Use {successor} instead.", Code.GONE),
    RequestProblem.DRY_RUN: Answer("is not supported by this operation; nothing was done"),
    RequestProblem.DRY_RUN_VALUE: Answer("must be true or false; nothing was done"),
    RequestProblem.TOO_MANY: Answer(
        "Rate limit of {limit} requests per minute exceeded. Try again in {seconds} s.",
        Code.RATE_LIMIT_EXCEEDED,
        _rate,
    ),
    KeyProblem.SENT_TWICE: Answer("must be sent once"),
    KeyProblem.UNBALANCED_QUOTE: Answer("has an unbalanced quote"),
    KeyProblem.NOT_PRINTABLE: Answer("must be 1 to 255 printable ASCII characters"),
    KeyProblem.REUSED: Answer(
        "This Idempotency-Key was used for a different request. Use a new key for a new request.",
        Code.IDEMPOTENCY_KEY_REUSED,
    ),
    KeyProblem.NOT_DECRYPTED: Answer(
        "The stored response cannot be decrypted because the encryption key has changed. Use a new Idempotency-Key.",
        Code.IDEMPOTENCY_KEY_REUSED,
    ),
    KeyProblem.IN_USE: Answer(
        "A request with this Idempotency-Key is still in progress. Try again shortly.", Code.IDEMPOTENCY_KEY_IN_USE
    ),
    ServiceProblem.INTERNAL: Answer("Internal error. Request id: {request_id}.", Code.INTERNAL_ERROR),
    ServiceProblem.TOO_MANY_BODIES: Answer(
        "The service is receiving too many large requests. Try again shortly.", Code.SERVICE_UNAVAILABLE
    ),
    ServiceProblem.CONCURRENT: Answer(
        "The request waited too long for a concurrent one. Nothing was changed. Try again.",
        Code.TEMPORARILY_UNAVAILABLE,
    ),
    ServiceProblem.DATABASE_UNAVAILABLE: Answer(
        "The database is unavailable. Try again shortly.", Code.SERVICE_UNAVAILABLE
    ),
    ServiceProblem.TOO_MANY_WAITING: Answer(
        "Too many requests of this business are waiting. Nothing was changed. Try again in a second.",
        Code.SERVICE_UNAVAILABLE,
    ),
    ServiceProblem.TOO_LONG: Answer("The request took too long. Try again shortly.", Code.SERVICE_UNAVAILABLE),
}
