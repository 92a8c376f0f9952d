"""The table of pages: find the page, see who asks, check the form, read it, call the handler, answer in HTML."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, get_args, get_type_hints
from urllib.parse import quote
from uuid import UUID

import msgspec

from frontdesk.errors import Code, WireError, business_suspended
from frontdesk.http.body import FORM_BODY, SIGN_IN_BODY
from frontdesk.http.decoding import decode_query
from frontdesk.http.forms import Fields, convert_form, read_form
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.http.routing import Routes, path_id
from frontdesk.ui.shell.context import PageContext, open_page
from frontdesk.ui.shell.csrf import verify_csrf
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import Access

Handler = Callable[..., Awaitable[Response]]
H = TypeVar("H", bound=Handler)


class Page(msgspec.Struct, frozen=True):
    method: str
    path: str
    audience: Access
    handler: Handler
    again: Handler | None  # shows the form again, with what was wrong with it
    params: tuple[str, ...]
    query: type[msgspec.Struct] | None
    form: type[msgspec.Struct] | None
    most_body: int  # bytes of a form, read before it is known who sent it


class Pages:
    """Collects the pages of one file."""

    def __init__(self) -> None:
        self.all: list[Page] = []

    def get(self, path: str, audience: Access) -> Callable[[H], H]:
        return self._page("GET", path, audience, None)

    def post(
        self, path: str, audience: Access, *, again: Handler | None = None, most_body: int | None = None
    ) -> Callable[[H], H]:
        usual = FORM_BODY if audience.signed_in else SIGN_IN_BODY
        return self._page("POST", path, audience, again, most_body or usual)

    def _page(
        self, method: str, path: str, audience: Access, again: Handler | None, most_body: int = 0
    ) -> Callable[[H], H]:
        def register(handler: H) -> H:
            hints = get_type_hints(handler, include_extras=True)
            names = tuple(n for n in inspect.signature(handler).parameters if n not in ("context", "query", "form"))
            query, form = (_struct(hints.get(name)) for name in ("query", "form"))
            page = Page(method, path, audience, handler, again, names, query, form, most_body)
            self.all.append(page)
            return handler

        return register


def _struct(hint: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - a type, of any form
    """A page that is also shown again without its query says that it may be None."""
    kinds = [
        kind for kind in (get_args(hint) or (hint,)) if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    ]
    return kinds[0] if kinds else None


class Dashboard:
    def __init__(self, groups: Sequence[Pages]) -> None:
        self.pages = [page for group in groups for page in group.all]
        self._routes = Routes(self.pages)

    async def handle(self, request: Request) -> Response:
        """An address that no page has is answered as a page only to whoever reads pages."""
        reads_pages = "text/html" in (request.header(b"accept") or "")
        try:
            page, values = self._routes.find(request.method, request.path)
        except WireError:
            if reads_pages:
                request.explain = (await open_page(request)).explain
            raise
        request.route = f"{page.method} {page.path}"
        request.explain = PageContext(request, {}, None).explain
        if page.method == "POST":
            await request.read_body(page.most_body)
        context = await open_page(request)
        request.explain = context.explain
        return _elsewhere(context, page) or await _respond(context, page, [path_id(value) for value in values])


def _elsewhere(context: PageContext, page: Page) -> Response | None:
    """Where somebody has to go first; whoever may not see the page at all is told so."""
    if not page.audience.signed_in:
        return None
    if context.signed_in is None:
        back = f"?next={quote(context.here, safe='/')}" if page.method == "GET" and context.here != "/" else ""
        return context.go(f"/sign-in{back}")
    desk = context.signed_in.desk
    if page.audience.roles is not None and desk is None:
        return context.go("/businesses")
    if not page.audience.admits(context.signed_in):
        raise WireError(Code.INSUFFICIENT_SCOPE, N_("Your role here does not open this page."))
    if page.audience.roles is not None and desk is not None and desk.is_suspended:
        raise business_suspended()
    return None


async def _respond(context: PageContext, page: Page, ids: Sequence[UUID]) -> Response:
    arguments: dict[str, Any] = dict(zip(page.params, ids, strict=True))
    if page.method == "GET":
        if page.query is not None:
            arguments["query"] = decode_query(_filled(context.request.scope["query_string"]), page.query)
        return await page.handler(context, **arguments)
    fields = read_form(context.request.raw_body)
    verify_csrf(context.request, fields, context.form_seed, context.form_tenant)
    return await _respond_to_form(context, page, arguments, fields)


def _filled(query: bytes) -> bytes:
    """A field of a filter that is left empty is sent all the same, and asks for nothing."""
    return b"&".join(pair for pair in query.split(b"&") if not pair.endswith(b"="))


async def _respond_to_form(context: PageContext, page: Page, ids: dict[str, Any], fields: Fields) -> Response:
    """What is refused is shown where it was asked for, with everything that was typed still there."""
    try:
        form = {"form": convert_form(fields, page.form)} if page.form is not None else {}
        return await page.handler(context, **ids, **form)
    except WireError as wrong:
        if page.again is None or wrong.status >= 500 or wrong.code is Code.NOT_FOUND:
            raise
        context.show_faults(wrong, fields)
        again = await page.again(context, **ids)
        if again.body:  # else it leads elsewhere
            again.status = wrong.status
            again.headers.update(wrong.headers)
        return again
