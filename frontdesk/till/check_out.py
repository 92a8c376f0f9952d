"""The cart of an order that exists: its lines change and its payments are taken in one act, both or neither."""

from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from frontdesk.availability.db_errors import check_failed
from frontdesk.orders.edit import EditedOrder, EditOrder, OrderEdit, is_change
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.lines import CatalogSnapshot
from frontdesk.orders.pricing import Priced, PricedLine
from frontdesk.orders.problems import TillProblem
from frontdesk.orders.types import LineType
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version
from frontdesk.till.cart import Cart, CartLine, line_discount
from frontdesk.till.queries import OrderInCart, OrderToCheckOut, order_in_cart
from frontdesk.till.sell import SALE_ERRORS, Checkout, TakePayments


class CheckOutOrder(Act[OrderInCart], frozen=True):
    """A cart that was not changed is only paid, also if another person has changed the order since, as its status."""

    order_id: UUID
    version: int  # of the order that the cart was made of
    cart: Cart
    checkout: Checkout = Checkout()

    def load(self) -> Query[OrderInCart]:
        methods = [payment.method_id for payment in self.checkout.payments]
        return order_in_cart(self._edit(self._untyped).load(), methods)

    def decide(self, context: Context[OrderInCart]) -> FunctionCall:
        loaded, checkout = context.loaded.edit, self.checkout
        edited = self.build(context)
        if checkout.shown is not None and checkout.shown != (edited.sub_total, edited.total):
            raise Problem(TillProblem.PRICES_CHANGED)
        order = loaded.order._replace(total=edited.total)
        paid = TakePayments(self.order_id, checkout).decide(
            Context(context.tenant, context.actor, OrderToCheckOut(order, context.loaded.methods))
        )
        if not is_change(loaded, edited):
            return paid
        check_version(self.version, order.version, order.id)
        argument = {"edit": edited, "payments": paid.argument}
        document = ResponseDocument("pos_order_document", order.id)
        return FunctionCall("check_out_order", argument, document, failure=check_failed, errors=SALE_ERRORS)

    def build(self, context: Context[OrderInCart]) -> EditedOrder:
        """The order as it would become; raises if it cannot."""
        loaded = context.loaded.edit
        catalog = CatalogSnapshot(loaded.inputs.context, self._edit(self._untyped).request)
        changes = [change._replace(type=catalog.type_of(change.item_id)) for change in self._untyped]
        inner = Context(context.tenant, context.actor, loaded)
        if not any(line.discount for line in self.cart.lines):
            return self._edit(changes).build(inner)
        plain = priced_order(self._edit(changes, with_discount=False).build(inner))
        decimals = context.tenant.currency_decimals
        changes = [
            change._replace(discount=line_discount(line.discount, priced, decimals))
            for change, line, priced in zip(changes, self.cart.lines, plain.lines, strict=True)
        ]
        return self._edit(changes).build(inner)

    @property
    def _untyped(self) -> list[LineChange]:
        """The types of new lines are not known before the catalog is read."""
        return [_change(line) for line in self.cart.lines]

    def _edit(self, changes: list[LineChange], *, with_discount: bool = True) -> EditOrder:
        discount = self.cart.discount if with_discount else None
        return EditOrder(self.order_id, OrderEdit(self.version, changes, discount, None))

    def failure(self) -> Callable[[], Problem]:
        return check_failed


def _change(line: CartLine) -> LineChange:
    """Its own discount is set later: a percentage needs the price."""
    return LineChange(
        line.line_id,
        LineType.PRODUCT,
        line.item_id,
        line.quantity,
        line.staff_id,
        line.option_ids,
        line.price,
        Decimal(0),
    )


def priced_order(edited: EditedOrder) -> Priced:
    lines = tuple(
        PricedLine(
            line.price,
            line.quantity,
            line.total + line.discount_amount,
            line.discount_amount,
            line.total,
            line.tax_rate,
            line.tax_amount,
        )
        for line in edited.lines
    )
    return Priced(lines, edited.sub_total, edited.discount_amount, edited.total, edited.tax_amount)
