"""Which messages a business sends to its customers, when, and in which words."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from frontdesk.apis.open.back_office.settings import SavedVersion
from frontdesk.apis.open.entered_fields import ClockTime, minute_of
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.messages.documents import PublishedMessageSettings
from frontdesk.messages.settings import ChangeMessageSettings
from frontdesk.messages.settings_queries import published_message_settings
from frontdesk.messages.types import CustomText

operations = Endpoints()

_Line = Annotated[str, Meta(max_length=200)]
_Paragraph = Annotated[str, Meta(max_length=1000)]


class OwnWordsEntry(msgspec.Struct):
    """What is empty or omitted is in the words of Frontdesk."""

    subject: _Line | None = None
    opening: _Paragraph | None = None
    words: _Paragraph | None = None


class OwnWordsByLanguage(msgspec.Struct):
    """A language that is omitted keeps its words; null gives it those of Frontdesk."""

    en: OwnWordsEntry | UnsetType | None = UNSET
    ar: OwnWordsEntry | UnsetType | None = UNSET


class WrittenMessageUpdate(msgspec.Struct):
    texts: OwnWordsByLanguage | None = None


class SwitchedMessageUpdate(WrittenMessageUpdate):
    on: bool | None = None


class MessagesUpdate(msgspec.Struct):
    confirmation: SwitchedMessageUpdate | None = None
    reminder: SwitchedMessageUpdate | None = None
    change: SwitchedMessageUpdate | None = None
    cancellation: SwitchedMessageUpdate | None = None
    birthday: SwitchedMessageUpdate | None = None
    waiting_list_offer: WrittenMessageUpdate | None = None
    receipt: WrittenMessageUpdate | None = None


class MessageSettingsUpdate(msgspec.Struct):
    """Omitted fields keep their values; null ends the quiet time."""

    reminder_hours: Annotated[int, Meta(ge=1, le=168)] | UnsetType = UNSET
    quiet_from: ClockTime | UnsetType | None = UNSET
    quiet_until: ClockTime | UnsetType | None = UNSET
    for_applications: bool | UnsetType = UNSET
    messages: MessagesUpdate | None = None
    version: SavedVersion | None = None


@operations.get("/settings/messages", scope=Scope.BRANCHES_READ, response=DataResponse[PublishedMessageSettings])
async def get_message_settings(request: Request) -> Response:
    """Retrieve which messages the business sends to its customers, when, and in which words."""
    return data_response(await request.fetch(published_message_settings()))


@operations.patch(
    "/settings/messages",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[PublishedMessageSettings],
    errors=[Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_message_settings(body: MessageSettingsUpdate) -> ChangeMessageSettings:
    """Update which messages are sent, when, and in which words; what is omitted stays.

    A message that is switched off is not sent, also where it waits already. The words of a language are replaced as a
    whole.
    """
    sent = {name: value for name, value in asdict(body).items() if value is not UNSET}
    version, messages = sent.pop("version"), sent.pop("messages")
    for name in ("quiet_from", "quiet_until"):
        if sent.get(name) is not None:
            sent[name] = minute_of(sent[name])
    named: dict[str, Any] = {kind: entry for kind, entry in asdict(messages or MessagesUpdate()).items() if entry}
    switched = {kind: entry.on for kind, entry in named.items() if getattr(entry, "on", None) is not None}
    texts = {kind: _words(entry.texts) for kind, entry in named.items() if entry.texts}
    return ChangeMessageSettings({**sent, **switched}, texts, version)


def _words(texts: OwnWordsByLanguage) -> dict[str, CustomText | None]:
    found: dict[str, OwnWordsEntry | UnsetType | None] = asdict(texts)
    return {language: _custom_text(entry) for language, entry in found.items() if entry is not UNSET}


def _custom_text(entry: OwnWordsEntry | UnsetType | None) -> CustomText | None:
    if not isinstance(entry, OwnWordsEntry):
        return None
    return CustomText(*((text or "").strip() for text in (entry.subject, entry.opening, entry.words)))
