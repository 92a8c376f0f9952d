from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer, named
from frontdesk.http.errors import Code
from frontdesk.problems import ProblemKind, SharedProblem

SHARED_ANSWERS: Mapping[ProblemKind, Answer] = {
    SharedProblem.NOT_FOUND: Answer("No such {record}.", Code.NOT_FOUND),
    SharedProblem.OUTDATED: Answer(
        "This was changed after you read it. Read it again, then repeat the change.",
        Code.VERSION_CONFLICT,
        named("version"),
    ),
    SharedProblem.SKIPPED_TIME: Answer("does not exist because of a daylight saving time change"),
    SharedProblem.DUPLICATE: Answer("is a duplicate"),
    SharedProblem.NO_PLACE: Answer("is not another record of the same list"),
    SharedProblem.TOO_MANY_DECIMALS: Answer("must have at most {most} decimals"),
}
