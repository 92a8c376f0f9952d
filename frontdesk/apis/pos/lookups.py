"""What a till looks up: items and customers."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.pos.branches import branch_of_query
from frontdesk.catalog.documents import Item
from frontdesk.catalog.queries import exists_category, list_items
from frontdesk.catalog.types import ItemFilter, ItemType
from frontdesk.customers.documents import CustomerDetail
from frontdesk.customers.queries import find_customer_by_email, find_customer_by_phone
from frontdesk.errors import Code, invalid
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.field_types import FilterText
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.net.email_domains import EmailError, normalize_email
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import exists_branch
from frontdesk.values.phones import international_digits
from frontdesk.values.text import search_key

operations = Endpoints()


class PosItemQuery(PageQuery, kw_only=True):
    type: ItemType | None = None
    name: FilterText | None = None
    team_id: UUID | None = None
    category_id: UUID | None = None
    sku: FilterText | None = None


class FindQuery(msgspec.Struct):
    phone: Annotated[str, Meta(max_length=255)] | None = None
    email: Annotated[str, Meta(max_length=255)] | None = None


@operations.get("/items", response=PageResponse[Item])
async def list_pos_items(request: Request, query: PosItemQuery) -> Response:
    """List services and products, optionally by branch, category or SKU."""
    filter_ = ItemFilter(
        type=query.type,
        name=search_key(query.name) if query.name else None,
        branch_id=branch_of_query(request, query.team_id),
        category_id=query.category_id,
        sku=query.sku or None,
    )
    async with request.connection() as conn:
        page = await list_items(conn, request.caller.tenant, filter_, query.request())
        if page.total == 0:
            await _require_references(conn, request, query)
    return list_response(request, query, page)


async def _require_references(conn: Connection, request: Request, query: PosItemQuery) -> None:
    """An unknown branch or category is a mistake to be told of; a page that found something proves that they exist."""
    faults, tenant_id = {}, request.caller.tenant_id
    if query.team_id is not None and not await exists_branch(conn, tenant_id, query.team_id):
        faults["team_id"] = ["is not a branch of this business"]
    if query.category_id is not None and not await exists_category(
        conn, tenant_id, query.category_id, request.caller.branch_id
    ):
        faults["category_id"] = ["is not a category of this business"]
    if faults:
        raise invalid(faults)


@operations.get("/customers/find", response=DataResponse[CustomerDetail | None], errors=[Code.VALIDATION_ERROR])
async def find_customer(request: Request, query: FindQuery) -> Response:
    """Find a customer by phone or e-mail; `data` is null if none matches."""
    if not query.phone and not query.email:
        raise invalid({"phone": ["is required unless email is sent"], "email": ["is required unless phone is sent"]})
    if query.phone and query.email:
        raise invalid(
            {"phone": ["must not be sent together with email"], "email": ["must not be sent together with phone"]}
        )
    async with request.connection() as conn:
        if query.phone:
            digits = international_digits(query.phone)
            found = None if digits is None else await find_customer_by_phone(conn, request.caller.tenant_id, digits)
        else:
            found = await find_customer_by_email(conn, request.caller.tenant_id, _spelling(query.email or ""))
    return data_response(found)


def _spelling(email: str) -> str:
    """As it would have been stored; what is no address at all belongs to nobody and may be looked for as it is."""
    try:
        return normalize_email(email)
    except EmailError:
        return email
