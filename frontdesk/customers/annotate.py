"""Tags, notes and consent of a customer."""

from types import MappingProxyType
from uuid import UUID

from frontdesk.customers.change import check_not_erased
from frontdesk.customers.queries import SeenCustomer
from frontdesk.customers.types import ConsentChannel
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import OUTDATED
from frontdesk.problems import not_found
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key

_NO_NOTE = MappingProxyType({OUTDATED: lambda: not_found("note")})


def plan_tagging(seen: SeenCustomer, name: str) -> FunctionCall:
    """A tag that does not exist is created."""
    check_not_erased(seen)
    argument = {"id": seen.id, "tag_id": uuid7(), "name": name, "name_folded": search_key(name)}
    return FunctionCall("tag_customer", argument)


def plan_untagging(seen: SeenCustomer, tag_id: UUID) -> FunctionCall:
    return FunctionCall("untag_customer", {"id": seen.id, "tag_id": tag_id})


def plan_note(seen: SeenCustomer, text: str, *, is_warning: bool) -> FunctionCall:
    check_not_erased(seen)
    return FunctionCall(
        "add_customer_note", {"id": seen.id, "note_id": uuid7(), "text": text, "is_warning": is_warning}
    )


def plan_note_change(seen: SeenCustomer, note_id: UUID, *, is_warning: bool) -> FunctionCall:
    argument = {"id": seen.id, "note_id": note_id, "is_warning": is_warning}
    return FunctionCall("change_customer_note", argument, errors=_NO_NOTE)


def plan_note_deletion(seen: SeenCustomer, note_id: UUID) -> FunctionCall:
    return FunctionCall("change_customer_note", {"id": seen.id, "note_id": note_id}, errors=_NO_NOTE)


def plan_consent(seen: SeenCustomer, how: ConsentChannel) -> FunctionCall:
    check_not_erased(seen)
    return FunctionCall("change_customer_consent", {"id": seen.id, "consent_id": uuid7(), "how": how})


def plan_withdrawal(seen: SeenCustomer) -> FunctionCall:
    return FunctionCall("change_customer_consent", {"id": seen.id})
