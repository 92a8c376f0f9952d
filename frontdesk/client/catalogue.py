"""What a business is made of: branches, categories, items and staff. All of it is read only."""

from frontdesk.catalog.documents import Category, Item, ItemDetail, Package
from frontdesk.catalog.types import ItemType
from frontdesk.client.asking import ApiRequest, Id, at, read
from frontdesk.client.operations import Listing, Operation, Resource, TransportT
from frontdesk.staff.documents import StaffMember, WorkingHour
from frontdesk.tenants.documents import Branch
from frontdesk.values.envelopes import DataResponse, PageResponse
from frontdesk.values.pagination import MAX_PER_PAGE


class Branches(Resource[TransportT]):
    @Listing
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[PageResponse[Branch]]:
        """The branches of the business."""
        return read("/branches", PageResponse[Branch], per_page=per_page)


class Categories(Resource[TransportT]):
    @Listing
    def list(self, *, branch_id: Id | None = None, per_page: int = MAX_PER_PAGE) -> ApiRequest[PageResponse[Category]]:
        """The categories of the catalogue, in the order the business gave them."""
        return read("/categories", PageResponse[Category], branch_id=branch_id, per_page=per_page)


class Items(Resource[TransportT]):
    @Listing
    def list(
        self, *, type_: ItemType | str | None = None, name: str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[PageResponse[Item]]:
        """Services and products."""
        return read("/items", PageResponse[Item], type_=type_, name=name, per_page=per_page)

    @Operation
    def get(self, item_id: Id) -> ApiRequest[DataResponse[ItemDetail]]:
        """One service or product; a service comes with the staff who perform it."""
        return read(at("/items/{}", item_id), DataResponse[ItemDetail])


class Packages(Resource[TransportT]):
    @Listing
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[PageResponse[Package]]:
        """Packages with what they hold, newest first."""
        return read("/packages", PageResponse[Package], per_page=per_page)

    @Operation
    def get(self, package_id: Id) -> ApiRequest[DataResponse[Package]]:
        """One package with what it holds."""
        return read(at("/packages/{}", package_id), DataResponse[Package])


class Staff(Resource[TransportT]):
    @Listing
    def list(
        self, *, name: str | None = None, branch_id: Id | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[PageResponse[StaffMember]]:
        """The staff with their services."""
        return read("/staff", PageResponse[StaffMember], name=name, branch_id=branch_id, per_page=per_page)

    @Operation
    def get(self, staff_id: Id) -> ApiRequest[DataResponse[StaffMember]]:
        """One member of staff."""
        return read(at("/staff/{}", staff_id), DataResponse[StaffMember])

    @Operation
    def working_hour(self, staff_id: Id) -> ApiRequest[DataResponse[WorkingHour]]:
        """Their default working hour, or the branch's where they have none."""
        return read(at("/staff/{}/working-hour", staff_id), DataResponse[WorkingHour])
