"""One request for a page for customers: whose page it is, in which language, without a session and without a cookie."""

import gzip
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Self
from urllib.parse import parse_qsl, quote, urlencode
from uuid import UUID

import msgspec

from frontdesk.booking_page.queries import find_booking_page
from frontdesk.booking_page.types import BookingPage
from frontdesk.http.errors import WireError
from frontdesk.http.forms import Fields
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import LANGUAGES, language_name
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found
from frontdesk.ui.shell.context import HEADERS, PageContext
from frontdesk.ui.shell.csrf import is_same_origin
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.permanent_redirect import PermanentRedirect
from frontdesk.ui.shell.problems import PageError, forbidden
from frontdesk.ui.shell.rendering import render
from frontdesk.values.actor import Actor, customer_online
from frontdesk.values.clock import follow_clock
from frontdesk.values.tenant_context import TenantContext

_SLUG = re.compile("[a-z0-9-]{1,60}")
_NO_FRAMES = "frame-ancestors 'none'"
_MAX_PARAMETERS = 50


class PublicContext(PageContext):
    """`open_business` must be called before anything that needs the business."""

    optional_business: BookingPage | None = None
    _shown: list[tuple[str, str]] | None = None
    _error: PageError | None = None  # of the form, until the language of the page is known

    @classmethod
    async def open(cls, request: Request) -> Self:
        return cls(request, {}, None)

    async def open_business(self, slug: str, *, must_be_open: bool = True) -> BookingPage:
        """404 if there is no such business, and if it takes no bookings, unless that does not matter."""
        slug = slug.lower()
        if not _SLUG.fullmatch(slug):
            raise not_found("page")
        page = ("page", slug)
        self.request.claim_turn(page)
        found = await self.call(find_booking_page, slug)
        if found is not None and found.clock_ahead is not None:
            follow_clock(found.clock_ahead)
            found = await self.call(find_booking_page, slug)
        self.request.confirm_turn(page, None if found is None else ("public", found.tenant_id))
        if found is None:
            raise not_found("page")
        if found.slug and found.slug != slug and self.request.method != "POST":
            raise PermanentRedirect(self._path_under(found.slug))
        self.language = self._choose_language(found.tenant.languages)
        found = msgspec.structs.replace(found, name=found.names.get(self.language, found.name))
        self.optional_business = found
        self.optional_tenant_id = found.tenant_id
        self.format = Formatter(self.language, found.tenant)
        if self._error is not None:
            self.show_errors(self.error(self._error.problem, self._error.fields), self.form.values)
        if must_be_open and not found.is_open:
            raise not_found("page")
        return found

    def _path_under(self, slug: str) -> str:
        """This page under the present name of the business. A form that was sent under an earlier one is just read."""
        _, first, _, *rest = self.request.path.split("/")
        query = self.request.scope["query_string"].decode("latin-1")
        return "/".join(["", first, slug, *map(quote, rest)]) + (f"?{query}" if query else "")

    @property
    def business(self) -> BookingPage:
        if self.optional_business is None:
            raise RuntimeError("call open_business first")
        return self.optional_business

    @property
    def tenant(self) -> TenantContext:
        return self.business.tenant

    @property
    def tenant_id(self) -> UUID:
        return self.tenant.tenant_id

    @property
    def actor(self) -> Actor:
        return customer_online(self.request.address)

    def verify_form(self, fields: Fields) -> None:
        """No session can be misused here, so it is enough that no other site sends the form."""
        if not is_same_origin(self.request):
            raise forbidden(N_("This form has expired. Reload the page and submit it again."))

    # The language

    @cached_property
    def _query(self) -> list[tuple[str, str]]:
        text = self.request.scope["query_string"].decode("latin-1")
        return parse_qsl(text)[:_MAX_PARAMETERS]

    @cached_property
    def chosen_language(self) -> str | None:
        """The one in the address. It is kept in every link, because there is no cookie."""
        return dict(self._query).get("lang")

    def _choose_language(self, offered: tuple[str, ...]) -> str:
        """The chosen one, else the first of the reader's that the business offers, else the business's first."""
        offered = tuple(code for code in offered if code in LANGUAGES) or ("en",)
        accepted = (self.request.header(b"accept-language") or "").split(",")
        wanted = [self.chosen_language, *(part.split(";")[0].strip().lower().split("-")[0] for part in accepted)]
        return next((code for code in wanted if code and code in offered), offered[0])

    def show_choice(self, query: Mapping[str, object]) -> None:
        """The page shows this choice, whether it came in the address or in a form: links to other languages keep it."""
        self._shown = [(name, str(value)) for name, value in query.items() if value is not None]

    @property
    def language_links(self) -> list[tuple[str, str, str]]:
        """The other languages of the business: code, name, and the address of this page in it."""
        others = [code for code in self.tenant.languages if code in LANGUAGES and code != self.language]
        kept = [pair for pair in self._query if pair[0] != "lang"] if self._shown is None else self._shown
        path = self.request.path if self._shown is None else f"/book/{self.business.slug}"
        return [
            (code, language_name(code), f"{path}?{urlencode([*kept, ('lang', code)], safe=',:')}") for code in others
        ]

    def link(self, path: str = "", **query: object) -> str:
        """An address of this business's pages in the language of this one; parameters that are None are left out."""
        pairs = [(name, str(value)) for name, value in query.items() if value is not None]
        if self.chosen_language == self.language:
            pairs.append(("lang", self.language))
        text = f"?{urlencode(pairs, safe=',:')}" if pairs else ""
        return f"/book/{self.business.slug}{path}{text}"

    # The response

    def render(self, template: str, status: int = 200, **values: object) -> Response:
        """Compressed here, because not every installation has a proxy that does it, and customers come with slow lines.

        No cookie and no secret of a session is in the page, which its length could give away.
        """
        body = render(self.language, template, {"context": self, "business": self.optional_business, **values}).encode()
        headers = self._headers()
        if "gzip" in (self.request.header(b"accept-encoding") or ""):
            body = gzip.compress(body, mtime=0)
            headers["content-encoding"] = "gzip"
        return Response(body, status, headers, "text/html; charset=utf-8")

    def _headers(self) -> dict[str, str]:
        """Only the sites that the business has named may show its pages in a frame."""
        headers = {**HEADERS, "cache-control": "private, no-cache", "vary": "accept-language, accept-encoding"}
        origins = self.optional_business.settings.embedding_origins if self.optional_business else ()
        if origins:
            allowed = f"frame-ancestors {' '.join(origins)}"
            headers["content-security-policy"] = HEADERS["content-security-policy"].replace(_NO_FRAMES, allowed)
            del headers["x-frame-options"]
        return headers

    def show_errors(self, error: PageError, values: Fields) -> None:
        self._error = error
        super().show_errors(error, values)

    def render_error(self, _request: Request, error: WireError) -> Response:
        response = self.render("public_error.html", error.status, error=error)
        response.headers.update(error.headers)
        response.headers["x-robots-tag"] = "noindex"
        return response
