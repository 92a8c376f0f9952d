"""What a business is made of: branches, categories, items and staff. All of it is read only."""

from frontdesk.catalog.documents import Category, Item, ItemDetail, Package
from frontdesk.catalog.types import ItemType
from frontdesk.client.asking import Ask, Id, at, read
from frontdesk.client.operations import Listing, Operation, Resource, Way
from frontdesk.staff.documents import StaffMember, WorkingHour
from frontdesk.tenants.documents import Branch
from frontdesk.values.envelopes import DataOf, PageOf
from frontdesk.values.pagination import LONGEST_PAGE


class Branches(Resource[Way]):
    @Listing
    def list(self, *, per_page: int = LONGEST_PAGE) -> Ask[PageOf[Branch]]:
        """The branches of the business."""
        return read("/branches", PageOf[Branch], per_page=per_page)


class Categories(Resource[Way]):
    @Listing
    def list(self, *, branch_id: Id | None = None, per_page: int = LONGEST_PAGE) -> Ask[PageOf[Category]]:
        """The categories of the catalogue, in the order the business gave them."""
        return read("/categories", PageOf[Category], branch_id=branch_id, per_page=per_page)


class Items(Resource[Way]):
    @Listing
    def list(
        self, *, type_: ItemType | str | None = None, name: str | None = None, per_page: int = LONGEST_PAGE
    ) -> Ask[PageOf[Item]]:
        """Services and products."""
        return read("/items", PageOf[Item], type_=type_, name=name, per_page=per_page)

    @Operation
    def get(self, item_id: Id) -> Ask[DataOf[ItemDetail]]:
        """One service or product; a service comes with the staff who perform it."""
        return read(at("/items/{}", item_id), DataOf[ItemDetail])


class Packages(Resource[Way]):
    @Listing
    def list(self, *, per_page: int = LONGEST_PAGE) -> Ask[PageOf[Package]]:
        """Packages with what they hold, newest first."""
        return read("/packages", PageOf[Package], per_page=per_page)

    @Operation
    def get(self, package_id: Id) -> Ask[DataOf[Package]]:
        """One package with what it holds."""
        return read(at("/packages/{}", package_id), DataOf[Package])


class Staff(Resource[Way]):
    @Listing
    def list(
        self, *, name: str | None = None, branch_id: Id | None = None, per_page: int = LONGEST_PAGE
    ) -> Ask[PageOf[StaffMember]]:
        """The staff with their services."""
        return read("/staff", PageOf[StaffMember], name=name, branch_id=branch_id, per_page=per_page)

    @Operation
    def get(self, staff_id: Id) -> Ask[DataOf[StaffMember]]:
        """One member of staff."""
        return read(at("/staff/{}", staff_id), DataOf[StaffMember])

    @Operation
    def working_hour(self, staff_id: Id) -> Ask[DataOf[WorkingHour]]:
        """Their default working hour, or the branch's where they have none."""
        return read(at("/staff/{}/working-hour", staff_id), DataOf[WorkingHour])
