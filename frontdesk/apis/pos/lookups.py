"""Items and customers in the POS API."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.pos.branches import branch_of_query
from frontdesk.apis.references import require_known
from frontdesk.catalog.documents import Item
from frontdesk.catalog.queries import list_items
from frontdesk.catalog.types import ItemFilter, ItemType
from frontdesk.customers.documents import CustomerDetail
from frontdesk.customers.queries import find_customer_by_email, find_customer_by_phone
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code, invalid
from frontdesk.http.field_types import FilterText
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.net.email_domains import EmailError, normalize_email
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
        branch_id=query.team_id,
        category_id=query.category_id,
        sku=query.sku or None,
        of_key_branch=True,
    )
    page = await request.fetch(list_items(filter_, query.request()))
    branch_of_query(request, query.team_id)
    return list_response(request, query, require_known(page, {"branch_id": "team_id"}))


@operations.get("/customers/find", response=DataResponse[CustomerDetail | None], errors=[Code.VALIDATION_ERROR])
async def find_customer(request: Request, query: FindQuery) -> Response:
    """Find a customer by phone or e-mail; `data` is null if none matches."""
    if not query.phone and not query.email:
        raise invalid({"phone": ["is required unless email is sent"], "email": ["is required unless phone is sent"]})
    if query.phone and query.email:
        raise invalid(
            {"phone": ["must not be sent together with email"], "email": ["must not be sent together with phone"]}
        )
    if query.email:
        return data_response(await request.fetch(find_customer_by_email(_spelling(query.email))))
    digits = international_digits(query.phone or "")
    return data_response(None if digits is None else await request.fetch(find_customer_by_phone(digits)))


def _spelling(email: str) -> str:
    """The form in which an address is stored. Other text is returned unchanged and finds no customer."""
    try:
        return normalize_email(email)
    except EmailError:
        return email
