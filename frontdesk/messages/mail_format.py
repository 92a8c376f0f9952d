"""Dates, times, amounts and lists in the language of the reader and the time zone of the business."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from babel.dates import format_date

from frontdesk.i18n.languages import ENGLISH, LANGUAGES, is_right_to_left
from frontdesk.i18n.texts import N_, translate, translate_plural
from frontdesk.messages.composed_mail import Ticket, TicketService
from frontdesk.messages.types import Appointment, BookedService, Business
from frontdesk.values.currency_label import currency_label
from frontdesk.values.time import get_zone, to_local


class MailFormatter:
    def __init__(self, language: str, business: Business | None, now: datetime) -> None:
        self.language = language if language in LANGUAGES else ENGLISH
        self.is_right_to_left = is_right_to_left(self.language)
        self.now = now
        self._business = business

    @property
    def business_name(self) -> str:
        return self._business.name if self._business else ""

    def translate(self, text: str, /, **values: str) -> str:
        return translate(self.language, text, **values)

    def ngettext(self, one: str, several: str, number: int) -> str:
        return translate_plural(self.language, one, several, number).format(num=number)

    def local(self, moment: datetime) -> datetime:
        return to_local(moment, get_zone(self._business.timezone)) if self._business else moment.astimezone(UTC)

    def format(self, moment: datetime, pattern: str) -> str:
        return format_date(self.local(moment).date(), pattern, locale=self.language)

    def time(self, moment: datetime) -> str:
        return f"{self.local(moment):%H:%M}"

    def moment(self, moment: datetime) -> dict[str, str]:
        """The values of the placeholders about a time."""
        time, day = self.time(moment), self.format(moment, "EEEE d MMMM")
        days = (self.local(moment).date() - self.local(self.now).date()).days
        when = {0: N_("Today at {time}"), 1: N_("Tomorrow at {time}")}.get(days, N_("{day} at {time}"))
        return {
            "time": time,
            "day": self.format(moment, "EEEE d MMMM" if self.is_right_to_left else "EEE d MMM"),
            "date": day,
            "weekday": self.format(moment, "EEEE"),
            "when": self.translate(when, time=time, day=day),
        }

    def short(self, moment: datetime) -> str:
        return f"{self.format(moment, 'EEE d MMM')} {self.time(moment)}"

    def limit(self, moment: datetime) -> str:
        return self.join([self.format(moment, "EEEE d MMMM"), self.time(moment)])

    def price(self, amount: Decimal) -> str:
        if self._business is None:
            return str(amount)
        number = f"{amount:,.{self._business.decimals}f}"
        currency = currency_label(self._business.currency, self.language)
        return f"{self.isolate(number)} {currency}" if self.is_right_to_left else f"{currency} {number}"

    def localized(self, names: Mapping[str, str]) -> str:
        languages = (self.language, *(self._business.languages if self._business else ()))
        return next((names[code] for code in languages if names.get(code)), next(iter(names.values()), ""))

    def service(self, service: BookedService) -> str:
        name, options = self.localized(service.names), self.join([self.localized(option) for option in service.options])
        return f"{name} ({options})" if options else name

    def join(self, parts: Sequence[str]) -> str:
        return self.translate(N_(", ")).join(part for part in parts if part)

    def isolate(self, text: str) -> str:
        """What is left to right stays so inside a sentence of the other direction."""
        return f"\N{LEFT-TO-RIGHT ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if self.is_right_to_left else text


def build_ticket(appointment: Appointment, formatter: MailFormatter) -> Ticket | None:
    start = appointment.starts_at
    if start is None:
        return None
    end = appointment.ends_at or start
    times = {"start": formatter.time(start), "end": formatter.time(end)}
    return Ticket(
        weekday=formatter.format(start, "EEEE"),
        day=formatter.format(start, "d"),
        month=formatter.format(start, "MMMM"),
        date=formatter.format(start, "EEEE d MMMM"),
        span=f"{times['start']}–{times['end']}" if end > start else times["start"],
        spoken_span=formatter.translate(N_("{start} to {end}"), **times) if end > start else times["start"],
        services=tuple(_ticket_services(appointment.services, formatter)),
    )


def _ticket_services(services: Sequence[BookedService], formatter: MailFormatter) -> Iterator[TicketService]:
    for number, service in enumerate(services, 1):
        is_last = number == len(services) or services[number].provider != service.provider
        provider = (
            formatter.translate(N_("with {provider}"), provider=service.provider)
            if is_last and service.provider
            else ""
        )
        yield TicketService(formatter.service(service), provider)
