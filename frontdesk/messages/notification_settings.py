"""What a member chooses to learn of bookings."""

from collections.abc import Mapping
from uuid import UUID

from frontdesk.messages.notification_queries import NotificationSettings, get_notification_settings
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Lock, Query


class SaveNotificationSettings(Act[NotificationSettings], frozen=True):
    user_id: UUID
    choices: Mapping[str, str]  # by way and kind, as the columns
    own_only: bool  # own bookings are those of a staff member

    def load(self) -> Query[NotificationSettings]:
        return get_notification_settings(self.user_id).locking(
            Lock("SELECT FROM memberships WHERE tenant_id = $1 AND user_id = $2 FOR NO KEY UPDATE", (self.user_id,))
        )

    def decide(self, context: Context[NotificationSettings]) -> FunctionCall:
        is_own = self.own_only and context.loaded.has_staff
        return FunctionCall("save_notification_settings", {**self.choices, "user_id": self.user_id, "own_only": is_own})
