"""One page being asked for: who asks, in which language, what they sent, and the ways to answer."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from urllib.parse import quote, unquote
from uuid import UUID

from babel.dates import format_date, format_timedelta

from frontdesk.auth.sessions import find_signed_in
from frontdesk.auth.types import CurrentTenant, Role, SessionUser, UserSession
from frontdesk.errors import WireError
from frontdesk.http.forms import Fields
from frontdesk.http.request import Request, RequestConnection
from frontdesk.http.responses import Response
from frontdesk.invoices.types import Language as InvoiceLanguage
from frontdesk.invoices.view import currency_label
from frontdesk.tenants.types import TenantContext
from frontdesk.ui.shell.cookies import DONE, LANGUAGE, SESSION, THEME, VISITOR, clear_cookie, read_cookies, set_cookie
from frontdesk.ui.shell.csrf import FIELD, form_token
from frontdesk.ui.shell.i18n import LANGUAGES, N_, choose_language, error_text, translations
from frontdesk.ui.shell.navigation import OPERATOR, RAIL, SETTINGS, NavItem, is_current, visible_items
from frontdesk.ui.shell.permissions import OFFICE, Access
from frontdesk.ui.shell.rendering import render, write_amount
from frontdesk.values.time import get_zone, to_local

HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_JUST_NOW = timedelta(seconds=45)
_LONG_AGO = timedelta(days=6)


async def open_page(request: Request) -> "PageContext":
    cookies = read_cookies(request)
    token = cookies.get(SESSION)
    signed_in = None
    if token:
        async with request.connection() as conn:
            signed_in = await find_signed_in(conn, token, request.address)
    return PageContext(request, cookies, signed_in)


class PageContext:
    def __init__(self, request: Request, cookies: dict[str, str], signed_in: UserSession | None) -> None:
        self.request = request
        self.signed_in = signed_in
        self.errors: dict[str, Sequence[str]] = {}  # of the form that is shown again
        self.sent: Fields = {}
        self._cookies = cookies
        chosen = signed_in.person.language if signed_in else cookies.get(LANGUAGE)
        self.language = choose_language(chosen, request.header(b"accept-language"))
        self.theme = cookies.get(THEME) if cookies.get(THEME) in ("light", "dark") else None

    # who

    @property
    def person(self) -> SessionUser:
        return self._known.person

    @property
    def desk(self) -> CurrentTenant:
        if self._known.desk is None:
            raise RuntimeError("this page needs a business: name the roles it is for")
        return self._known.desk

    @property
    def tenant(self) -> TenantContext:
        return self.desk.tenant

    @property
    def tenant_id(self) -> UUID:
        return self.tenant.tenant_id

    @property
    def role(self) -> Role:
        return self.desk.role

    @property
    def is_office(self) -> bool:
        return self.may(OFFICE)

    def may(self, audience: Access) -> bool:
        return audience.admits(self._known)

    @property
    def _known(self) -> UserSession:
        if self.signed_in is None:
            raise RuntimeError("this page is for everybody: nobody may be signed in")
        return self.signed_in

    def cookie(self, name: str) -> str | None:
        return self._cookies.get(name)

    def connection(self) -> RequestConnection:
        return self.request.connection()

    # how to answer

    def show(self, template: str, status: int = 200, **values: object) -> Response:
        if self.signed_in is None and VISITOR not in self._cookies:
            set_cookie(self.request, VISITOR, self.form_seed, seconds=None)
        body = render(self.language, template, {"context": self, **values})
        return Response(body.encode(), status, HEADERS, "text/html; charset=utf-8")

    def go(self, path: str, *, done: str | None = None) -> Response:
        """To another page, which says once what was done: a text marked for translation."""
        if done is not None:
            set_cookie(self.request, DONE, quote(done, safe=""), seconds=60)
        return Response(b"", 303, {"location": path, "cache-control": "no-store"})

    def explain(self, error: WireError) -> Response:
        response = self.show("error.html", error.status, error=error)
        response.headers.update(error.headers)
        return response

    def show_faults(self, error: WireError, sent: Fields) -> None:
        """For the form's own page, which is then shown again."""
        self.errors = dict(error.errors or {"": [error.message]})
        self.sent = sent

    def say(self, sentence: str) -> str:
        """Something that was written down below, where nobody knows of languages."""
        return error_text(self.language, sentence)

    def say_error(self, error: WireError) -> str:
        return error_text(self.language, error.message)

    # the form that is shown

    @cached_property
    def form_seed(self) -> str:
        if self.signed_in is not None:
            return self._cookies[SESSION]
        return self._cookies.get(VISITOR) or secrets.token_urlsafe(32)

    @property
    def form_tenant(self) -> UUID | None:
        desk = self.signed_in.desk if self.signed_in else None
        return desk.tenant.tenant_id if desk else None

    @property
    def form_field(self) -> tuple[str, str]:
        return FIELD, form_token(self.form_seed, self.form_tenant)

    def value(self, name: str, otherwise: object = "") -> str:
        return self.sent[name][-1] if self.sent.get(name) else "" if self.sent else str(otherwise or "")

    def is_ticked(self, name: str, value: str, *, otherwise: bool = False) -> bool:
        return value in self.sent.get(name, []) if self.sent else otherwise

    def fault(self, name: str) -> str | None:
        faults = self.errors.get(name)
        return error_text(self.language, faults[0]) if faults else None

    @property
    def first_fault(self) -> str | None:
        return next(iter(self.errors), None)

    @property
    def other_faults(self) -> list[str]:
        """What belongs to no field of the form."""
        return [error_text(self.language, fault) for fault in self.errors.get("", [])]

    # what every page shows

    @property
    def direction(self) -> str:
        return "rtl" if self.language == "ar" else "ltr"

    @property
    def other_language(self) -> tuple[str, str]:
        return next((code, name) for code, name in LANGUAGES.items() if code != self.language)

    @property
    def here(self) -> str:
        query: bytes = self.request.scope["query_string"]
        return quote(self.request.path) + (f"?{query.decode('latin-1')}" if query else "")

    @cached_property
    def rail(self) -> list[tuple[NavItem, bool]]:
        return self._marked(RAIL)

    @cached_property
    def settings(self) -> list[tuple[NavItem, bool]]:
        return self._marked(SETTINGS)

    @cached_property
    def operator(self) -> list[tuple[NavItem, bool]]:
        return self._marked(OPERATOR)

    def _marked(self, places: tuple[NavItem, ...]) -> list[tuple[NavItem, bool]]:
        return [(place, is_current(place, self.request.path)) for place in visible_items(places, self._known)]

    def take_done(self) -> str | None:
        """What the page before has done, said once."""
        done = self._cookies.get(DONE)
        if not done:
            return None
        clear_cookie(self.request, DONE)
        return self.text(unquote(done)[:200])

    @property
    def initials(self) -> str:
        return "".join(word[0] for word in self.person.name.split()[:2]).upper()

    # money

    @property
    def currency(self) -> str:
        """As the page's language writes it, for the head of a column."""
        return currency_label(self.tenant.currency, InvoiceLanguage(self.language))

    def amount(self, value: Decimal) -> str:
        return write_amount(value, self.tenant.currency_decimals)

    def price(self, value: Decimal) -> str:
        """With its currency; the number keeps its own direction."""
        number = f"\N{LEFT-TO-RIGHT ISOLATE}{self.amount(value)}\N{POP DIRECTIONAL ISOLATE}"
        return self.text(N_("%(currency)s %(amount)s")) % {"currency": self.currency, "amount": number}

    # words and times

    def named(self, names: Mapping[str, str]) -> str:
        """In the page's language, else in the business's first, else in any."""
        languages = (self.language, *self.tenant.languages)
        return next((names[code] for code in languages if names.get(code)), next(iter(names.values()), ""))

    @property
    def other_names(self) -> str | None:
        """The page's language, where records are not kept in it: the business's first is theirs."""
        return None if self.language == self.tenant.languages[0] else self.language

    def near_day(self, moment: datetime) -> str:
        """Today by its name, this year without the year."""
        day, today = self.local(moment).date(), self.local(datetime.now(UTC)).date()
        if day == today:
            return self.text(N_("Today"))
        return format_date(day, "EEE d MMM" if day.year == today.year else "d MMM y", locale=self.language)

    def text(self, key: str) -> str:
        return translations(self.language).gettext(key)

    def local(self, moment: datetime) -> datetime:
        """On the business's own clock."""
        desk = self.signed_in.desk if self.signed_in else None
        return to_local(moment, get_zone(desk.tenant.timezone if desk else "UTC"))

    def clock(self, moment: datetime) -> str:
        return f"{self.local(moment):%H:%M}"

    def read(self, published: str) -> datetime:
        """A moment in its published form."""
        return datetime.fromisoformat(published)

    def stamp(self, moment: datetime) -> str:
        """To the second, for logs; isolated, because it also stands inside sentences."""
        return f"\N{LEFT-TO-RIGHT ISOLATE}{self.local(moment):%Y-%m-%d %H:%M:%S}\N{POP DIRECTIONAL ISOLATE}"

    def day(self, moment: datetime) -> str:
        return format_date(self.local(moment).date(), "EEEE d MMMM", locale=self.language)

    def date(self, moment: datetime) -> str:
        return format_date(self.local(moment).date(), "d MMM y", locale=self.language)

    def ago(self, moment: datetime | None) -> str:
        """Near things by their distance, far ones by their date."""
        if moment is None:
            return self.text(N_("Never"))
        distance = datetime.now(UTC) - moment
        if distance < _JUST_NOW:
            return self.text(N_("just now"))
        if distance > _LONG_AGO:
            return self.date(moment)
        return format_timedelta(-distance, add_direction=True, locale=self.language)
