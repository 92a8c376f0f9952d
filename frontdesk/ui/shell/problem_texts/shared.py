from collections.abc import Mapping

from frontdesk.i18n.texts import N_
from frontdesk.problems import ProblemKind, SharedProblem

SHARED_TEXTS: Mapping[ProblemKind, str] = {
    SharedProblem.NOT_FOUND: N_("The page does not exist or was removed."),
    SharedProblem.OUTDATED: N_("This was changed after you opened it. Check the values, then save again."),
    SharedProblem.SKIPPED_TIME: N_("This time does not exist on this day, because the clocks change."),
    SharedProblem.DUPLICATE: N_("This is entered twice."),
    SharedProblem.NO_PLACE: N_("Choose another place in the list."),
    SharedProblem.TOO_MANY_DECIMALS: N_("Use at most %(most)s decimals."),
}
