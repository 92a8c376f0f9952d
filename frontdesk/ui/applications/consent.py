"""An application sends a business here: the business approves or refuses it, and returns to it with a code."""

from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode, urlsplit
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.authorization import (
    MAX_REQUEST,
    AuthorizationError,
    AuthorizationRequest,
    find_problem,
    offered_scopes,
    read_request,
)
from frontdesk.applications.authorize import Approval, authorize
from frontdesk.applications.change_scopes import get_install
from frontdesk.applications.queries.applications import find_installable
from frontdesk.applications.queries.vitals import Vitals, list_vitals
from frontdesk.applications.redirects import origin_of, with_parameters
from frontdesk.applications.types import Install, InstallableApplication, RequestedScope
from frontdesk.auth.credentials import parse_application_id
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.applications.pages import Version
from frontdesk.ui.components.application_labels import EVENTS, LINKS, requested_scope_groups
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/oauth/authorize"
_UNREADABLE = AuthorizationError(
    "invalid_request", N_("The address has a parameter twice, is too long, or is not in UTF-8.")
)
_UNKNOWN = AuthorizationError(
    "invalid_client",
    N_("No application that this business can install has this client_id. Drafts are for their developer’s sandbox."),
)
_NO_ADDRESS = AuthorizationError(
    "invalid_request",
    N_("redirect_uri must be exactly one of the redirect addresses of the version that this business can install."),
)
# Descriptions of frontdesk/applications/authorization.py, listed here for translation.
PROBLEMS = (
    N_("response_type is required."),
    N_("response_type must be code."),
    N_("response_mode must be query."),
    N_("state is required."),
    N_("code_challenge_method must be S256."),
    N_("code_challenge must be a SHA-256 hash in base64url without padding."),
    N_("scope has a scope that the application does not request on its page."),
)


class ConsentForm(msgspec.Struct):
    request: Annotated[str, Meta(max_length=MAX_REQUEST)]  # the query string of the page
    id: UUID
    version: Version
    decision: Literal["approve", "refuse"]
    scopes: list[str]


class Rejected(NamedTuple):
    problem: AuthorizationError
    detail: str = ""
    back: str = ""  # only if the redirect address is one of the application


class Consent(NamedTuple):
    """A request that is right, and what the page shows of it."""

    query: str
    request: AuthorizationRequest
    offer: InstallableApplication
    install: Install | None
    scopes: list[RequestedScope]
    vitals: Vitals | None
    businesses: str  # the page on which another business can be chosen

    @property
    def host(self) -> str:
        return urlsplit(self.request.redirect_uri).netloc

    @property
    def approved(self) -> list[str]:
        return self.install.scopes if self.install else []

    @property
    def added(self) -> list[str]:
        """New since the business approved it."""
        return [scope.scope for scope in self.scopes if scope.scope not in self.approved] if self.install else []


@pages.get(PATH, MANAGERS)
async def show_consent(context: PageContext) -> Response:
    query = context.form.value("request", context.request.scope["query_string"].decode("latin-1"))
    asked = await _read(context, query)
    if isinstance(asked, Rejected):
        return _show_problem(context, query, asked)
    response = context.render(
        "application_consent.html",
        consent=asked,
        offer=asked.offer,
        vitals=asked.vitals,
        id=uuid7(),
        groups=requested_scope_groups(asked.scopes),
        events=EVENTS,
        links=LINKS,
        rate=context.request.resources.settings.rate_limit,
    )
    # Browsers apply the policy of forms to the redirect that follows one.
    policy = response.headers["content-security-policy"]
    origin = origin_of(asked.request.redirect_uri)
    response.headers["content-security-policy"] = policy.replace("form-action 'self'", f"form-action 'self' {origin}")
    return response


@pages.post(PATH, MANAGERS, on_error=show_consent)
async def submit_consent(context: PageContext, form: ConsentForm) -> Response:
    asked = await _read(context, form.request)
    if isinstance(asked, Rejected):
        return _show_problem(context, form.request, asked)
    if form.decision == "refuse":
        refused = {"error": "access_denied", "error_description": "The business did not approve the application."}
        return _leave(_answer(context, asked.request, refused))
    approval = Approval(form.id, asked.offer.application.id, form.scopes, form.version)
    code = await context.call(authorize, context.tenant, asked.request, approval, context.actor)
    return _leave(_answer(context, asked.request, {"code": code}))


async def _read(context: PageContext, query: str) -> Consent | Rejected:
    """Nothing leads to the redirect address before it is known to belong to the application."""
    request = read_request(query)
    if request is None:
        return Rejected(_UNREADABLE)
    application_id = parse_application_id(request.client_id)
    if application_id is None:
        return Rejected(_UNKNOWN, request.client_id)
    async with context.connection() as conn:
        offer = await find_installable(conn, context.tenant_id, application_id)
        if offer is None:
            return Rejected(_UNKNOWN, request.client_id)
        application = offer.application
        if request.redirect_uri not in application.redirect_uris:
            return Rejected(_NO_ADDRESS, request.redirect_uri)
        problem = find_problem(request, application.scopes)
        if problem is not None:
            said = {"error": problem.error, "error_description": problem.description}
            return Rejected(problem, "", _answer(context, request, said))
        install = await get_install(conn, context.tenant_id, offer.install_id) if offer.install_id else None
        vitals = (await list_vitals(conn, [application_id])).get(application_id)
    approved = install.scopes if install else []
    scopes = offered_scopes(request, application.scopes, approved)
    return Consent(query, request, offer, install, scopes, vitals, _businesses(query))


def _answer(context: PageContext, request: AuthorizationRequest, parameters: dict[str, str]) -> str:
    """With the issuer (RFC 9207), so that an application of several services knows which one answers."""
    state = {"state": request.state} if request.state else {}
    return with_parameters(request.redirect_uri, {**parameters, **state, "iss": context.request.origin})


def _leave(address: str) -> Response:
    headers = {"location": address, "cache-control": "no-store", "referrer-policy": "no-referrer"}
    return Response(b"", 303, headers)


def _show_problem(context: PageContext, query: str, rejected: Rejected) -> Response:
    """Also for a request whose redirect address is right: a link leads there, so a user sees where they go."""
    return context.render("consent_error.html", 400, businesses=_businesses(query), **rejected._asdict())


def _businesses(query: str) -> str:
    return f"/businesses?{urlencode({'next': f'{PATH}?{query}'})}"
