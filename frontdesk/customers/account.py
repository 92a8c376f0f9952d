"""What a customer may owe for sales on account."""

from decimal import Decimal

from frontdesk.customers.change import CustomerAct, check_not_erased
from frontdesk.customers.queries import CustomerToChange
from frontdesk.postgres.act import Context, FunctionCall
from frontdesk.problems import check_version


class SetAccountLimit(CustomerAct, frozen=True):
    """None: nothing more is sold on account. What is owed stays."""

    limit: Decimal | None
    version: int

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        loaded = context.loaded
        check_version(self.version, loaded.version, loaded.id)
        check_not_erased(loaded)
        return FunctionCall("set_account_limit", {"id": loaded.id, "version": loaded.version, "limit": self.limit})
