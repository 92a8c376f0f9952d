"""Dates, times, amounts and lists in the language of the reader and the time zone of the business."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from babel.dates import format_date

from frontdesk.messages.letter import Ticket, TicketService
from frontdesk.messages.types import LANGUAGES, Appointment, BookedService, Business
from frontdesk.messages.words import PHRASES
from frontdesk.values.currency_label import currency_label
from frontdesk.values.time import get_zone, to_local


class Wording:
    def __init__(self, language: str, business: Business | None, now: datetime) -> None:
        self.language = language if language in LANGUAGES else LANGUAGES[0]
        self.now = now
        self._business = business

    @property
    def business_name(self) -> str:
        return self._business.name if self._business else ""

    def phrase(self, key: str) -> str:
        return PHRASES[self.language][key]

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
        key = {0: "today", 1: "tomorrow"}.get(days, "other_day")
        return {
            "time": time,
            "day": self.format(moment, "EEE d MMM" if self.language == "en" else "EEEE d MMMM"),
            "date": day,
            "weekday": self.format(moment, "EEEE"),
            "when": self.phrase(key).format(time=time, day=day),
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
        return f"{currency} {number}" if self.language == "en" else f"{self.isolate(number)} {currency}"

    def localized(self, names: Mapping[str, str]) -> str:
        languages = (self.language, *(self._business.languages if self._business else ()))
        return next((names[code] for code in languages if names.get(code)), next(iter(names.values()), ""))

    def service(self, service: BookedService) -> str:
        name, options = self.localized(service.names), self.join([self.localized(option) for option in service.options])
        return f"{name} ({options})" if options else name

    def join(self, parts: Sequence[str]) -> str:
        return (", " if self.language == "en" else "، ").join(part for part in parts if part)

    def isolate(self, text: str) -> str:
        """What is left to right stays so inside a sentence of the other direction."""
        return text if self.language == "en" else f"\N{LEFT-TO-RIGHT ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def build_ticket(appointment: Appointment, wording: Wording) -> Ticket | None:
    start = appointment.starts_at
    if start is None:
        return None
    end = appointment.ends_at or start
    times = {"start": wording.time(start), "end": wording.time(end)}
    return Ticket(
        weekday=wording.format(start, "EEEE"),
        day=wording.format(start, "d"),
        month=wording.format(start, "MMMM"),
        date=wording.format(start, "EEEE d MMMM"),
        span=f"{times['start']}–{times['end']}" if end > start else times["start"],
        spoken_span=wording.phrase("span").format(**times) if end > start else times["start"],
        services=tuple(_ticket_services(appointment.services, wording)),
    )


def _ticket_services(services: Sequence[BookedService], wording: Wording) -> Iterator[TicketService]:
    for number, service in enumerate(services, 1):
        is_last = number == len(services) or services[number].provider != service.provider
        provider = wording.phrase("with").format(provider=service.provider) if is_last and service.provider else ""
        yield TicketService(wording.service(service), provider)
