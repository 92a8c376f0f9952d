"""Branches."""

import builtins
from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    Branch,
    ClosedDays,
    DataResponse,
    Date,
    DateTime,
    HourException,
    HoursIntervalEntry,
    Id,
    Localized,
    Page,
    WorkingHour,
    WorkingIntervalEntry,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, change_hours, delete, patch, path, read, write


class Branches(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, updated_since: DateTime | None = None, after: str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[Branch]]:
        """List the branches of the business."""
        return read("/branches", Page[Branch], updated_since=updated_since, after=after, per_page=per_page)

    @Operation
    def get_working_hour(self, branch_id: Id) -> ApiRequest[DataResponse[WorkingHour]]:
        """Get the weekly opening hours of a branch."""
        return read(path("/branches/{}/working-hour", branch_id), DataResponse[WorkingHour])

    @Operation
    def create(
        self,
        *,
        name: str,
        names: Localized | None = None,
        slug: str | None = None,
        phone: str | None = None,
        phone_country: str | None = None,
        address: str | None = None,
        location: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Branch]]:
        """Create a branch."""
        return write(
            "POST",
            "/branches",
            DataResponse[Branch],
            idempotency_key,
            name=name,
            names=names,
            slug=slug,
            phone=phone,
            phone_country=phone_country,
            address=address,
            location=location,
        )

    @Operation
    def update(
        self,
        branch_id: Id,
        *,
        name: str | UnsetType = UNSET,
        names: Localized | UnsetType | None = UNSET,
        slug: str | UnsetType = UNSET,
        phone: str | UnsetType | None = UNSET,
        phone_country: str | UnsetType | None = UNSET,
        address: str | UnsetType | None = UNSET,
        location: str | UnsetType | None = UNSET,
        status: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Branch]]:
        """Update a branch. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/branches/{}", branch_id),
            DataResponse[Branch],
            idempotency_key,
            name=name,
            names=names,
            slug=slug,
            phone=phone,
            phone_country=phone_country,
            address=address,
            location=location,
            status=status,
        )

    @Operation
    def set_working_hours(
        self,
        branch_id: Id,
        *,
        all_time: bool | None = None,
        intervals: Sequence[WorkingIntervalEntry] | None = None,
        version: int | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[WorkingHour]]:
        """Replace the weekly opening hours of a branch."""
        return change_hours(
            "PUT",
            path("/branches/{}/working-hours", branch_id),
            DataResponse[WorkingHour],
            idempotency_key,
            all_time=all_time,
            intervals=intervals,
            version=version,
        )

    @Operation
    def list_hour_exceptions(self, branch_id: Id) -> ApiRequest[DataResponse[builtins.list[HourException]]]:
        """List the days from today on on which a branch has other hours."""
        return read(path("/branches/{}/hour-exceptions", branch_id), DataResponse[builtins.list[HourException]])

    @Operation
    def set_hour_exception(
        self,
        branch_id: Id,
        *,
        day: Date,
        intervals: Sequence[HoursIntervalEntry],
        note: str | None = None,
        version: int | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[HourException]]:
        """Set the hours of a branch on one day; none if there are no intervals."""
        return change_hours(
            "PUT",
            path("/branches/{}/hour-exceptions", branch_id),
            DataResponse[HourException],
            idempotency_key,
            day=day,
            intervals=intervals,
            note=note,
            version=version,
        )

    @Operation
    def delete_hour_exception(
        self, branch_id: Id, *, day: Date, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[None]]:
        """Give a day its usual hours again."""
        return delete(path("/branches/{}/hour-exceptions", branch_id), idempotency_key, day=day)

    @Operation
    def list_closed_days(self, branch_id: Id) -> ApiRequest[DataResponse[ClosedDays]]:
        """List the days from today on on which a branch is closed."""
        return read(path("/branches/{}/closed-days", branch_id), DataResponse[ClosedDays])

    @Operation
    def close(
        self,
        branch_id: Id,
        *,
        from_: Date,
        to: Date | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[ClosedDays]]:
        """Close a branch on a day, or on all days until another one."""
        return change_hours(
            "POST",
            path("/branches/{}/closed-days", branch_id),
            DataResponse[ClosedDays],
            idempotency_key,
            from_=from_,
            to=to,
            note=note,
        )

    @Operation
    def open_again(
        self, branch_id: Id, *, day: Date, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[None]]:
        """Open a branch again on a closed day."""
        return delete(path("/branches/{}/closed-days", branch_id), idempotency_key, day=day)
