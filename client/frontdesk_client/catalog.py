"""Branches, categories, items, packages and staff. All of them are read-only."""

from frontdesk_client.models import (
    Branch,
    Category,
    DataResponse,
    Id,
    Item,
    ItemDetail,
    ItemType,
    Package,
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


class Categories(Resource[TransportT]):
    @ListOperation
    def list(self, *, branch_id: Id | None = None, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[Category]]:
        """List categories by sort order."""
        return read("/categories", Page[Category], branch_id=branch_id, per_page=per_page)


class Items(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, type_: ItemType | None = None, name: str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[Item]]:
        """List services and products."""
        return read("/items", Page[Item], type_=type_, name=name, per_page=per_page)

    @Operation
    def get(self, item_id: Id) -> ApiRequest[DataResponse[ItemDetail]]:
        """Get a service with the staff who perform it, or a product."""
        return read(path("/items/{}", item_id), DataResponse[ItemDetail])


class Packages(Resource[TransportT]):
    @ListOperation
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[Package]]:
        """List packages with their items, newest first."""
        return read("/packages", Page[Package], per_page=per_page)

    @Operation
    def get(self, package_id: Id) -> ApiRequest[DataResponse[Package]]:
        """Get a package with its items."""
        return read(path("/packages/{}", package_id), DataResponse[Package])


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
