"""A developer's application: listing, scopes, webhook, payment methods, and review."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.edit import (
    LANGUAGES,
    MAX_METHODS,
    MAX_REDIRECTS,
    create_application,
    get_developer_application,
    set_payment_methods,
    set_redirects,
    set_scopes,
    set_webhook,
    update_listing,
)
from frontdesk.applications.queries.applications import find_developer
from frontdesk.applications.queries.reviews import find_sandbox_usage, list_review_actions
from frontdesk.applications.signing import rotate_signing_secret
from frontdesk.applications.submit import submission_problems, submit, withdraw
from frontdesk.applications.types import Listing, RequestedScope
from frontdesk.auth.credentials import format_application_id
from frontdesk.auth.scopes import Scope
from frontdesk.http.app_state import check_outbound_url
from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.net.safe_url import MAX_URL_LENGTH
from frontdesk.ui.components.application_labels import (
    DASHBOARD_LINKS,
    EVENTS,
    LINKS,
    STATUSES,
    STEPS,
    requested_scope_groups,
)
from frontdesk.ui.developer.pages import HOME
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.shell.scope_labels import SCOPE_GROUPS
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import READ_SCOPES, EventType

pages = Pages()
_APPLICATION = f"{HOME}/applications/{{application_id}}"
Link = Annotated[str, Meta(max_length=500)]
Labels = Annotated[str, Meta(max_length=2000)]
Reason = Annotated[str, Meta(max_length=300)]
MethodName = Annotated[str, Meta(max_length=80)]


class NewApplicationForm(msgspec.Struct):
    id: UUID
    name: ShortText


class ListingForm(msgspec.Struct):
    name: ShortText
    description_en: Labels = ""
    description_ar: Labels = ""
    link_website: Link = ""
    link_support: Link = ""
    link_privacy: Link = ""
    link_setup: Link = ""
    link_settings: Link = ""
    link_order_panel: Link = ""
    link_customer_panel: Link = ""


class ScopesForm(msgspec.Struct):
    """One entry per scope, in the order of the page."""

    scope: list[Scope]
    need: list[Literal["no", "optional", "required"]]
    reason: list[Reason]


class WebhookForm(msgspec.Struct):
    url: Annotated[str, Meta(max_length=MAX_URL_LENGTH)]
    events: list[EventType]


class MethodsForm(msgspec.Struct):
    name_en: list[MethodName]
    name_ar: list[MethodName]


class RedirectsForm(msgspec.Struct):
    addresses: Annotated[str, Meta(max_length=5000)] = ""


@pages.get(f"{HOME}/applications/new", SIGNED_IN)
async def show_new_application(context: PageContext) -> Response:
    async with context.connection() as conn:
        if await find_developer(conn, context.user.id) is None:
            return context.redirect(HOME)
    return context.render("developer_new.html", id=uuid7())


@pages.post(f"{HOME}/applications/new", SIGNED_IN, on_error=show_new_application)
async def submit_application(context: PageContext, form: NewApplicationForm) -> Response:
    async with context.connection() as conn:
        if await find_developer(conn, context.user.id) is None:
            return context.redirect(HOME)
        await create_application(conn, context.user.id, form.id, form.name)
    return context.redirect(f"{HOME}/applications/{form.id}")


@pages.get(_APPLICATION, SIGNED_IN)
async def show_application(context: PageContext, application_id: UUID) -> Response:
    async with context.connection() as conn:
        application = await get_developer_application(conn, context.user.id, application_id)
        developer = await find_developer(conn, context.user.id)
        sandbox_usage = await find_sandbox_usage(conn, application_id)
        steps = await list_review_actions(conn, application_id)
    return context.render(
        "developer_application.html",
        application=application,
        developer=developer,
        sandbox_usage=sandbox_usage,
        steps=steps,
        missing=submission_problems(application),
        groups=requested_scope_groups(application.scopes),
        public_id=format_application_id(application_id),
        labels={"statuses": STATUSES, "steps": STEPS, "events": EVENTS, "links": LINKS | DASHBOARD_LINKS},
    )


@pages.get(f"{_APPLICATION}/about", SIGNED_IN)
async def show_listing(context: PageContext, application_id: UUID) -> Response:
    return await _show_section(
        context, application_id, "developer_about.html", links=LINKS, dashboard_links=DASHBOARD_LINKS
    )


@pages.post(f"{_APPLICATION}/about", SIGNED_IN, on_error=show_listing)
async def submit_listing(context: PageContext, application_id: UUID, form: ListingForm) -> Response:
    links = {name: getattr(form, f"link_{name}") for name in (*LINKS, *DASHBOARD_LINKS)}
    texts = {"en": form.description_en, "ar": form.description_ar}
    listing = Listing(form.name, _without_empty(texts), _without_empty(links))
    await context.call(update_listing, context.user.id, application_id, listing)
    return _saved(context, application_id)


@pages.get(f"{_APPLICATION}/scopes", SIGNED_IN)
async def show_scopes(context: PageContext, application_id: UUID) -> Response:
    return await _show_section(context, application_id, "developer_scopes.html", groups=SCOPE_GROUPS)


@pages.post(f"{_APPLICATION}/scopes", SIGNED_IN, on_error=show_scopes)
async def submit_scopes(context: PageContext, application_id: UUID, form: ScopesForm) -> Response:
    if not len(form.scope) == len(form.need) == len(form.reason):
        raise page_problem(N_("The rows of the form do not match. Reload the page."))
    rows = zip(form.scope, form.need, form.reason, strict=True)
    requested = [
        RequestedScope(scope.value, reason, need == "required") for scope, need, reason in rows if need != "no"
    ]
    await context.call(set_scopes, context.user.id, application_id, requested)
    return _saved(context, application_id)


@pages.get(f"{_APPLICATION}/webhooks", SIGNED_IN)
async def show_webhooks(context: PageContext, application_id: UUID) -> Response:
    return await _show_section(context, application_id, "developer_webhooks.html", events=EVENTS, needed=READ_SCOPES)


@pages.post(f"{_APPLICATION}/webhooks", SIGNED_IN, on_error=show_webhooks)
async def submit_webhooks(context: PageContext, application_id: UUID, form: WebhookForm) -> Response:
    if form.url:
        await check_outbound_url(context.request.resources, form.url)
    await context.call(set_webhook, context.user.id, application_id, form.url or None, form.events)
    return _saved(context, application_id)


@pages.get(f"{_APPLICATION}/payment-methods", SIGNED_IN)
async def show_methods(context: PageContext, application_id: UUID) -> Response:
    return await _show_section(context, application_id, "developer_methods.html", max_methods=MAX_METHODS)


@pages.post(f"{_APPLICATION}/payment-methods", SIGNED_IN, on_error=show_methods)
async def submit_methods(context: PageContext, application_id: UUID, form: MethodsForm) -> Response:
    if len(form.name_en) != len(form.name_ar):
        raise page_problem(N_("The rows of the form do not match. Reload the page."))
    pairs = (
        _without_empty(dict(zip(LANGUAGES, pair, strict=True))) for pair in zip(form.name_en, form.name_ar, strict=True)
    )
    await context.call(set_payment_methods, context.user.id, application_id, [names for names in pairs if names])
    return _saved(context, application_id)


@pages.get(f"{_APPLICATION}/redirects", SIGNED_IN)
async def show_redirects(context: PageContext, application_id: UUID) -> Response:
    return await _show_section(
        context,
        application_id,
        "developer_redirects.html",
        max_redirects=MAX_REDIRECTS,
        public_id=format_application_id(application_id),
    )


@pages.post(f"{_APPLICATION}/redirects", SIGNED_IN, on_error=show_redirects)
async def submit_redirects(context: PageContext, application_id: UUID, form: RedirectsForm) -> Response:
    await context.call(set_redirects, context.user.id, application_id, form.addresses.split())
    return _saved(context, application_id)


@pages.get(f"{_APPLICATION}/secret", SIGNED_IN)
async def confirm_secret(context: PageContext, application_id: UUID) -> Response:
    return await _show_section(context, application_id, "developer_secret.html", secret=None)


@pages.post(f"{_APPLICATION}/secret", SIGNED_IN, on_error=confirm_secret)
async def submit_secret(context: PageContext, application_id: UUID) -> Response:
    secret = await context.call(
        rotate_signing_secret, context.user.id, application_id, context.request.resources.secret_box
    )
    return await _show_section(context, application_id, "developer_secret.html", secret=secret)


@pages.post(f"{_APPLICATION}/submit", SIGNED_IN, on_error=show_application)
async def submit_for_review(context: PageContext, application_id: UUID) -> Response:
    await context.call(submit, context.user.id, application_id)
    return context.redirect(f"{HOME}/applications/{application_id}", flash=N_("Submitted for review."))


@pages.post(f"{_APPLICATION}/withdraw", SIGNED_IN, on_error=show_application)
async def submit_withdrawal(context: PageContext, application_id: UUID) -> Response:
    await context.call(withdraw, context.user.id, application_id)
    return context.redirect(f"{HOME}/applications/{application_id}", flash=N_("It is a draft again."))


async def _show_section(context: PageContext, application_id: UUID, template: str, **values: Any) -> Response:  # noqa: ANN401
    application = await context.call(get_developer_application, context.user.id, application_id)
    return context.render(template, application=application, **values)


def _saved(context: PageContext, application_id: UUID) -> Response:
    return context.redirect(f"{HOME}/applications/{application_id}", flash=N_("Saved."))


def _without_empty(texts: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}
