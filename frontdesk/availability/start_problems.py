from datetime import date, datetime
from uuid import UUID

from frontdesk.availability.explained_facts import OrderCustomer
from frontdesk.problems import ProblemKind, kind


class StartProblem(ProblemKind):
    """Why a provider is not offered at a start. Times are local ones; `hours` are pairs of them.

    Texts that are None were not given, or the one who asks may not read them.
    """

    # Whatever the provider does
    NOT_FOR_SALE = kind()
    CLOCK_CHANGE = kind()  # no clock shows this time on this day
    PAST = kind()
    TOO_SOON = kind(notice=int, earliest=datetime)  # hours
    TOO_FAR = kind(last_day=date)
    # The provider
    NOT_PERFORMED = kind()
    INACTIVE = kind()
    OTHER_BRANCH = kind()
    BRANCH_INACTIVE = kind()
    # The hours
    CLOSED_DAY = kind(day=date, note=str | None)
    OTHER_HOURS = kind(day=date, hours=list, note=str | None)
    OUTSIDE_OPENING_HOURS = kind(day=date, hours=list)
    OUTSIDE_OWN_HOURS = kind(day=date, hours=list)
    CROSSES_CLOSING = kind(closes=datetime, minutes=int)
    TOO_LONG = kind(minutes=int, most=int)
    # What else the provider has then
    TIME_OFF = kind(start=datetime, end=datetime, note=str | None)
    EXTERNAL_CALENDAR = kind(start=datetime, end=datetime)
    BOOKED = kind(
        start=datetime,
        end=datetime,
        order_id=UUID | None,
        order_number=int | None,
        customer=OrderCustomer | None,
    )
    BUFFER = kind(
        start=datetime,
        end=datetime,
        minutes=int,  # by which the two are too near to each other
        order_id=UUID | None,
        order_number=int | None,
        customer=OrderCustomer | None,
    )
    HELD = kind(start=datetime, end=datetime, until=datetime | None)
    BUSY = kind()  # it is not known with what: it changed meanwhile
    # The start
    OFF_GRID = kind(minutes=int, nearest=list)
    NOBODY_FOLLOWS = kind(line=int, start=datetime)  # of the service after it; `line` counts from 0
