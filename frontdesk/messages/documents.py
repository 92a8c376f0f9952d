"""The published form of the settings of messages, which the database function message_settings_document builds."""

import msgspec

from frontdesk.values.api_types import TimeOfDay


class OwnWords(msgspec.Struct):
    """What is empty is in the words of Frontdesk."""

    subject: str
    opening: str
    words: str


class WrittenMessage(msgspec.Struct):
    """A message that is sent whenever it has a reason."""

    texts: dict[str, OwnWords]  # by language


class SwitchedMessage(msgspec.Struct):
    """A message that a business switches on and off."""

    on: bool
    texts: dict[str, OwnWords]  # by language


class MessagesOfBusiness(msgspec.Struct):
    confirmation: SwitchedMessage
    reminder: SwitchedMessage
    change: SwitchedMessage
    cancellation: SwitchedMessage
    birthday: SwitchedMessage
    waiting_list_offer: WrittenMessage
    receipt: WrittenMessage


class PublishedMessageSettings(msgspec.Struct):
    version: int  # 0: nothing was saved
    reminder_hours: int
    quiet_from: TimeOfDay | None
    quiet_until: TimeOfDay | None
    for_applications: bool
    messages: MessagesOfBusiness
