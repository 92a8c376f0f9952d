"""What a mail says, without its form: the text, the HTML and the page of the dashboard show the same."""

import msgspec


class TicketService(msgspec.Struct, frozen=True):
    name: str  # with its options
    provider: str  # "with …"; empty where the next service has the same one


class Ticket(msgspec.Struct, frozen=True):
    weekday: str
    day: str
    month: str
    date: str  # weekday, day and month in one line
    span: str  # from and until
    spoken_span: str  # the same in words, for the text
    services: tuple[TicketService, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for service in self.services for line in (service.name, service.provider) if line)


class Fact(msgspec.Struct, frozen=True):
    label: str
    value: str  # may have several lines
    link: str | None = None
    link_label: str | None = None
    is_number: bool = False  # is written from left to right


class Button(msgspec.Struct, frozen=True):
    label: str
    url: str


class ComposedMail(msgspec.Struct, frozen=True):
    language: str
    sender: str  # the business
    accent: str
    subject: str
    preheader: str
    heading: str
    opening: str
    code: str | None = None
    ticket: Ticket | None = None
    words: str | None = None  # of the business
    facts: tuple[Fact, ...] = ()
    buttons: tuple[Button, ...] = ()
    note: str | None = None
    phone: str | None = None  # is called by a link in the note
    footer: tuple[str, ...] = ()
    stop_label: str | None = None
    stop_url: str | None = None
