"""Routes requests to pages: checks access, verifies the CSRF token, decodes the form and calls the handler."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args, get_type_hints
from urllib.parse import urlencode, urlsplit

import asyncpg
import msgspec

from frontdesk.activity.queries import last_change
from frontdesk.http.body import FORM_BODY, SIGN_IN_BODY
from frontdesk.http.decoding import decode_query
from frontdesk.http.errors import STATUS, Code
from frontdesk.http.field_paths import SAME_FIELDS, FieldMap
from frontdesk.http.forms import Fields, convert_form, read_form, with_empty
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.http.routing import Routes, path_id
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, SharedProblem
from frontdesk.sandbox.problems import SandboxProblem
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import SESSION
from frontdesk.ui.shell.permanent_redirect import PermanentRedirect
from frontdesk.ui.shell.permissions import Access
from frontdesk.ui.shell.problems import PageError, forbidden

Handler = Callable[..., Awaitable[Response]]
H = TypeVar("H", bound=Handler)


class Page(msgspec.Struct, frozen=True):
    method: str
    path: str
    access: Access
    handler: Handler
    on_error: Handler | None  # renders the form again with its errors
    error_params: tuple[str, ...]  # those of `params` that it takes
    params: tuple[str, ...]
    texts: frozenset[str]  # those parameters that are not ids
    query: type[msgspec.Struct] | None
    form: type[msgspec.Struct] | None
    max_body: int  # bytes; the form is read before the session is
    max_upload: int = 0  # bytes of the file, if the form has a large one
    context: type[PageContext] = PageContext
    shows_errors: bool = False  # of its query
    fields: FieldMap = SAME_FIELDS  # of the problems that the handler raises


class Pages:
    """Collects the pages of one module."""

    def __init__(self, context: type[PageContext] = PageContext) -> None:
        self.all: list[Page] = []
        self._context = context

    def get(
        self, path: str, access: Access, *, query: type[msgspec.Struct] | None = None, shows_errors: bool = False
    ) -> Callable[[H], H]:
        """`query` is decoded for the handler's parameter of that name; by default into the type of the parameter.

        `shows_errors`: the page has a form that is sent to itself, and shows what is wrong in it.
        """
        return self._page("GET", path, access, None, query=query, shows_errors=shows_errors)

    def post(
        self,
        path: str,
        access: Access,
        *,
        on_error: Handler | None = None,
        max_body: int | None = None,
        max_upload: int = 0,
        fields: FieldMap = SAME_FIELDS,
    ) -> Callable[[H], H]:
        default = FORM_BODY if access.signed_in else SIGN_IN_BODY
        return self._page("POST", path, access, on_error, max_body or default, max_upload, fields=fields)

    def _page(
        self,
        method: str,
        path: str,
        access: Access,
        on_error: Handler | None,
        max_body: int = 0,
        max_upload: int = 0,
        query: type[msgspec.Struct] | None = None,
        *,
        shows_errors: bool = False,
        fields: FieldMap = SAME_FIELDS,
    ) -> Callable[[H], H]:
        def register(handler: H) -> H:
            hints = get_type_hints(handler, include_extras=True)
            names = tuple(n for n in inspect.signature(handler).parameters if n not in ("context", "query", "form"))
            texts = frozenset(name for name in names if hints.get(name) is str)
            of_query, form = (_struct(hints.get(name)) for name in ("query", "form"))
            decoded, context = query or of_query, self._context
            page = Page(
                method,
                path,
                access,
                handler,
                on_error,
                () if on_error is None else tuple(n for n in names if n in inspect.signature(on_error).parameters),
                names,
                texts,
                decoded,
                form,
                max_body,
                max_upload,
                context,
                shows_errors,
                fields,
            )
            self.all.append(page)
            return handler

        return register


def _struct(hint: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - a type, of any form
    """The struct in `Struct | None` too: a page that is rendered again after an error gets no query."""
    types = get_args(hint) or (hint,)
    return next((kind for kind in types if isinstance(kind, type) and issubclass(kind, msgspec.Struct)), None)


class Dashboard:
    def __init__(self, groups: Sequence[Pages]) -> None:
        self.pages = [page for group in groups for page in group.all]
        self._routes = Routes(self.pages)

    async def handle(self, request: Request) -> Response:
        """An unknown path is answered with an HTML page only if the client accepts HTML."""
        accepts_html = "text/html" in (request.header(b"accept") or "")
        try:
            page, values = self._routes.find(request.method, request.path)
        except Problem:
            if accepts_html:
                shown = await PageContext.open(request)
                request.page = lambda: shown
            raise
        request.route = f"{page.method} {page.path}"
        request.page = lambda: page.context(request, {}, None)
        if page.method == "POST" and not page.max_upload:
            await request.read_body(page.max_body)
        context = await page.context.open(request)
        request.page = lambda: context
        try:
            return _check_access(context, page) or await _respond(context, page, values)
        except PermanentRedirect as redirect:
            return redirect.respond()
        except Problem as problem:
            raise context.error(problem, page.fields) from problem


def _check_access(context: PageContext, page: Page) -> Response | None:
    """Redirects a user who must sign in or choose a tenant first; raises if they have no access."""
    if not page.access.signed_in:
        return None
    if context.session is None:
        return context.redirect(_sign_in_path(context, page))
    if context.session.lacks_second_factor and (page.access.operator or page.access.roles is not None):
        return context.redirect("/settings/account/second-factor")
    if page.access.recent and not context.session.is_recent:
        return context.redirect(
            f"/settings/account/confirm?{urlencode({'next': _asked_page(context, page)}, safe='/')}"
        )
    current = context.session.current_tenant
    if page.access.roles is not None and current is None:
        return context.redirect(_without_business(context, page))
    if not page.access.allows(context.session):
        if page.access.in_sandbox and current is not None and not current.is_sandbox:
            raise Problem(SandboxProblem.NOT_A_SANDBOX)
        raise forbidden(N_("Your role does not give you access to this page."))
    if page.access.roles is not None and current is not None and current.is_suspended:
        raise Problem(BusinessProblem.SUSPENDED)
    return None


def _sign_in_path(context: PageContext, page: Page) -> str:
    """Leads back to the page, or to the page of the form that was sent."""
    back = _asked_page(context, page)
    query = {"next": back} if back != "/" else {}
    if context.cookie(SESSION):
        query["ended"] = "yes"
    return f"/sign-in?{urlencode(query, safe='/')}" if query else "/sign-in"


def _asked_page(context: PageContext, page: Page) -> str:
    return context.current_url if page.method == "GET" else _referring_page(context)


def _referring_page(context: PageContext) -> str:
    sent = urlsplit(context.request.header(b"referer") or "")
    return f"{sent.path}?{sent.query}" if sent.query else sent.path or "/"


def _without_business(context: PageContext, page: Page) -> str:
    """Where a user goes who has no current business. From there it leads back to the page."""
    session = context.session
    if session is not None and session.user.is_operator and session.tenant_count == 0:
        return "/operator"
    return context.other_business if page.method == "GET" else "/businesses"


async def _respond(context: PageContext, page: Page, values: Sequence[str]) -> Response:
    arguments: dict[str, Any] = {
        name: value if name in page.texts else path_id(value) for name, value in zip(page.params, values, strict=True)
    }
    if page.method == "GET":
        if page.query is not None:
            arguments["query"] = _read_query(context, page, page.query)
        response = await page.handler(context, **arguments)
        if page.shows_errors and context.form.errors and response.body:
            response.status = STATUS[Code.VALIDATION_ERROR]
        return response
    if page.max_upload:
        fields: Fields = await _receive_upload(context, page)
    else:
        fields = read_form(context.request.raw_body)
    context.verify_form(fields)
    return await _respond_to_form(context, page, arguments, fields)


async def _receive_upload(context: PageContext, page: Page) -> Fields:
    """A large file takes time, so the session is looked up again: it may have ended meanwhile."""
    upload = await context.request.read_upload(context.tenant_id, page.max_upload)
    again = await PageContext.open(context.request)
    if again.session is None or _check_access(again, page) is not None:
        raise forbidden(N_("Your session has ended. Sign in again."))
    return upload.fields


def _read_query(context: PageContext, page: Page, kind: type[msgspec.Struct]) -> msgspec.Struct:
    """As the page itself writes it; otherwise as people type numbers into the fields of a form."""
    raw = without_empty(context.request.scope["query_string"])
    try:
        return decode_query(raw, kind)
    except Problem as problem:
        if not all(part.at for part in problem.all):
            raise
        return _read_typed_query(context, page, kind, read_form(raw))


def _read_typed_query(context: PageContext, page: Page, kind: type[msgspec.Struct], fields: Fields) -> msgspec.Struct:
    try:
        return convert_form(fields, kind)
    except Problem as problem:
        error = context.error(problem)
        if not page.shows_errors or not error.errors:
            raise error from problem
        context.show_errors(error, fields)
        return convert_form({name: values for name, values in fields.items() if name not in error.errors}, kind)


def without_empty(query: bytes) -> bytes:
    """Browsers send the empty fields of a filter too."""
    return b"&".join(pair for pair in query.split(b"&") if not pair.endswith(b"="))


async def _respond_to_form(context: PageContext, page: Page, ids: dict[str, Any], fields: Fields) -> Response:
    """After an error the form is shown again with the submitted values."""
    try:
        if page.form is None:
            return await page.handler(context, **ids)
        return await page.handler(context, **ids, form=await _read_form(context, page, page.form, ids, fields))
    except (Problem, PageError) as raised:
        error = context.error(raised, page.fields)
        if page.on_error is None or error.status >= 500 or error.code is Code.NOT_FOUND:
            raise error from raised
        context.show_errors(error, fields)
        if isinstance(raised, Problem) and raised.kind is SharedProblem.OUTDATED:
            async with context.connection() as conn:
                tenant_id = raised.values["tenant_id"] or context.tenant_id
                context.last_change = await fetch(conn, tenant_id, last_change(raised.values["subject_id"]))
        response = await page.on_error(context, **{name: ids[name] for name in page.error_params})
        if response.body:  # not a redirect
            response.status = error.status
            response.headers.update(error.headers)
        return response


async def _read_form(
    context: PageContext, page: Page, kind: type[msgspec.Struct], ids: dict[str, Any], fields: Fields
) -> msgspec.Struct:
    """Of a form with wrong fields all errors are raised at once, also those that only the handler finds."""
    try:
        return convert_form(fields, kind)
    except Problem as problem:  # its fields have the names of the form
        error = context.error(problem)
        if page.on_error is None or not page.access.signed_in or page.max_upload or not error.errors:
            raise error from problem
        further = await _further_errors(context, page, kind, ids, with_empty(fields, error.errors))
        raise PageError(problem, SAME_FIELDS, error.message, {**further, **error.errors}) from problem


async def _further_errors(
    context: PageContext, page: Page, kind: type[msgspec.Struct], ids: dict[str, Any], fields: Fields
) -> Mapping[str, Sequence[str]]:
    """Of the fields that are right. The handler runs with connections on which the database refuses to write.

    It takes and returns them as ever: none is held while it asks the DNS or waits for anything else.
    """
    cookies = list(context.request.cookies)
    context.request.reads_only = True
    try:
        await page.handler(context, **ids, form=convert_form(fields, kind))
    except Problem as raised:
        return context.error(raised, page.fields).errors or {}
    except asyncpg.PostgresError:
        return {}  # nothing else is wrong: it would have been saved
    finally:
        context.request.reads_only = False
        context.request.cookies[:] = cookies
    return {}
