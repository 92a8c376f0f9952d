"""Dates, times, amounts and names as text, in the language of the page and the time zone of the tenant."""

from collections.abc import Mapping
from datetime import date as calendar_day, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from unicodedata import bidirectional

from babel.dates import format_date, format_timedelta

from frontdesk.i18n.texts import N_, translate
from frontdesk.ui.shell.zone_names import zone_name
from frontdesk.values.birthdays import split_birthday
from frontdesk.values.clock import current_time, machine_time
from frontdesk.values.currency_label import currency_label
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_JUST_NOW = timedelta(seconds=45)
_RELATIVE_LIMIT = timedelta(days=6)  # older times are shown as dates


class Formatter:
    """Without a tenant, times are in UTC, and amounts and names cannot be formatted."""

    def __init__(self, language: str, tenant: TenantContext | None) -> None:
        self._language = language
        self._tenant = tenant
        self._zone = get_zone(tenant.timezone if tenant else "UTC")

    @property
    def currency(self) -> str:
        """The currency as the language writes it, for the head of a column."""
        return currency_label(self._required_tenant.currency, self._language)

    def amount(self, value: Decimal | str) -> str:
        return display_amount(value, self._required_tenant.currency_decimals)

    def price(self, value: Decimal) -> str:
        """The amount with its currency. The number is isolated, because it is left to right in Arabic too."""
        number = _isolate(self.amount(value))
        return translate(self._language, N_("%(currency)s %(amount)s")) % {"currency": self.currency, "amount": number}

    def localized(self, names: Mapping[str, str]) -> str:
        """The name in the language of the page, else in the tenant's first language that has one, else any."""
        own = names.get(self._language)
        if own:
            return own
        languages = self._required_tenant.languages
        return next((names[code] for code in languages if names.get(code)), next(iter(names.values()), ""))

    def zone(self, name: str) -> str:
        return zone_name(name, self._language)

    def local(self, moment: datetime) -> datetime:
        return to_local(moment, self._zone)

    def midnight(self, day: calendar_day) -> datetime:
        return datetime.combine(day, time.min, self._zone)

    @cached_property
    def today(self) -> calendar_day:
        """One for the whole page."""
        return self.local(current_time()).date()

    @property
    def now(self) -> str:
        """Date and time of the business. The time is isolated, because it also appears inside sentences."""
        moment = current_time()
        return f"{self.date(moment)} {_isolate(self.time(moment))}"

    def parse(self, published: str) -> datetime:
        """Reads a time as the APIs write it."""
        return datetime.fromisoformat(published)

    def time(self, moment: datetime) -> str:
        local = moment.astimezone(self._zone)
        return f"{local.hour:02}:{local.minute:02}"

    def timestamp(self, moment: datetime) -> str:
        """Date and time to the second, for logs. Isolated, because it also appears inside sentences."""
        return _isolate(f"{self.local(moment):%Y-%m-%d %H:%M:%S}")

    def date(self, moment: datetime) -> str:
        return _format_day(self.local(moment).date(), "d MMM y", self._language)

    def long_date(self, moment: datetime) -> str:
        """Weekday and date, without the year."""
        return _format_day(self.local(moment).date(), "EEEE d MMMM", self._language)

    def date_parts(self, moment: datetime) -> tuple[str, str, str]:
        """Weekday, day and month, for a date that is drawn as a ticket."""
        day = self.local(moment).date()
        weekday, month = (_format_day(day, pattern, self._language) for pattern in ("EEEE", "LLLL"))
        return weekday, str(day.day), month

    def day_and_time(self, moment: datetime) -> str:
        """Such as "Monday 16 November, 14:30". The time is isolated, because it also appears inside sentences."""
        values = {"day": self.long_date(moment), "time": _isolate(self.time(moment))}
        return translate(self._language, N_("%(day)s, %(time)s")) % values

    def days_until(self, moment: datetime) -> int:
        return (self.local(moment).date() - self.today).days

    def is_today(self, moment: datetime) -> bool:
        return self.local(moment).date() == self.today

    def short_date(self, moment: datetime) -> str:
        """ "Today", else the date; the year is shown only if it is another one."""
        return _short_date(moment.astimezone(self._zone).date(), self.today, self._language)

    def weekday(self, moment: datetime) -> str:
        return format_date(self.local(moment).date() if moment.tzinfo else moment.date(), "EEE", locale=self._language)

    def short_day(self, day: calendar_day) -> str:
        """The abbreviated weekday, and the date."""
        return _format_day(day, "EEE d MMM", self._language)

    def day(self, day: calendar_day) -> str:
        """Weekday and date; the year is shown only if it is another one."""
        pattern = "EEEE d MMMM" if day.year == self.today.year else "EEEE d MMMM y"
        return _format_day(day, pattern, self._language)

    def heading_day(self, day: calendar_day) -> str:
        """With the short weekday: the head of a page has one line for it and what is done there."""
        pattern = "EEE d MMMM" if day.year == self.today.year else "EEE d MMMM y"
        return _format_day(day, pattern, self._language)

    def plain_day(self, day: calendar_day) -> str:
        """Without the weekday; the year is shown only if it is another one."""
        pattern = "d MMMM" if day.year == self.today.year else "d MMMM y"
        return _format_day(day, pattern, self._language)

    def day_name(self, day: calendar_day) -> str:
        """For narrow columns. In Arabic without the article: seven names with it do not fit on a small phone."""
        return format_date(day, "EEE", locale=self._language).removeprefix("ال")

    def weekday_name(self, day: calendar_day) -> str:
        return _format_day(day, "EEEE", self._language)

    def days(self, first: calendar_day, last: calendar_day) -> str:
        """Such as "15 to 21 November"."""
        is_same = (first.year, first.month) == (last.year, last.month)
        year = "" if last.year == self.today.year else " y"
        dates = {
            "first": format_date(first, "d" if is_same else "d MMMM", locale=self._language),
            "last": format_date(last, f"d MMMM{year}", locale=self._language),
        }
        return translate(self._language, N_("%(first)s to %(last)s")) % dates

    def weekday_date(self, day: calendar_day) -> str:
        """The short weekday and the day of the month."""
        return format_date(day, "EEE d", locale=self._language)

    def month(self, day: calendar_day) -> str:
        return format_date(day, "LLLL y", locale=self._language)

    def month_name(self, day: calendar_day) -> str:
        """The year is shown only if it is another one."""
        pattern = "LLLL" if day.year == self.today.year else "LLLL y"
        return _format_day(day, pattern, self._language)

    def month_of_year(self, month: int) -> str:
        return _format_day(calendar_day(self.today.year, month, 1), "LLLL", self._language)

    def birthday(self, birthday: str) -> str:
        """With the year if it is known."""
        day, month, year = split_birthday(birthday)
        leap_year = 2000
        return _format_day(
            calendar_day(year or leap_year, month, day), "d MMMM y" if year else "d MMMM", self._language
        )

    def period(self, start: datetime, end: datetime) -> str:
        """Whole days as dates; otherwise with the times."""
        first, last = self.local(start), self.local(end)
        if first.time() == last.time() == time():
            last -= timedelta(days=1)
            return (
                self.day(first.date())
                if first.date() == last.date()
                else f"{self.day(first.date())} – {self.day(last.date())}"
            )
        until = self.time(end) if first.date() == last.date() else f"{self.day(last.date())} {self.time(end)}"
        return f"{self.day(first.date())} {self.time(start)} – {until}"

    def ago(self, moment: datetime | None) -> str:
        """How long ago, for recent times; the date for older ones. Of a time of the business."""
        return self._age(moment, current_time())

    def machine_ago(self, moment: datetime | None) -> str:
        """The same of a time of the machine, which a sandbox whose clock was moved is ahead of."""
        return self._age(moment, machine_time())

    def _age(self, moment: datetime | None, now: datetime) -> str:
        if moment is None:
            return translate(self._language, N_("Never"))
        age = now - moment
        if age < _JUST_NOW:
            return translate(self._language, N_("just now"))
        if age > _RELATIVE_LIMIT:
            return self.date(moment)
        return format_timedelta(-age, add_direction=True, locale=self._language)

    @property
    def _required_tenant(self) -> TenantContext:
        if self._tenant is None:
            raise RuntimeError("amounts and names need a tenant")
        return self._tenant


@lru_cache(maxsize=4096)
def _format_day(day: calendar_day, pattern: str, language: str) -> str:
    """Babel takes 50 microseconds for a date, and the dates of a list are few."""
    return format_date(day, pattern, locale=language)


def calendar_date(day: calendar_day, language: str) -> str:
    return _format_day(day, "d MMM y", language)


@lru_cache(maxsize=4096)
def _short_date(day: calendar_day, today: calendar_day, language: str) -> str:
    if day == today:
        return translate(language, N_("Today"))
    return format_date(day, "EEE d MMM" if day.year == today.year else "d MMM y", locale=language)


@lru_cache(maxsize=4096)
def display_amount(value: Decimal | str, decimals: int) -> str:
    """With thousands separators, a true minus sign, and Latin digits in both languages. Zero has no sign.

    Cached, because formatting takes a microsecond, and the prices of a list are few: as texts they are not parsed.
    """
    return f"{Decimal(value):z,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


@lru_cache(maxsize=4096)
def initials(name: str) -> str:
    """Of one script: an Arabic and a Latin letter do not stand beside each other."""
    letters = [word[0] for word in name.split()[:2]]
    return "".join(letter for letter in letters if bidirectional(letter) == bidirectional(letters[0])).upper()


def _isolate(text: str) -> str:
    return f"\N{LEFT-TO-RIGHT ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
