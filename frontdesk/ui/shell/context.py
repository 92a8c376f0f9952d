"""One request for a page of the dashboard: the request, the session, the form, and the ways to respond."""

import secrets
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from urllib.parse import parse_qsl, quote, urlencode
from uuid import UUID

from markupsafe import Markup

from frontdesk.accounts.sessions import find_signed_in
from frontdesk.activity.types import ActivityEntry
from frontdesk.auth.types import CurrentTenant, Role, SessionUser, UserSession
from frontdesk.http.errors import WireError
from frontdesk.http.field_paths import SAME_FIELDS, FieldMap
from frontdesk.http.forms import Fields
from frontdesk.http.request import Request
from frontdesk.http.request_connection import RequestConnection
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import LANGUAGES, choose_language, is_right_to_left, language_name, next_language
from frontdesk.i18n.texts import translate
from frontdesk.postgres.act import Act
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, fetch
from frontdesk.postgres.write import Guard, run
from frontdesk.problems import Problem
from frontdesk.runtime.slow_work import QUERIES, SlowWork
from frontdesk.security.secrets import hash_secret
from frontdesk.ui.shell.changed_values import changed_values
from frontdesk.ui.shell.cookies import BRANCH, LANGUAGE, SESSION, THEME, THEMES, VISITOR, read_cookies, set_cookie
from frontdesk.ui.shell.csrf import CSRF_FIELD, csrf_token, verify_csrf
from frontdesk.ui.shell.flash import pop_flash, set_flash
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.navigation import Navigation
from frontdesk.ui.shell.permissions import MANAGERS, Access
from frontdesk.ui.shell.problems import PageError, page_error, problem_text
from frontdesk.ui.shell.rendering import render
from frontdesk.values.actor import Actor
from frontdesk.values.clock import follow_clock
from frontdesk.values.tenant_context import TenantContext

T = TypeVar("T")
P = ParamSpec("P")
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


def _asked_language(request: Request) -> str | None:
    """Of a link in a mail: the page is in the language of the mail."""
    return dict(parse_qsl(request.scope["query_string"].decode("latin-1"))).get("lang")


async def _find_session(request: Request, token: str) -> UserSession | None:
    token_hash = hash_secret(token)
    request.claim_turn(token_hash)
    async with request.connection() as conn:
        session = await find_signed_in(conn, token, request.address)
    current = None if session is None else session.current_tenant
    request.tenant_id = current.tenant.tenant_id if current else None
    follow_clock(current.clock_ahead if current else None)
    request.confirm_turn(token_hash, session and (current.tenant.tenant_id if current else session.user.id))
    return session


class PageContext:
    def __init__(self, request: Request, cookies: dict[str, str], session: UserSession | None) -> None:
        self.request = request
        self.session = session
        self._cookies = cookies
        chosen = session.user.language if session else cookies.get(LANGUAGE) or _asked_language(request)
        self.language = choose_language(chosen, request.header(b"accept-language"))
        self.theme = cookies.get(THEME) if cookies.get(THEME) in THEMES else None
        self.form = FormState()
        self.approval: tuple[UUID, str | None] | None = (
            None  # who allowed this act, and why; see components/approval.py
        )
        self.last_change: ActivityEntry | None = None  # of the record that an outdated form edits
        current = session.current_tenant if session else None
        self.optional_tenant_id: UUID | None = current.tenant.tenant_id if current else None
        self.format = Formatter(self.language, current.tenant if current else None)
        self.branch_id = self._chosen_branch(current.branches) if current else None  # a page may show another one

    def _chosen_branch(self, branches: list[tuple[UUID, str]]) -> UUID | None:
        """The one that was chosen in the top bar, or the first."""
        ids = [id_ for id_, _ in branches]
        return next((id_ for id_ in ids if str(id_) == self._cookies.get(BRANCH)), ids[0] if ids else None)

    @classmethod
    async def open(cls, request: Request) -> Self:
        cookies = read_cookies(request)
        token = cookies.get(SESSION)
        session = None
        if token:
            session = await _find_session(request, token)
        return cls(request, cookies, session)

    # The session. These raise on a page whose access does not require what they return.

    @property
    def user(self) -> SessionUser:
        return self._required_session.user

    @property
    def session_id(self) -> UUID:
        return self._required_session.session_id

    @property
    def actor(self) -> Actor:
        return Actor("user", self.user.id, self.request.address, *(self.approval or ()))

    @property
    def current_tenant(self) -> CurrentTenant:
        current = self._required_session.current_tenant
        if current is None:
            raise RuntimeError("this page requires no tenant: name the roles that have access")
        return current

    @property
    def tenant(self) -> TenantContext:
        return self.current_tenant.tenant

    @property
    def tenant_id(self) -> UUID:
        return self.tenant.tenant_id

    @property
    def role(self) -> Role:
        return self.current_tenant.role

    @property
    def is_manager(self) -> bool:
        return self.has_access(MANAGERS)

    def has_access(self, access: Access) -> bool:
        return access.allows(self._required_session)

    @property
    def _required_session(self) -> UserSession:
        if self.session is None:
            raise RuntimeError("this page is public: the request may have no session")
        return self.session

    # The request

    @property
    def branches(self) -> list[tuple[UUID, str]]:
        """Those that the top bar offers: none if there is one only, and to providers, who see their own diary."""
        current = self._required_session.current_tenant
        is_offered = current is not None and len(current.branches) > 1 and current.role is not Role.PROVIDER
        return current.branches if current is not None and is_offered else []

    @property
    def branch_name(self) -> str | None:
        return next((name for id_, name in self.branches if id_ == self.branch_id), None)

    def cookie(self, name: str) -> str | None:
        return self._cookies.get(name)

    def connection(self) -> RequestConnection:
        return self.request.connection()

    async def fetch(self, query: Query[T]) -> T:
        """One read of the current business. A page that reads more takes a `connection` for all of it."""
        async with self.connection() as conn:
            return await fetch(conn, self.tenant_id, query)

    async def read_late(self, query: Query[T]) -> T:
        """Of a list: it may come from a replica, and never misses what this business wrote before."""
        return await self.request.read_late(self.tenant_id, lambda conn: fetch(conn, self.tenant_id, query))

    async def call(
        self, work: Callable[Concatenate[Connection, P], Awaitable[T]], *args: P.args, **values: P.kwargs
    ) -> T:
        """Calls a function with a connection as its first argument."""
        async with self.connection() as conn:
            return await work(conn, *args, **values)

    async def run(self, act: Act[Any], guard: Guard | None = None) -> bytes:
        """Runs an act of the current business. A form that must act once only uses `submit`."""
        async with self.connection() as conn:
            return await run(conn, self.tenant, act, actor=self.actor, guard=guard)

    def slow_connection(
        self, kind: SlowWork = QUERIES, *, has_begun: bool = False
    ) -> AbstractAsyncContextManager[Connection]:
        return self.request.slow_connection(self.tenant_id, kind, has_begun=has_begun)

    @cached_property
    def current_url(self) -> str:
        query: bytes = self.request.scope["query_string"]
        return quote(self.request.path) + (f"?{query.decode('latin-1')}" if query else "")

    @property
    def other_business(self) -> str:
        """Where another business is chosen for this page."""
        here = self.current_url if self.request.method == "GET" else "/"
        return f"/businesses?{urlencode({'next': here})}" if here != "/" else "/businesses"

    @cached_property
    def csrf_secret(self) -> str:
        if self.session is not None:
            return self._cookies[SESSION]
        return self._cookies.get(VISITOR) or secrets.token_urlsafe(32)

    @cached_property
    def csrf_input(self) -> Markup:
        """The hidden field of every form."""
        token = csrf_token(self.csrf_secret, self.optional_tenant_id)
        return Markup(f'<input type="hidden" name="{CSRF_FIELD}" value="{token}">')  # noqa: S704 - our name, and a hash

    def verify_form(self, fields: Fields) -> None:
        verify_csrf(self.request, fields, self.csrf_secret, self.optional_tenant_id)

    # The response

    def render(self, template: str, status: int = 200, **values: object) -> Response:
        if self.session is None and VISITOR not in self._cookies:
            set_cookie(self.request, VISITOR, self.csrf_secret, seconds=None)
        body = render(self.language, template, {"context": self, **values})
        return Response(body.encode(), status, HEADERS, "text/html; charset=utf-8")

    @property
    def next_in_setup(self) -> str | None:
        """Where a step of the set-up leads back to, until the business is set up."""
        return "/setup" if self.is_manager and not self.current_tenant.is_set_up else None

    def redirect(self, path: str, *, flash: str | None = None) -> Response:
        """`flash` is a text marked for translation, which the next page shows once."""
        if flash is not None:
            set_flash(self.request, flash)
        return Response(b"", 303, {"location": path, "cache-control": "no-store"})

    def render_error(self, _request: Request, error: WireError) -> Response:
        response = self.render("error.html", error.status, error=error)
        response.headers.update(error.headers)
        return response

    def error(self, raised: Problem | PageError, fields: FieldMap = SAME_FIELDS) -> PageError:
        """A problem in the language of the page; `fields` has the names of its form, where they are not ours."""
        return raised if isinstance(raised, PageError) else page_error(raised, fields, self.language, self.format)

    def problem_text(self, problem: Problem | None) -> str | None:
        return None if problem is None else problem_text(problem, self.language, self.format)

    def show_errors(self, error: PageError, values: Fields) -> None:
        """Fills the form with the submitted values and the errors, before its page is rendered again."""
        self.form = FormState(values, error.errors or {"": [error.message]})

    # What templates read

    def changed_values(self, entry: ActivityEntry) -> list[tuple[str, str | None, str | None]]:
        return changed_values(entry, self.language, self.format)

    def translate(self, text: str) -> str:
        return translate(self.language, text)

    @property
    def direction(self) -> str:
        return "rtl" if is_right_to_left(self.language) else "ltr"

    @property
    def languages(self) -> list[tuple[str, str]]:
        return [(code, language_name(code)) for code in LANGUAGES]

    @property
    def other_language(self) -> tuple[str, str]:
        other = next_language(self.language)
        return other, language_name(other)

    @property
    def names_language(self) -> str | None:
        """The language to read translated names in; None if it is the tenant's first, which is not a translation."""
        return None if self.language == self.tenant.languages[0] else self.language

    @cached_property
    def navigation(self) -> Navigation:
        return Navigation(self._required_session, self.request.path, self.language)

    def pop_flash(self) -> str | None:
        message = pop_flash(self.request, self._cookies)
        return self.translate(message) if message else None
