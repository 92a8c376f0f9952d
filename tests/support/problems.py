from frontdesk.apis.problems import ANSWERS
from frontdesk.http.errors import STATUS
from frontdesk.problems import Problem


def code_of(problem: Problem) -> str:
    """The code that the APIs answer, or the name of a problem that only the pages have."""
    answer = ANSWERS.get(problem.kind)
    return answer.code.value if answer else problem.kind.name.lower()


def status_of(problem: Problem) -> int:
    answer = ANSWERS.get(problem.kind)
    return STATUS[answer.code] if answer else 422
