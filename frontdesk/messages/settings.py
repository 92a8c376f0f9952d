"""Which messages a business sends, when, and in which words."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.messages.compose import unknown_placeholders
from frontdesk.messages.problems import MessageProblem
from frontdesk.messages.settings_queries import settings_to_change
from frontdesk.messages.types import EDITABLE_KINDS, ORDER_KINDS, MessageSettings, OwnText
from frontdesk.messages.words import PLACEHOLDERS
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version, raise_all

_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())


def look_at_message_settings() -> Look[MessageSettings]:
    query: Query[MessageSettings] = settings_to_change()
    return Look(query, _LOCK)


def plan_times(
    seen: MessageSettings,
    tenant_id: UUID,
    *,
    version: int,
    hours: int,
    quiet: tuple[int, int] | None,
    for_applications: bool,
) -> FunctionCall:
    if quiet and quiet[0] == quiet[1]:
        raise Problem(MessageProblem.QUIET_TIME_IS_EMPTY, "quiet_until")
    begin, end = quiet or (None, None)
    return _save(
        seen,
        msgspec.structs.replace(
            seen, reminder_hours=hours, quiet_from=begin, quiet_until=end, for_applications=for_applications
        ),
        tenant_id,
        version,
    )


def plan_switch(seen: MessageSettings, tenant_id: UUID, *, version: int, kind: str, is_on: bool) -> FunctionCall:
    if kind not in ORDER_KINDS:
        raise Problem(MessageProblem.UNKNOWN_KIND, "kind")
    return _save(seen, msgspec.structs.replace(seen, **{kind: is_on}), tenant_id, version)


def plan_texts(
    seen: MessageSettings, tenant_id: UUID, *, version: int, kind: str, texts: Mapping[str, OwnText]
) -> FunctionCall:
    """By language. An empty text means the default."""
    if kind not in EDITABLE_KINDS:
        raise Problem(MessageProblem.UNKNOWN_KIND, "kind")
    check_placeholders(texts)
    own = {language: texts[language] for language in LANGUAGES if texts.get(language, OwnText()) != OwnText()}
    others = {name: each for name, each in seen.texts.items() if name != kind}
    return _save(
        seen, msgspec.structs.replace(seen, texts={**others, **({kind: own} if own else {})}), tenant_id, version
    )


def check_placeholders(texts: Mapping[str, OwnText]) -> None:
    raise_all(
        [
            Problem(MessageProblem.UNKNOWN_PLACEHOLDER, f"{field}_{language}", typed=unknown[0][:40])
            for language, text in texts.items()
            for field, value in msgspec.structs.asdict(text).items()
            if (unknown := unknown_placeholders(value, PLACEHOLDERS))
        ]
    )


def _save(seen: MessageSettings, new: MessageSettings, tenant_id: UUID, version: int) -> FunctionCall:
    check_version(version, seen.version, tenant_id)
    return FunctionCall("save_message_settings", {**msgspec.to_builtins(new), "version": version})
