"""Mends with one act what does not work."""

from uuid import UUID

from frontdesk.attention.queries import can_link, is_service
from frontdesk.postgres.act import Act, ActWithoutLoad, Context, FunctionCall
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import not_found


class LetAllPerform(Act[bool], frozen=True):
    item_id: UUID

    def load(self) -> Query[bool]:
        return is_service(self.item_id).locking(lock_row("items", self.item_id))

    def decide(self, context: Context[bool]) -> FunctionCall:
        if not context.loaded:
            raise not_found("service")
        return FunctionCall("let_all_perform", {"item_id": self.item_id})


class LinkMember(Act[bool], frozen=True):
    user_id: UUID
    staff_id: UUID

    def load(self) -> Query[bool]:
        return can_link(self.user_id, self.staff_id).locking(lock_row("staff", self.staff_id))

    def decide(self, context: Context[bool]) -> FunctionCall:
        if not context.loaded:
            raise not_found("provider")
        return FunctionCall("link_member", {"user_id": self.user_id, "staff_id": self.staff_id})


class AnswerNoTax(ActWithoutLoad, frozen=True):
    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("answer_no_tax", {})


class RetryMessages(ActWithoutLoad, frozen=True):
    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("retry_messages", {})


class DismissSetupStep(ActWithoutLoad, frozen=True):
    step: str

    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("dismiss_setup_step", {"step": self.step})
