"""What the team has written of a customer."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.open.entered_fields import Version, given
from frontdesk.auth.scopes import Scope
from frontdesk.customers.annotate import AddCustomerNote, ChangeCustomerNote, DeleteCustomerNote
from frontdesk.customers.documents import CustomerNote
from frontdesk.customers.note_queries import list_notes
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response

operations = Endpoints()

NoteText = Annotated[str, Meta(min_length=1, max_length=1000)]


class CustomerNoteCreate(msgspec.Struct):
    text: NoteText
    is_warning: bool | None = False


class CustomerNoteUpdate(msgspec.Struct):
    is_warning: bool
    version: Version | None = None


@operations.get(
    "/customers/{uuid}/notes",
    scope=Scope.CUSTOMER_NOTES_READ,
    response=PageResponse[CustomerNote],
    errors=[Code.NOT_FOUND],
)
async def list_customer_notes(request: Request, uuid: UUID, query: PageQuery) -> Response:
    """List what the team has written of a customer, warnings first, then the newest.

    Notes can say what is private, such as an illness: they have a scope of their own, and no event has them.
    """
    return list_response(request, query, await request.fetch(list_notes(uuid, query.request())))


@operations.post(
    "/customers/{uuid}/notes",
    scope=Scope.CUSTOMER_NOTES_WRITE,
    response=DataResponse[CustomerNote],
    status=201,
    creates="customer_note",
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def add_customer_note(uuid: UUID, body: CustomerNoteCreate) -> AddCustomerNote:
    """Add a note to a customer. The team reads it wherever the customer is booked or served, a warning first."""
    return AddCustomerNote(uuid, body.text, given(body.is_warning, otherwise=False))


@operations.patch(
    "/customer-notes/{uuid}",
    scope=Scope.CUSTOMER_NOTES_WRITE,
    response=DataResponse[CustomerNote],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_customer_note(uuid: UUID, body: CustomerNoteUpdate) -> ChangeCustomerNote:
    """Make a note a warning, or an ordinary note again. Its text stays as it was written."""
    return ChangeCustomerNote(uuid, body.is_warning, body.version)


@operations.delete("/customer-notes/{uuid}", scope=Scope.CUSTOMER_NOTES_WRITE, status=204, errors=[Code.NOT_FOUND])
def delete_customer_note(uuid: UUID) -> DeleteCustomerNote:
    """Delete a note."""
    return DeleteCustomerNote(uuid)
