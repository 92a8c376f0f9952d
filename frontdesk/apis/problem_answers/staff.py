"""Of staff, hours and branches, as applications change them."""

from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.problems import ProblemKind
from frontdesk.staff.problems import HoursProblem, StaffProblem
from frontdesk.tenants.problems import BranchProblem

STAFF_ANSWERS: Mapping[ProblemKind, Answer] = {
    StaffProblem.UNKNOWN_BRANCH: Answer("is not a branch of this business"),
    StaffProblem.UNKNOWN_USER: Answer("is not a member of this business"),
    StaffProblem.OTHER_SERVICES: Answer("must be services of the branch"),
    StaffProblem.SERVICES_TWICE: Answer("must not be sent with service_ids"),
    StaffProblem.UPCOMING_IN_OTHER_BRANCH: Answer("cannot change while there are coming bookings in the other branch"),
    StaffProblem.HAS_UPCOMING_BOOKINGS: Answer("The staff member has coming bookings. Move or cancel them first."),
    StaffProblem.NOT_AN_AMOUNT: Answer("must be at least 0, with no more decimals than the currency has"),
    HoursProblem.OVERLAP: Answer("{start} to {end} overlaps {other_start} to {other_end}"),
    HoursProblem.BRANCH_CLOSED: Answer("is a closed day of the branch"),
    HoursProblem.DAY_TAKEN: Answer("already has other hours"),
    HoursProblem.TOO_MANY_DAYS: Answer("must be at most {most} days later"),
    BranchProblem.NAME_TAKEN: Answer("is the name of another branch"),
    BranchProblem.SLUG_TAKEN: Answer("is used by the branch {name}"),
    BranchProblem.ONLY_ACTIVE_ONE: Answer("The only active branch stays active."),
}
