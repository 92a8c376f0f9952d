"""The error if the database fails during an availability check."""

from frontdesk.errors import Code, WireError


def check_failed() -> WireError:
    """Nothing was written, so the request can be retried."""
    return WireError(
        Code.AVAILABILITY_CHECK_FAILED,
        "Availability could not be checked. Nothing was changed. Try again.",
        headers={"retry-after": "1"},
    )
