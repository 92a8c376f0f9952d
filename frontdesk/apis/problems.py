"""What the APIs answer to each problem of a noun."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.apis.problem_answers.auth import AUTH_ANSWERS
from frontdesk.apis.problem_answers.http import HTTP_ANSWERS
from frontdesk.apis.problem_answers.nouns import NOUN_ANSWERS
from frontdesk.apis.problem_answers.orders import ORDER_ANSWERS
from frontdesk.apis.problem_answers.shared import SHARED_ANSWERS
from frontdesk.apis.problem_answers.starts import START_ANSWERS
from frontdesk.http.errors import Code, WireError, invalid
from frontdesk.http.field_paths import SAME_FIELDS, FieldMap, field_path
from frontdesk.http.problems import headers_of
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, error_response
from frontdesk.problems import Problem, ProblemKind

ANSWERS: Mapping[ProblemKind, Answer] = {
    **SHARED_ANSWERS,
    **HTTP_ANSWERS,
    **AUTH_ANSWERS,
    **NOUN_ANSWERS,
    **ORDER_ANSWERS,
    **START_ANSWERS,
}


def answer_problem(problem: Problem, fields: FieldMap) -> WireError:
    """`fields` has the names of the endpoint, where they are not ours."""
    answer = ANSWERS[problem.kind]
    details = None if answer.details is None else _published(answer.details(problem.values))
    if answer.code is not Code.VALIDATION_ERROR:
        headers = {**answer.headers, **headers_of(problem)}
        return WireError(answer.code, answer_text(problem), details=details, headers=headers)
    errors: dict[str, list[str]] = {}
    for part in problem.all:
        errors.setdefault(field_path(part.at, fields), []).append(answer_text(part))
    return invalid(errors, details=details)


class Json:
    """Answers where no endpoint and no page is found yet."""

    def error(self, problem: Problem) -> WireError:
        return answer_problem(problem, SAME_FIELDS)

    def render_error(self, request: Request, error: WireError) -> Response:
        return error_response(error, request.request_id, request.origin)


JSON = Json()


def answer_text(problem: Problem) -> str:
    return ANSWERS[problem.kind].text.format_map({name: _said(value) for name, value in problem.values.items()})


def _said(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat(" ", timespec="minutes")
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _published(value: object) -> Any:  # noqa: ANN401 - JSON
    match value:
        case Decimal() | UUID():
            return str(value)
        case datetime():
            return value.isoformat(timespec="seconds")
        case Mapping():
            return {name: _published(entry) for name, entry in value.items()}
        case tuple() if hasattr(value, "_asdict"):
            return _published(value._asdict())
        case list():
            return [_published(entry) for entry in value]
        case _:
            return value
