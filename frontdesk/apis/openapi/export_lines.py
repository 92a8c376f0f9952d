"""The lines of the file of an export: which form the record of each resource has."""

from collections.abc import Mapping
from typing import Any

import msgspec

from frontdesk.apis.openapi.examples import Examples
from frontdesk.apis.openapi.schemas import Schema, Schemas
from frontdesk.booking_page.documents import PublishedBookingPage
from frontdesk.catalog.documents import Category, ItemDetail, Package
from frontdesk.customers.documents import CustomerDetail
from frontdesk.day_close.drawer_settings_documents import PublishedDrawerSettings
from frontdesk.exports.documents import ExportedResource
from frontdesk.messages.documents import PublishedMessageSettings
from frontdesk.orders.documents import OrderDetail, Transaction
from frontdesk.payments.documents import PaymentMethod
from frontdesk.staff.documents import ClosedDays, HourException, StaffMember, TimeOff, WorkingHour
from frontdesk.tenants.documents import Branch, PublishedSettings, TaxClass
from frontdesk.waiting_list.documents import WaitingListEntry
from frontdesk.webhooks.record_payloads import WorkingHoursUpdatedData

RECORDS: Mapping[ExportedResource, type[msgspec.Struct]] = {
    ExportedResource.SETTINGS: PublishedSettings,
    ExportedResource.BOOKING_PAGE: PublishedBookingPage,
    ExportedResource.MESSAGE_SETTINGS: PublishedMessageSettings,
    ExportedResource.BRANCHES: Branch,
    ExportedResource.DRAWER_SETTINGS: PublishedDrawerSettings,
    ExportedResource.TAX_CLASSES: TaxClass,
    ExportedResource.CATEGORIES: Category,
    ExportedResource.ITEMS: ItemDetail,
    ExportedResource.PACKAGES: Package,
    ExportedResource.STAFF: StaffMember,
    ExportedResource.WORKING_HOURS: WorkingHoursUpdatedData[WorkingHour],
    ExportedResource.HOUR_EXCEPTIONS: HourException,
    ExportedResource.CLOSED_DAYS: ClosedDays,
    ExportedResource.TIME_OFF: TimeOff,
    ExportedResource.PAYMENT_METHODS: PaymentMethod,
    ExportedResource.CUSTOMERS: CustomerDetail,
    ExportedResource.WAITING_LIST: WaitingListEntry,
    ExportedResource.ORDERS: OrderDetail,
    ExportedResource.TRANSACTIONS: Transaction,
}


def describe_line(schemas: Schemas) -> Schema:
    return {
        "description": "A line of the file of an export. `resource` says which form `record` has: that of its events.",
        "oneOf": [_line(resource, schemas.of(kind)) for resource, kind in RECORDS.items()],
    }


def _line(resource: ExportedResource, record: Schema) -> Schema:
    named = {"type": "string", "const": resource.value, "description": "What the record is."}
    properties = {"resource": named, "record": record}
    return {"type": "object", "properties": properties, "required": ["resource", "record"]}


def show_line(examples: Examples) -> Any:  # noqa: ANN401 - JSON
    return {"resource": ExportedResource.BRANCHES.value, "record": examples.of(Branch)}
