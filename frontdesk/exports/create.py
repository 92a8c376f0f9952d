"""An API client asks for all records of some kinds, which are written in the background (`record_worker.py`)."""

from collections.abc import Mapping, Sequence

from frontdesk.auth.scopes import Scope
from frontdesk.exports.documents import ExportedResource
from frontdesk.exports.problems import ExportProblem
from frontdesk.exports.record_queries import StoredExports, count_exports
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7

MAX_OPEN = 2  # of a business, waiting or running
MAX_STORED = 20  # of a business, for a day
STORED_HOURS = 24
_LOOK_AGAIN_SECONDS = 5  # while others are under way: most take less
SCOPES: Mapping[ExportedResource, Scope] = {
    ExportedResource.SETTINGS: Scope.BRANCHES_READ,
    ExportedResource.BOOKING_PAGE: Scope.BRANCHES_READ,
    ExportedResource.MESSAGE_SETTINGS: Scope.BRANCHES_READ,
    ExportedResource.BRANCHES: Scope.BRANCHES_READ,
    ExportedResource.DRAWER_SETTINGS: Scope.BRANCHES_READ,
    ExportedResource.TAX_CLASSES: Scope.ITEMS_READ,
    ExportedResource.CATEGORIES: Scope.CATEGORIES_READ,
    ExportedResource.ITEMS: Scope.ITEMS_READ,
    ExportedResource.PACKAGES: Scope.ITEMS_READ,
    ExportedResource.STAFF: Scope.STAFF_READ,
    ExportedResource.WORKING_HOURS: Scope.STAFF_READ,  # also those of branches, as in the events
    ExportedResource.HOUR_EXCEPTIONS: Scope.STAFF_READ,  # also those of branches
    ExportedResource.CLOSED_DAYS: Scope.BRANCHES_READ,
    ExportedResource.TIME_OFF: Scope.STAFF_READ,
    ExportedResource.PAYMENT_METHODS: Scope.PAYMENT_METHODS_READ,
    ExportedResource.CUSTOMERS: Scope.CUSTOMERS_READ,
    ExportedResource.WAITING_LIST: Scope.ORDERS_READ,
    ExportedResource.ORDERS: Scope.ORDERS_READ,
    ExportedResource.TRANSACTIONS: Scope.TRANSACTIONS_READ,
}


class CreateExport(Act[StoredExports], frozen=True):
    resources: Sequence[ExportedResource]
    origin: str = ""  # of the address of the file

    def load(self) -> Query[StoredExports]:
        return count_exports()

    def decide(self, context: Context[StoredExports]) -> FunctionCall:
        if context.loaded.open >= MAX_OPEN:
            raise Problem(ExportProblem.TOO_MANY_OPEN, most=MAX_OPEN, seconds=_LOOK_AGAIN_SECONDS)
        if context.loaded.stored >= MAX_STORED:
            raise Problem(ExportProblem.TOO_MANY_STORED, most=MAX_STORED, seconds=context.loaded.room_in_seconds)
        export_id = uuid7()
        argument = {
            "id": export_id,
            "resources": [resource for resource in ExportedResource if resource in self.resources],
            "origin": self.origin,
            "max_open": MAX_OPEN,
            "max_stored": MAX_STORED,
        }
        return FunctionCall("create_export", argument, ResponseDocument("export_document", export_id))
