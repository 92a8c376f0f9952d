"""Which messages customers get, when, and in which words; and what was sent to whom."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import HOURS
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.messages.compose import compose
from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.daily_limit import count_daily_messages
from frontdesk.messages.log_queries import PAGE_SIZE, list_messages
from frontdesk.messages.mail_texts import mail_texts, placeholders_of
from frontdesk.messages.send import QueueMessage
from frontdesk.messages.settings import SetMessageTexts, SetMessageTimes, SwitchMessage, check_placeholders
from frontdesk.messages.settings_queries import NoticeSettings, find_notice_settings
from frontdesk.messages.types import (
    BIRTHDAY_KIND,
    EDITABLE_KINDS,
    SWITCHED_KINDS,
    Appointment,
    Content,
    CustomText,
    Message,
)
from frontdesk.ui.components.message_labels import KINDS, PLACEHOLDER_LABELS, state_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/settings/notices"
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_TEXT_LANGUAGES = ("en", "ar")  # of the form below
_Line = Annotated[str, Meta(max_length=200)]
_Words = Annotated[str, Meta(max_length=1000)]


class NoticeQuery(msgspec.Struct):
    kind: str = "confirmation"
    before: UUID | None = None
    show: Literal["failed"] | None = None


class TimesForm(msgspec.Struct):
    version: int
    reminder_hours: Annotated[int, Meta(ge=1, le=168, extra=HOURS)]
    quiet_from: str = ""
    quiet_until: str = ""
    for_applications: bool = False


class SwitchForm(msgspec.Struct):
    version: int
    kind: Literal["confirmation", "reminder", "change", "cancellation", "birthday"]
    on: Literal["yes", "no"]


class TextsForm(msgspec.Struct):
    version: int
    kind: Literal["confirmation", "reminder", "change", "cancellation", "waiting_list_offer", "receipt", "birthday"]
    act: Literal["save", "preview", "reset", "test"] = "save"
    subject_en: _Line = ""
    subject_ar: _Line = ""
    opening_en: _Words = ""
    opening_ar: _Words = ""
    words_en: _Words = ""
    words_ar: _Words = ""

    def by_language(self) -> dict[str, CustomText]:
        return {
            "en": CustomText(self.subject_en.strip(), self.opening_en.strip(), self.words_en.strip()),
            "ar": CustomText(self.subject_ar.strip(), self.opening_ar.strip(), self.words_ar.strip()),
        }


@pages.get(PATH, MANAGERS)
async def show_notices(context: PageContext, query: NoticeQuery | None = None) -> Response:
    return await _show(context, query or NoticeQuery(kind=context.form.value("kind")))


@pages.post(PATH, MANAGERS, on_error=show_notices)
async def submit_times(context: PageContext, form: TimesForm) -> Response:
    await context.run(SetMessageTimes(form.version, form.reminder_hours, _quiet(form), form.for_applications))
    return context.redirect(PATH, flash=N_("Saved."))


@pages.post(f"{PATH}/switch", MANAGERS, on_error=show_notices)
async def submit_switch(context: PageContext, form: SwitchForm) -> Response:
    await context.run(SwitchMessage(form.version, form.kind, is_on=form.on == "yes"))
    return context.redirect(f"{PATH}?kind={form.kind}", flash=N_("Saved."))


@pages.post(f"{PATH}/words", MANAGERS, on_error=show_notices)
async def submit_texts(context: PageContext, form: TextsForm) -> Response:
    kind = form.kind
    if form.act == "preview":
        check_placeholders(kind, form.by_language())
        return await _show(context, NoticeQuery(kind=kind), typed=form.by_language())
    texts = {} if form.act == "reset" else form.by_language()
    await context.run(SetMessageTexts(form.version, kind, texts))
    if form.act == "test":
        notices = await context.call(find_notice_settings, context.tenant_id, current_time())
        await context.run(
            QueueMessage(kind, _sample(notices, kind), context.user.email, context.user.name, context.language)
        )
    flashes = {"reset": N_("The message has our text again."), "test": N_("A message is on its way to you.")}
    return context.redirect(f"{PATH}?kind={kind}", flash=flashes.get(form.act, N_("Saved.")))


async def _show(context: PageContext, query: NoticeQuery, *, typed: Mapping[str, CustomText] | None = None) -> Response:
    """`typed`: words that are shown but not saved."""
    kind = query.kind if query.kind in EDITABLE_KINDS else EDITABLE_KINDS[0]
    now = current_time()
    async with context.connection() as conn:
        notices = await find_notice_settings(conn, context.tenant_id, now)
        listed, counts = await list_messages(
            conn, context.tenant_id, before=query.before, failed_only=query.show == "failed"
        )
        daily = await count_daily_messages(conn, context.tenant_id, context.current_tenant.plan)
    languages = sorted(_TEXT_LANGUAGES, key=lambda language: language != context.language)  # the reader's first
    own = {language: _own(context, notices, kind, language, typed) for language in languages}
    return context.render(
        "notices.html",
        settings=notices.settings,
        kind=kind,
        kinds=KINDS,
        switched=SWITCHED_KINDS,
        editable=EDITABLE_KINDS,
        own=own,
        is_saved=typed is None,
        defaults={language: mail_texts(kind, language) for language in own},
        previews=[_preview(context, notices, kind, language, own[language], now) for language in own],
        placeholders={name: PLACEHOLDER_LABELS[name] for name in placeholders_of(kind)},
        messages=listed[:PAGE_SIZE],
        older=listed[PAGE_SIZE - 1].id if len(listed) > PAGE_SIZE else None,
        query=query,
        counts=counts,
        state_of=state_of,
        has_server=context.request.resources.settings.smtp is not None,
        daily=daily,
        minutes=_minutes,
    )


def _own(
    context: PageContext, notices: NoticeSettings, kind: str, language: str, typed: Mapping[str, CustomText] | None
) -> CustomText:
    """What the form shows: what was typed, also with an error in it, else what is saved."""
    if typed:
        return typed[language]
    if "act" in context.form.values:
        fields = CustomText.__struct_fields__
        return CustomText(**{field: context.form.value(f"{field}_{language}") for field in fields})
    return notices.settings.custom_text(kind, language)


def _preview(
    context: PageContext, notices: NoticeSettings, kind: str, language: str, own: CustomText, now: datetime
) -> ComposedMail:
    settings = msgspec.structs.replace(notices.settings, texts={kind: {language: own}})
    message = Message(
        id=uuid7(),
        tenant_id=context.tenant_id,
        kind=kind,
        email="sara.o@example.com",
        name=translate(language, N_("Sara")),
        language=language,
        created_at=now,
        data={"link": "/receipts/…"} if kind == "receipt" else {},
    )
    content = Content(message, notices.business, settings, _sample(notices, kind))
    return compose(content, context.request.origin, now)


def _sample(notices: NoticeSettings, kind: str) -> Appointment | None:
    return None if kind == BIRTHDAY_KIND else notices.sample


def _quiet(form: TimesForm) -> tuple[int, int] | None:
    if not form.quiet_from and not form.quiet_until:
        return None
    found = [_TIME.fullmatch(form.quiet_from[:5]), _TIME.fullmatch(form.quiet_until[:5])]
    begin, end = (int(match[1]) * 60 + int(match[2]) if match else None for match in found)
    if begin is None or end is None:
        raise page_problem(N_("Enter both times, or none."), "quiet_until" if begin is not None else "quiet_from")
    return begin, end


def _minutes(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"
