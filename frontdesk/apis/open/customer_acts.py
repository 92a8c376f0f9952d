"""What the front desk does with a customer beside the record itself: tags, blocking, merging."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.customers.annotate import TagCustomer, UntagCustomer
from frontdesk.customers.change import BlockCustomer, UnblockCustomer
from frontdesk.customers.documents import CustomerDetail
from frontdesk.customers.merge import FIELDS, MarkDistinctCustomers, MergeCustomers
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse

operations = Endpoints()

_DOCUMENT = "customer_document"
MergedField = Literal["name", "phone", "email", "type", "city", "address", "tax_registration_number"]


class CustomerTag(msgspec.Struct):
    name: Annotated[str, Meta(min_length=1, max_length=50)]


class CustomerTagQuery(msgspec.Struct):
    tag_id: UUID


class CustomerBlock(msgspec.Struct):
    reason: Annotated[str, Meta(min_length=1, max_length=1000)]


class DistinctCustomer(msgspec.Struct):
    customer_id: UUID


class CustomerMerge(msgspec.Struct):
    customer_id: UUID
    take: Annotated[list[MergedField], Meta(max_length=len(FIELDS))] | None = None


@operations.post(
    "/customers/{uuid}/tags",
    scope=Scope.CUSTOMERS_WRITE,
    response=DataResponse[CustomerDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def tag_customer(uuid: UUID, body: CustomerTag) -> TagCustomer:
    """Give a customer a tag; one that does not exist is created.

    A tag that the customer has already changes nothing.
    """
    return TagCustomer(uuid, body.name, document=_DOCUMENT)


@operations.delete(
    "/customers/{uuid}/tags",
    scope=Scope.CUSTOMERS_WRITE,
    status=204,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def untag_customer(uuid: UUID, query: CustomerTagQuery) -> UntagCustomer:
    """Take a tag from a customer; the tag itself stays."""
    return UntagCustomer(uuid, query.tag_id)


@operations.post(
    "/customers/{uuid}/block",
    scope=Scope.CUSTOMERS_WRITE,
    response=DataResponse[CustomerDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def block_customer(uuid: UUID, body: CustomerBlock) -> BlockCustomer:
    """Block a customer, who then gets no new orders.

    The business sees the reason. Blocking again changes nothing.
    """
    return BlockCustomer(uuid, body.reason, document=_DOCUMENT)


@operations.post(
    "/customers/{uuid}/unblock",
    scope=Scope.CUSTOMERS_WRITE,
    response=DataResponse[CustomerDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def unblock_customer(uuid: UUID) -> UnblockCustomer:
    """End the block of a customer."""
    return UnblockCustomer(uuid, document=_DOCUMENT)


@operations.post(
    "/customers/{uuid}/merge",
    scope=Scope.CUSTOMERS_WRITE,
    fields={"other_id": "customer_id"},
    response=DataResponse[CustomerDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def merge_customers(uuid: UUID, body: CustomerMerge) -> MergeCustomers:
    """Merge another record of the same customer into this one.

    Orders, tags and everything else of the other record move, and it is deleted. This cannot be undone.
    """
    taken = None if body.take is None else frozenset[str](body.take)
    return MergeCustomers(uuid, body.customer_id, taken, document=_DOCUMENT)


@operations.post(
    "/customers/{uuid}/distinct",
    scope=Scope.CUSTOMERS_WRITE,
    fields={"other_id": "customer_id"},
    response=DataResponse[CustomerDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def mark_distinct_customers(uuid: UUID, body: DistinctCustomer) -> MarkDistinctCustomers:
    """Record that another customer who looks like this one is another person.

    The dashboard then no longer offers to merge them.
    """
    return MarkDistinctCustomers(uuid, body.customer_id, document=_DOCUMENT)
