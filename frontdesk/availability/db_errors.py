"""The error if the database fails during an availability check."""

from frontdesk.availability.problems import AvailabilityProblem
from frontdesk.problems import Problem


def check_failed() -> Problem:
    return Problem(AvailabilityProblem.CHECK_FAILED)
