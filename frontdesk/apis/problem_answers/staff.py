"""Of staff, hours, branches and tax classes, as applications change them."""

from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.problems import ProblemKind
from frontdesk.staff.problems import HoursProblem, StaffProblem
from frontdesk.tenants.problems import BranchProblem, TaxClassProblem

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
    HoursProblem.ENDS_BEFORE_START: Answer("must be after start"),
    TaxClassProblem.NAME_REQUIRED: Answer("must have a text in one language"),
    TaxClassProblem.NAME_TAKEN: Answer("is the name of another tax class"),
    TaxClassProblem.WRONG_RATE: Answer("must be from 0 to 100, with at most two decimals"),
    TaxClassProblem.WRONG_DAYS: Answer("must have at least one rate, each from a day of its own"),
    TaxClassProblem.TOO_MANY: Answer("A business has at most {most} tax classes."),
    TaxClassProblem.NEEDS_A_DEFAULT: Answer("cannot be taken away; make another class the default"),
    TaxClassProblem.IS_DEFAULT: Answer("The default tax class cannot be deleted."),
    TaxClassProblem.IN_USE: Answer("Items or packages have this tax class."),
    BranchProblem.NAME_TAKEN: Answer("is the name of another branch"),
    BranchProblem.SLUG_TAKEN: Answer("is used by the branch {name}"),
    BranchProblem.ONLY_ACTIVE_ONE: Answer("The only active branch stays active."),
}
