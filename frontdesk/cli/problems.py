"""What a command says about a problem. Most texts are those of the pages, in English."""

from collections.abc import Mapping

from frontdesk.auth.problems import AccountProblem
from frontdesk.problems import Problem, ProblemKind, SharedProblem
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.problems import problem_text

_TEXTS: Mapping[ProblemKind, str] = {
    AccountProblem.EMAIL_NOT_VERIFIED: "This user has not verified their e-mail address yet. Create a link with "
    "`frontdesk user verify-email-link` first."
}


def problem_line(problem: Problem) -> str:
    if problem.kind is SharedProblem.NOT_FOUND:
        return f"No such {problem.values['record']}."
    text = _TEXTS.get(problem.kind) or problem_text(problem, "en", Formatter("en", None))
    return f"{'.'.join(map(str, problem.at))}: {text}" if problem.at else text
