"""Branches and staff."""

from frontdesk_client.models import (
    Branch,
    DataResponse,
    Id,
    Page,
    StaffMember,
    WorkingHour,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, path, read


class Branches(Resource[TransportT]):
    @ListOperation
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[Branch]]:
        """List the branches of the business."""
        return read("/branches", Page[Branch], per_page=per_page)


class Staff(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, name: str | None = None, branch_id: Id | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[StaffMember]]:
        """List staff members with their services."""
        return read("/staff", Page[StaffMember], name=name, branch_id=branch_id, per_page=per_page)

    @Operation
    def get(self, staff_id: Id) -> ApiRequest[DataResponse[StaffMember]]:
        """Get a staff member."""
        return read(path("/staff/{}", staff_id), DataResponse[StaffMember])

    @Operation
    def get_working_hour(self, staff_id: Id) -> ApiRequest[DataResponse[WorkingHour]]:
        """Get the working hours of a staff member, or those of the branch if they have none."""
        return read(path("/staff/{}/working-hour", staff_id), DataResponse[WorkingHour])
