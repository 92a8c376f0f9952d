"""What the front desk does for customers: notes, the waiting list, appointments that repeat."""

from collections.abc import Sequence

from frontdesk_client.models import (
    CustomerNote,
    DataResponse,
    Date,
    DateTime,
    Id,
    OrderItemCreate,
    OrderSeries,
    Page,
    PartOfDay,
    WaitingListEntry,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, delete, path, read, write


class CustomerNotes(Resource[TransportT]):
    @ListOperation
    def list(self, customer_id: Id, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[CustomerNote]]:
        """List the notes about a customer, warnings first, then the newest."""
        return read(path("/customers/{}/notes", customer_id), Page[CustomerNote], per_page=per_page)

    @Operation
    def create(
        self, customer_id: Id, text: str, *, is_warning: bool | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerNote]]:
        """Add a note to a customer. The team reads a warning first."""
        at = path("/customers/{}/notes", customer_id)
        return write("POST", at, DataResponse[CustomerNote], idempotency_key, text=text, is_warning=is_warning)

    @Operation
    def update(
        self, note_id: Id, *, is_warning: bool, version: int | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CustomerNote]]:
        """Make a note a warning, or an ordinary note again."""
        at = path("/customer-notes/{}", note_id)
        return write("PATCH", at, DataResponse[CustomerNote], idempotency_key, is_warning=is_warning, version=version)

    @Operation
    def delete(self, note_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete a note."""
        return delete(path("/customer-notes/{}", note_id), idempotency_key)


class WaitingList(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        customer_id: Id | None = None,
        staff_id: Id | None = None,
        from_: Date | None = None,
        to: Date | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[WaitingListEntry]]:
        """List who waits for a time, those who wait longest first."""
        return read(
            "/waiting-list",
            Page[WaitingListEntry],
            customer_id=customer_id,
            staff_id=staff_id,
            from_=from_,
            to=to,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def create(
        self,
        *,
        customer_id: Id,
        service_ids: Sequence[Id],
        first_day: Date,
        last_day: Date | None = None,
        staff_id: Id | None = None,
        part_of_day: PartOfDay | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[WaitingListEntry]]:
        """Put a customer on the waiting list."""
        return write(
            "POST",
            "/waiting-list",
            DataResponse[WaitingListEntry],
            idempotency_key,
            customer_id=customer_id,
            service_ids=service_ids,
            first_day=first_day,
            last_day=last_day,
            staff_id=staff_id,
            part_of_day=part_of_day,
            note=note,
        )

    @Operation
    def replace(
        self,
        entry_id: Id,
        *,
        service_ids: Sequence[Id],
        first_day: Date,
        last_day: Date | None = None,
        staff_id: Id | None = None,
        part_of_day: PartOfDay | None = None,
        note: str | None = None,
        version: int | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[WaitingListEntry]]:
        """Replace what a customer waits for."""
        return write(
            "PUT",
            path("/waiting-list/{}", entry_id),
            DataResponse[WaitingListEntry],
            idempotency_key,
            service_ids=service_ids,
            first_day=first_day,
            last_day=last_day,
            staff_id=staff_id,
            part_of_day=part_of_day,
            note=note,
            version=version,
        )

    @Operation
    def remove(self, entry_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Remove an entry."""
        return delete(path("/waiting-list/{}", entry_id), idempotency_key)

    @Operation
    def offer(
        self, entry_id: Id, *, staff_id: Id, start: DateTime, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[WaitingListEntry]]:
        """Offer a free time by mail. Nothing is booked."""
        at = path("/waiting-list/{}/offer", entry_id)
        return write("POST", at, DataResponse[WaitingListEntry], idempotency_key, staff_id=staff_id, start=start)


class AppointmentSeries(Resource[TransportT]):
    @Operation
    def create(
        self,
        *,
        team_id: Id,
        customer_id: Id,
        items: Sequence[OrderItemCreate],
        start: DateTime,
        every_weeks: int,
        times: int | None = None,
        until: Date | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderSeries]]:
        """Book an appointment that repeats: an order for each time, all of them or none."""
        return write(
            "POST",
            "/order-series",
            DataResponse[OrderSeries],
            idempotency_key,
            team_id=team_id,
            customer_id=customer_id,
            items=items,
            start=start,
            every_weeks=every_weeks,
            times=times,
            until=until,
            note=note,
        )

    @Operation
    def get(self, order_id: Id) -> ApiRequest[DataResponse[OrderSeries]]:
        """Get the series that an order belongs to."""
        return read(path("/orders/{}/series", order_id), DataResponse[OrderSeries])

    @Operation
    def cancel(
        self,
        order_id: Id,
        *,
        following: bool | None = None,
        reason: str | None = None,
        note_for_status: str | None = None,
        notify: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[OrderSeries]]:
        """Cancel an order of a series, and with `following` those after it."""
        return write(
            "POST",
            path("/orders/{}/series/cancel", order_id),
            DataResponse[OrderSeries],
            idempotency_key,
            following=following,
            reason=reason,
            note_for_status=note_for_status,
            notify=notify,
        )
