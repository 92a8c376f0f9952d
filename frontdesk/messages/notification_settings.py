"""What a member chooses to learn of bookings."""

from uuid import UUID

from frontdesk.messages.notification_queries import NotificationSettings, get_notification_settings
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look


def look_at_notification_settings(user_id: UUID) -> Look[NotificationSettings]:
    lock = Lock("SELECT FROM memberships WHERE tenant_id = $1 AND user_id = $2 FOR NO KEY UPDATE", (user_id,))
    return Look(get_notification_settings(user_id), lock)


def plan_notification_settings(
    seen: NotificationSettings, user_id: UUID, choices: dict[str, str], *, own_only: bool
) -> FunctionCall:
    """`choices` are by way and kind, as the columns. Own bookings are those of a staff member."""
    is_own = own_only and seen.has_staff
    return FunctionCall("save_notification_settings", {**choices, "user_id": user_id, "own_only": is_own})
