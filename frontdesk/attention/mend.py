"""Mends with one act what does not work."""

from uuid import UUID

from frontdesk.attention.queries import can_link, is_service, nothing
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import not_found

_LOCK = Lock("SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE", ())


def look_at_service(item_id: UUID) -> Look[bool]:
    lock = Lock("SELECT FROM items WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (item_id,))
    return Look(is_service(item_id), lock)


def plan_all_perform(seen: bool, item_id: UUID) -> FunctionCall:
    if not seen:
        raise not_found("service")
    return FunctionCall("let_all_perform", {"item_id": item_id})


def look_at_link(user_id: UUID, staff_id: UUID) -> Look[bool]:
    lock = Lock("SELECT FROM staff WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", (staff_id,))
    return Look(can_link(user_id, staff_id), lock)


def plan_link(seen: bool, user_id: UUID, staff_id: UUID) -> FunctionCall:
    if not seen:
        raise not_found("provider")
    return FunctionCall("link_member", {"user_id": user_id, "staff_id": staff_id})


def look_at_business() -> Look[None]:
    return Look(nothing(), _LOCK)


def plan_no_tax(_seen: None) -> FunctionCall:
    return FunctionCall("answer_no_tax", {})


def plan_retry(_seen: None) -> FunctionCall:
    return FunctionCall("retry_messages", {})


def plan_dismissal(_seen: None, step: str) -> FunctionCall:
    return FunctionCall("dismiss_setup_step", {"step": step})
