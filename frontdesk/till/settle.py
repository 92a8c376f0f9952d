"""One payment over several orders, the oldest first: of what was bought on account, or of visits at the counter."""

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
from frontdesk.till.account_queries import account_to_settle
from frontdesk.till.together_queries import OpenOrder, OrdersToSettle, orders_to_settle
from frontdesk.values.clock import current_time
from frontdesk.values.money import highest_entry


class _OneForSeveral(Act[OrdersToSettle], frozen=True):
    """Each order gets a payment of its own, as at the till, so that the drawer, the day and the reports know it."""

    branch_id: UUID | None  # whose orders are paid
    request: PaymentRequest  # with the method; `tendered` is the cash received
    cashier: Cashier
    seen: Decimal  # what the page said can be paid

    def decide(self, context: Context[OrdersToSettle]) -> FunctionCall:
        loaded, decimals = context.loaded, context.tenant.currency_decimals
        if loaded.owed != self.seen:
            raise Problem(TillProblem.DUE_CHANGED)
        method_id = choose_method(loaded.methods, self._method_id, None)
        check_amount(self.request.amount, loaded.owed, decimals, "amount")
        self._check_given(loaded.methods[0], decimals)
        argument = {
            "currency": loaded.orders[0].currency,
            "payments": [
                {"order_id": order.id, "version": order.version, "payment": payment}
                for order, payment in self._payments(loaded.orders, method_id)
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
            yield order, build_payment(request, method_id, order.remaining, order.begins, now)
            if not left:
                return


class SettleAccount(_OneForSeveral, frozen=True, kw_only=True):
    customer_id: UUID

    def load(self) -> Query[OrdersToSettle]:
        return account_to_settle(self.customer_id, self.branch_id, self._method_id)


class PayTogether(_OneForSeveral, frozen=True, kw_only=True):
    """Orders that one person pays at the counter, of one customer or of several."""

    order_ids: tuple[UUID, ...]

    def load(self) -> Query[OrdersToSettle]:
        return orders_to_settle(self.order_ids, self.branch_id, self._method_id)
