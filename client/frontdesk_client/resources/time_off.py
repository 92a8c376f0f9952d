"""Time off of staff."""

from frontdesk_client.models import (
    AddedTimeOffStatus,
    DataResponse,
    Date,
    DateTime,
    Id,
    Page,
    TimeOff,
    TimeOffStatus,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, change_hours, delete, path, read, write


class TimeOffOfStaff(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        staff_id: Id | None = None,
        status: TimeOffStatus | None = None,
        from_: Date | None = None,
        to: Date | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[TimeOff]]:
        """List time off by its start, by default from today on."""
        return read(
            "/time-off",
            Page[TimeOff],
            staff_id=staff_id,
            status=status,
            from_=from_,
            to=to,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def create(
        self,
        staff_id: Id,
        *,
        start: DateTime,
        end: DateTime,
        note: str | None = None,
        status: AddedTimeOffStatus | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[TimeOff]]:
        """Add time off of a staff member."""
        return change_hours(
            "POST",
            path("/staff/{}/time-off", staff_id),
            DataResponse[TimeOff],
            idempotency_key,
            start=start,
            end=end,
            note=note,
            status=status,
        )

    @Operation
    def approve(
        self, time_off_id: Id, *, version: int | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[TimeOff]]:
        """Approve time off."""
        at = path("/time-off/{}/approve", time_off_id)
        return change_hours("POST", at, DataResponse[TimeOff], idempotency_key, version=version)

    @Operation
    def decline(
        self, time_off_id: Id, *, version: int | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[TimeOff]]:
        """Decline time off."""
        at = path("/time-off/{}/decline", time_off_id)
        return write("POST", at, DataResponse[TimeOff], idempotency_key, version=version)

    @Operation
    def delete(self, time_off_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete time off."""
        return delete(path("/time-off/{}", time_off_id), idempotency_key)
