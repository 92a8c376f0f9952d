"""Staff."""

import builtins
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    DataResponse,
    Date,
    DateTime,
    HourException,
    HoursIntervalEntry,
    Id,
    Localized,
    Page,
    StaffMember,
    StaffServiceTerms,
    WorkingHour,
    WorkingHourSource,
    WorkingIntervalEntry,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, change_hours, delete, patch, path, read, write


class Staff(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        name: str | None = None,
        branch_id: Id | None = None,
        status: Literal["true", "false"] | str | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[StaffMember]]:
        """List staff members with their services. With `status` "false" those who left."""
        return read(
            "/staff",
            Page[StaffMember],
            name=name,
            branch_id=branch_id,
            status=status,
            external_id=external_id,
            metadata=metadata,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def get(self, staff_id: Id) -> ApiRequest[DataResponse[StaffMember]]:
        """Get a staff member."""
        return read(path("/staff/{}", staff_id), DataResponse[StaffMember])

    @Operation
    def get_working_hour(self, staff_id: Id) -> ApiRequest[DataResponse[WorkingHour]]:
        """Get the working hours of a staff member, or those of the branch if they have none."""
        return read(path("/staff/{}/working-hour", staff_id), DataResponse[WorkingHour])

    @Operation
    def create(
        self,
        *,
        name: str,
        branch_id: Id,
        service_ids: Sequence[Id] | None = None,
        names: Localized | None = None,
        title: Localized | None = None,
        phone: str | None = None,
        phone_country: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str | None] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[StaffMember]]:
        """Create a staff member."""
        return write(
            "POST",
            "/staff",
            DataResponse[StaffMember],
            idempotency_key,
            name=name,
            branch_id=branch_id,
            service_ids=service_ids,
            names=names,
            title=title,
            phone=phone,
            phone_country=phone_country,
            email=email,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def update(
        self,
        staff_id: Id,
        *,
        name: str | UnsetType = UNSET,
        names: Localized | UnsetType | None = UNSET,
        title: Localized | UnsetType | None = UNSET,
        phone: str | UnsetType | None = UNSET,
        phone_country: str | UnsetType | None = UNSET,
        email: str | UnsetType | None = UNSET,
        branch_id: Id | UnsetType = UNSET,
        service_ids: Sequence[Id] | UnsetType = UNSET,
        services: Sequence[StaffServiceTerms] | UnsetType = UNSET,
        status: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        external_id: str | UnsetType | None = UNSET,
        metadata: Mapping[str, str | None] | UnsetType | None = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[StaffMember]]:
        """Update a staff member. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/staff/{}", staff_id),
            DataResponse[StaffMember],
            idempotency_key,
            name=name,
            names=names,
            title=title,
            phone=phone,
            phone_country=phone_country,
            email=email,
            branch_id=branch_id,
            service_ids=service_ids,
            services=services,
            status=status,
            version=version,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def set_working_hours(
        self,
        staff_id: Id,
        *,
        all_time: bool | None = None,
        intervals: Sequence[WorkingIntervalEntry] | None = None,
        version: int | None = None,
        source: WorkingHourSource | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[WorkingHour | None]]:
        """Replace the weekly hours of a staff member."""
        return change_hours(
            "PUT",
            path("/staff/{}/working-hours", staff_id),
            DataResponse[WorkingHour | None],
            idempotency_key,
            all_time=all_time,
            intervals=intervals,
            version=version,
            source=source,
        )

    @Operation
    def list_hour_exceptions(self, staff_id: Id) -> ApiRequest[DataResponse[builtins.list[HourException]]]:
        """List the days from today on on which a staff member has other hours."""
        return read(path("/staff/{}/hour-exceptions", staff_id), DataResponse[builtins.list[HourException]])

    @Operation
    def set_hour_exception(
        self,
        staff_id: Id,
        *,
        day: Date,
        intervals: Sequence[HoursIntervalEntry],
        note: str | None = None,
        version: int | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[HourException]]:
        """Set the hours of a staff member on one day; none if there are no intervals."""
        return change_hours(
            "PUT",
            path("/staff/{}/hour-exceptions", staff_id),
            DataResponse[HourException],
            idempotency_key,
            day=day,
            intervals=intervals,
            note=note,
            version=version,
        )

    @Operation
    def delete_hour_exception(
        self, staff_id: Id, *, day: Date, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[None]]:
        """Give a day its usual hours again."""
        return delete(path("/staff/{}/hour-exceptions", staff_id), idempotency_key, day=day)

    @Operation
    def move(
        self, staff_id: Id, *, before: Id | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[StaffMember]]:
        """Move a staff member before another one, or to the end."""
        at = path("/staff/{}/move", staff_id)
        return write("POST", at, DataResponse[StaffMember], idempotency_key, before=before)
