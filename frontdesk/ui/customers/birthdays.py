"""The list of coming birthdays."""

from datetime import date, timedelta
from typing import NamedTuple

from frontdesk.customers.birthday_queries import MAX_BIRTHDAYS, ComingBirthday, coming_birthdays
from frontdesk.http.responses import Response
from frontdesk.ui.customers.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.birthdays import age_on, days_of_year, next_birthday

pages = Pages()
_DAYS = 31


class ShownBirthday(NamedTuple):
    day: date
    age: int | None  # on that day
    customer: ComingBirthday


@pages.get(f"{PATH}/birthdays", CASHIERS)
async def show_birthdays(context: PageContext) -> Response:
    today = context.format.today
    found = await context.fetch(coming_birthdays(days_of_year(today, _DAYS)))
    shown = [_shown(customer, today) for customer in found.customers]
    return context.render(
        "birthdays.html",
        birthdays=sorted(shown, key=lambda birthday: birthday.day),
        is_whole=len(shown) < MAX_BIRTHDAYS,
        is_greeting_on=found.is_greeting_on,
        today=today,
        tomorrow=today + timedelta(days=1),
    )


def _shown(customer: ComingBirthday, today: date) -> ShownBirthday:
    day = next_birthday(customer.birthday, today)
    return ShownBirthday(day, age_on(customer.birthday, day), customer)
