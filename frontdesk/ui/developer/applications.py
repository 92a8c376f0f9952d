"""A developer's application: what it says of itself, asks for and brings, and its way through review."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.edit import (
    LANGUAGES,
    MOST_METHODS,
    ask_for_events,
    ask_for_scopes,
    bring_methods,
    create_application,
    describe,
    get_own_application,
)
from frontdesk.applications.queries.applications import find_developer
from frontdesk.applications.queries.reviews import find_trial, list_steps
from frontdesk.applications.signing import replace_signing_secret
from frontdesk.applications.submit import missing, submit, withdraw
from frontdesk.applications.types import About, AskedScope
from frontdesk.auth.scopes import Scope
from frontdesk.errors import invalid
from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Answer
from frontdesk.net.safe_url import MOST_URL, Refused, check_url
from frontdesk.ui.developer.labels import EVENTS, LINKS, STATUSES, STEPS, asked_groups
from frontdesk.ui.developer.pages import HOME
from frontdesk.ui.settings.scope_labels import SCOPE_GROUPS
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id
from frontdesk.webhooks.event_types import READ_SCOPE, Kind

pages = Pages()
_ONE = f"{HOME}/applications/{{application_id}}"
Link = Annotated[str, Meta(max_length=500)]
Words = Annotated[str, Meta(max_length=2000)]
Reason = Annotated[str, Meta(max_length=300)]
MethodName = Annotated[str, Meta(max_length=80)]


class NewForm(msgspec.Struct):
    id: UUID
    name: ShortText


class AboutForm(msgspec.Struct):
    name: ShortText
    description_en: Words = ""
    description_ar: Words = ""
    link_website: Link = ""
    link_support: Link = ""
    link_privacy: Link = ""
    link_setup: Link = ""


class ScopesForm(msgspec.Struct):
    """One entry a scope, in the order of the page."""

    scope: list[Scope]
    need: list[Literal["no", "optional", "required"]]
    reason: list[Reason]


class WebhookForm(msgspec.Struct):
    url: Annotated[str, Meta(max_length=MOST_URL)]
    events: list[Kind]


class MethodsForm(msgspec.Struct):
    name_en: list[MethodName]
    name_ar: list[MethodName]


@pages.get(f"{HOME}/applications/new", SIGNED_IN)
async def show_new(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        if await find_developer(conn, visit.person.id) is None:
            return visit.go(HOME)
    return visit.show("developer_new.html", id=new_id())


@pages.post(f"{HOME}/applications/new", SIGNED_IN, again=show_new)
async def make(visit: Visit, form: NewForm) -> Answer:
    async with visit.connection() as conn:
        if await find_developer(conn, visit.person.id) is None:
            return visit.go(HOME)
        await create_application(conn, visit.person.id, form.id, form.name)
    return visit.go(f"{HOME}/applications/{form.id}")


@pages.get(_ONE, SIGNED_IN)
async def show_one(visit: Visit, application_id: UUID) -> Answer:
    async with visit.connection() as conn:
        application = await get_own_application(conn, visit.person.id, application_id)
        developer = await find_developer(conn, visit.person.id)
        trial = await find_trial(conn, application_id)
        steps = await list_steps(conn, application_id)
    return visit.show(
        "developer_application.html",
        application=application,
        developer=developer,
        trial=trial,
        steps=steps,
        missing=missing(application),
        groups=asked_groups(application.scopes),
        words={"statuses": STATUSES, "steps": STEPS, "events": EVENTS, "links": LINKS},
    )


@pages.get(f"{_ONE}/about", SIGNED_IN)
async def show_about(visit: Visit, application_id: UUID) -> Answer:
    return await _show_part(visit, application_id, "developer_about.html", links=LINKS)


@pages.post(f"{_ONE}/about", SIGNED_IN, again=show_about)
async def take_about(visit: Visit, application_id: UUID, form: AboutForm) -> Answer:
    links = {name: getattr(form, f"link_{name}") for name in LINKS}
    texts = {"en": form.description_en, "ar": form.description_ar}
    about = About(form.name, _filled(texts), _filled(links))
    async with visit.connection() as conn:
        await describe(conn, visit.person.id, application_id, about)
    return _saved(visit, application_id)


@pages.get(f"{_ONE}/scopes", SIGNED_IN)
async def show_scopes(visit: Visit, application_id: UUID) -> Answer:
    return await _show_part(visit, application_id, "developer_scopes.html", groups=SCOPE_GROUPS)


@pages.post(f"{_ONE}/scopes", SIGNED_IN, again=show_scopes)
async def take_scopes(visit: Visit, application_id: UUID, form: ScopesForm) -> Answer:
    if not len(form.scope) == len(form.need) == len(form.reason):
        raise invalid({"": ["the form cannot be read: send it as application/x-www-form-urlencoded"]})
    rows = zip(form.scope, form.need, form.reason, strict=True)
    asked = [AskedScope(scope.value, reason, need == "required") for scope, need, reason in rows if need != "no"]
    async with visit.connection() as conn:
        await ask_for_scopes(conn, visit.person.id, application_id, asked)
    return _saved(visit, application_id)


@pages.get(f"{_ONE}/webhooks", SIGNED_IN)
async def show_webhooks(visit: Visit, application_id: UUID) -> Answer:
    return await _show_part(visit, application_id, "developer_webhooks.html", events=EVENTS, needed=READ_SCOPE)


@pages.post(f"{_ONE}/webhooks", SIGNED_IN, again=show_webhooks)
async def take_webhooks(visit: Visit, application_id: UUID, form: WebhookForm) -> Answer:
    if form.url:
        await _check_url(visit, form.url)
    async with visit.connection() as conn:
        await ask_for_events(conn, visit.person.id, application_id, form.url or None, form.events)
    return _saved(visit, application_id)


@pages.get(f"{_ONE}/payment-methods", SIGNED_IN)
async def show_methods(visit: Visit, application_id: UUID) -> Answer:
    return await _show_part(visit, application_id, "developer_methods.html", most=MOST_METHODS)


@pages.post(f"{_ONE}/payment-methods", SIGNED_IN, again=show_methods)
async def take_methods(visit: Visit, application_id: UUID, form: MethodsForm) -> Answer:
    if len(form.name_en) != len(form.name_ar):
        raise invalid({"": ["the form cannot be read: send it as application/x-www-form-urlencoded"]})
    pairs = (_filled(dict(zip(LANGUAGES, pair, strict=True))) for pair in zip(form.name_en, form.name_ar, strict=True))
    async with visit.connection() as conn:
        await bring_methods(conn, visit.person.id, application_id, [names for names in pairs if names])
    return _saved(visit, application_id)


@pages.get(f"{_ONE}/secret", SIGNED_IN)
async def ask_secret(visit: Visit, application_id: UUID) -> Answer:
    return await _show_part(visit, application_id, "developer_secret.html", secret=None)


@pages.post(f"{_ONE}/secret", SIGNED_IN, again=ask_secret)
async def replace(visit: Visit, application_id: UUID) -> Answer:
    async with visit.connection() as conn:
        secret = await replace_signing_secret(conn, visit.person.id, application_id, visit.call.resources.vault)
    return await _show_part(visit, application_id, "developer_secret.html", secret=secret)


@pages.post(f"{_ONE}/submit", SIGNED_IN, again=show_one)
async def hand_in(visit: Visit, application_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await submit(conn, visit.person.id, application_id)
    return visit.go(f"{HOME}/applications/{application_id}", done=mark("Handed in for review."))


@pages.post(f"{_ONE}/withdraw", SIGNED_IN, again=show_one)
async def take_back(visit: Visit, application_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await withdraw(conn, visit.person.id, application_id)
    return visit.go(f"{HOME}/applications/{application_id}", done=mark("It is a draft again."))


async def _show_part(visit: Visit, application_id: UUID, template: str, **values: Any) -> Answer:  # noqa: ANN401
    async with visit.connection() as conn:
        application = await get_own_application(conn, visit.person.id, application_id)
    return visit.show(template, application=application, **values)


def _saved(visit: Visit, application_id: UUID) -> Answer:
    return visit.go(f"{HOME}/applications/{application_id}", done=mark("Saved."))


def _filled(texts: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}


async def _check_url(visit: Visit, url: str) -> None:
    resources = visit.call.resources
    try:
        await check_url(url, resources.names.resolve, allow_private=resources.settings.webhook_allow_private)
    except Refused as refused:
        raise invalid({"url": [str(refused)]}) from refused
