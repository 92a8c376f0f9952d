"""Which messages a business sends, when, and in which words."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.messages.compose import unknown_placeholders
from frontdesk.messages.mail_texts import placeholders_of
from frontdesk.messages.problems import MessageProblem
from frontdesk.messages.settings_queries import settings_to_change
from frontdesk.messages.types import EDITABLE_KINDS, SWITCHED_KINDS, CustomText, MessageSettings
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import Problem, check_version, raise_all

_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())


class _SettingsAct(Act[MessageSettings], frozen=True):
    version: int  # the one that a form was filled from

    def load(self) -> Query[MessageSettings]:
        return settings_to_change().locking(_LOCK)

    def decide(self, context: Context[MessageSettings]) -> FunctionCall:
        changed = self._change(context.loaded)
        check_version(self.version, context.loaded.version, context.tenant.tenant_id)
        return FunctionCall("save_message_settings", {**msgspec.to_builtins(changed), "version": self.version})

    def _change(self, settings: MessageSettings) -> MessageSettings:
        raise NotImplementedError


class SetMessageTimes(_SettingsAct, frozen=True):
    reminder_hours: int
    quiet: tuple[int, int] | None
    for_applications: bool

    def _change(self, settings: MessageSettings) -> MessageSettings:
        if self.quiet and self.quiet[0] == self.quiet[1]:
            raise Problem(MessageProblem.QUIET_TIME_IS_EMPTY, "quiet_until")
        begin, end = self.quiet or (None, None)
        return msgspec.structs.replace(
            settings,
            reminder_hours=self.reminder_hours,
            quiet_from=begin,
            quiet_until=end,
            for_applications=self.for_applications,
        )


class SwitchMessage(_SettingsAct, frozen=True):
    kind: str
    is_on: bool

    def _change(self, settings: MessageSettings) -> MessageSettings:
        if self.kind not in SWITCHED_KINDS:
            raise Problem(MessageProblem.UNKNOWN_KIND, "kind")
        return msgspec.structs.replace(settings, **{self.kind: self.is_on})


class SetMessageTexts(_SettingsAct, frozen=True):
    kind: str
    texts: Mapping[str, CustomText]  # by language; an empty text means the default

    def _change(self, settings: MessageSettings) -> MessageSettings:
        if self.kind not in EDITABLE_KINDS:
            raise Problem(MessageProblem.UNKNOWN_KIND, "kind")
        check_placeholders(self.kind, self.texts)
        own = {code: self.texts[code] for code in LANGUAGES if self.texts.get(code, CustomText()) != CustomText()}
        others = {name: texts for name, texts in settings.texts.items() if name != self.kind}
        return msgspec.structs.replace(settings, texts={**others, **({self.kind: own} if own else {})})


class ChangeMessageSettings(Act[MessageSettings], frozen=True):
    """What is not named stays as it is."""

    changes: Mapping[str, Any]  # when what is sent, and which messages are
    texts: Mapping[str, Mapping[str, CustomText | None]]  # by kind and language; None: those of the product
    version: int | None = None

    def load(self) -> Query[MessageSettings]:
        return settings_to_change().locking(_LOCK)

    def decide(self, context: Context[MessageSettings]) -> FunctionCall:
        loaded, tenant_id = context.loaded, context.tenant.tenant_id
        check_version(self.version, loaded.version, tenant_id)
        raise_all(list(self._wrong_placeholders()))
        changed = msgspec.structs.replace(loaded, **self.changes, texts=self._texts(loaded))
        if (changed.quiet_from is None) != (changed.quiet_until is None):
            raise Problem(
                MessageProblem.QUIET_TIME_IS_HALF, "quiet_from" if changed.quiet_from is None else "quiet_until"
            )
        if changed.quiet_from is not None and changed.quiet_from == changed.quiet_until:
            raise Problem(MessageProblem.QUIET_TIME_IS_EMPTY, "quiet_until")
        response = ResponseDocument("message_settings_document", tenant_id)
        if changed == loaded:
            return FunctionCall(None, None, response)
        argument = {**msgspec.to_builtins(changed), "version": loaded.version}
        return FunctionCall("save_message_settings", argument, response)

    def _texts(self, loaded: MessageSettings) -> dict[str, dict[str, CustomText]]:
        found = {kind: dict(texts) for kind, texts in loaded.texts.items()}
        for kind, texts in self.texts.items():
            own = {**found.get(kind, {}), **texts}
            found[kind] = {language: text for language, text in own.items() if text not in (None, CustomText())}
        return {kind: texts for kind, texts in found.items() if texts}

    def _wrong_placeholders(self) -> Iterator[Problem]:
        for kind, texts in self.texts.items():
            for language, text in texts.items():
                for field, value in msgspec.structs.asdict(text or CustomText()).items():
                    for typed in unknown_placeholders(value, placeholders_of(kind))[:1]:
                        at = ("messages", kind, "texts", language, field)
                        yield Problem(MessageProblem.UNKNOWN_PLACEHOLDER, *at, typed=typed[:40])


def check_placeholders(kind: str, texts: Mapping[str, CustomText]) -> None:
    raise_all(
        [
            Problem(MessageProblem.UNKNOWN_PLACEHOLDER, f"{field}_{language}", typed=unknown[0][:40])
            for language, text in texts.items()
            for field, value in msgspec.structs.asdict(text).items()
            if (unknown := unknown_placeholders(value, placeholders_of(kind)))
        ]
    )
