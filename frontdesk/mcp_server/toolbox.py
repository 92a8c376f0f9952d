"""All tools by name, and those that the scopes of a token allow."""

import re
from collections.abc import Iterable

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server import day, reads, writes
from frontdesk.mcp_server.tool import Tool


def _name(kind: type[Tool]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


TOOLS: dict[str, type[Tool]] = {
    _name(kind): kind
    for kind in (
        day.DayOverview,
        day.SearchAvailability,
        day.ExplainStart,
        reads.FindCustomer,
        reads.ReadCustomer,
        reads.ListOrders,
        reads.ReadOrder,
        reads.ListCatalogue,
        reads.ReadItem,
        reads.ListStaff,
        reads.ReadWorkingHours,
        reads.ListBranches,
        reads.ListPaymentMethods,
        writes.BookAppointment,
        writes.MoveAppointment,
        writes.ChangeOrderStatus,
        writes.CancelOrder,
        writes.RecordPayment,
        writes.CreateCustomer,
    )
}


def missing_scopes(kind: type[Tool], scopes: Iterable[Scope]) -> list[Scope]:
    return sorted(set(kind.scopes) - set(scopes))
