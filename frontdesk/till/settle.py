"""A customer pays what was bought on account: one payment over several orders, the oldest first."""

from collections.abc import Iterator
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.new_order import Payment
from frontdesk.orders.pay import build_payment, check_amount, check_tendered
from frontdesk.orders.problems import TillProblem
from frontdesk.orders.types import Cashier, PaymentRequest
from frontdesk.payments.resolve import choose_method
from frontdesk.payments.types import MethodInfo
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.till.account_queries import AccountToSettle, OpenOrder, account_to_settle
from frontdesk.values.clock import current_time
from frontdesk.values.money import highest_entry


class SettleAccount(Act[AccountToSettle], frozen=True):
    """Each order gets a payment of its own, as at the till, so that the drawer, the day and the reports know it."""

    customer_id: UUID
    branch_id: UUID | None  # whose orders are paid
    request: PaymentRequest  # with the method; `tendered` is the cash received
    cashier: Cashier
    seen: Decimal  # what the page said can be paid

    def load(self) -> Query[AccountToSettle]:
        return account_to_settle(self.customer_id, self.branch_id, self._method_id)

    def decide(self, context: Context[AccountToSettle]) -> FunctionCall:
        account, decimals = context.loaded, context.tenant.currency_decimals
        if account.owed != self.seen:
            raise Problem(TillProblem.DUE_CHANGED)
        method_id = choose_method(account.methods, self._method_id, None)
        check_amount(self.request.amount, account.owed, decimals, "amount")
        self._check_given(account.methods[0], decimals)
        argument = {
            "customer_id": self.customer_id,
            "currency": account.orders[0].currency,
            "payments": [
                {"order_id": order.id, "version": order.version, "payment": payment}
                for order, payment in self._payments(account.orders, method_id)
            ],
            "cashier": self.cashier.name,
            "cashier_code": self.cashier.code,
        }
        return FunctionCall("settle_account", argument)

    def _check_given(self, method: MethodInfo, decimals: int) -> None:
        if self.request.tendered is None:
            return
        if method.type != "cash":
            raise Problem(TillProblem.GIVEN_WITHOUT_CASH, "given")
        if self.request.tendered > highest_entry(decimals):
            raise Problem(TillProblem.TOO_HIGH, "given", most=highest_entry(decimals))
        check_tendered(self.request, decimals, "given")

    @property
    def _method_id(self) -> UUID:
        if self.request.method_id is None:
            raise Problem(TillProblem.NO_PAYMENT, "method")
        return self.request.method_id

    def _payments(self, orders: list[OpenOrder], method_id: UUID) -> Iterator[tuple[OpenOrder, Payment]]:
        """The last one holds the change."""
        left, now = self.request.amount, current_time()
        change = None if self.request.tendered is None else self.request.tendered - left
        for order in orders:
            part = min(left, order.remaining)
            left -= part
            tendered = None if change is None else part if left else part + change
            request = self.request._replace(amount=part, tendered=tendered)
            yield order, build_payment(request, method_id, order.remaining, None, now)
            if not left:
                return
