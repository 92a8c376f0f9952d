"""Events about what a business sets up: what a read returns, what has changed, and nothing for a change of nothing."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from frontdesk.catalog.categories import DeleteCategory, MoveCategory, SaveCategory
from frontdesk.catalog.changes import CategoryEntry
from frontdesk.catalog.item_acts import CopyItem, DeleteItem, DeletePackage, SetItemStatus, SetPackageStatus
from frontdesk.payments.settings import (
    CreateTranslatedMethod,
    DeletePaymentMethod,
    RenamePaymentMethod,
    SetPaymentMethodActive,
)
from frontdesk.postgres.act import Act
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.staff.edit import ServiceTerms, SetStaffActive, SetStaffServices
from frontdesk.staff.exceptions import (
    AddClosedDays,
    DeleteClosedDay,
    DeleteHourException,
    ExceptionFields,
    SaveHourException,
)
from frontdesk.staff.hour_types import HoursOwner, WeeklyHours
from frontdesk.staff.time_off import AddTimeOff, DecideTimeOff
from frontdesk.staff.weekly_hours import SetWorkingHours
from frontdesk.tenants.branches import SetBranchActive
from frontdesk.tenants.tax_class_queries import DatedRate
from frontdesk.tenants.tax_classes import DeleteTaxClass, SaveTaxClass
from frontdesk.values.actor import SYSTEM
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_category
from tests.factories.changes import change_rows
from tests.support.branch import BranchFixture, day
from tests.support.events import EventRecorder, as_in_events, record_events
from tests.support.pagination import json_exact

pytestmark = pytest.mark.both_servers


class Manager(NamedTuple):
    """Somebody who changes what the business sets up, and the events that this emits."""

    conn: Connection
    branch: BranchFixture
    events: EventRecorder

    async def run(self, act: Act[Any]) -> None:
        await run(self.conn, await self.branch.shop.tenant(), act, actor=SYSTEM)

    async def emits(self, act: Act[Any], *types: str) -> list[Any]:
        """The data of the events of the act, which are of these types."""
        await self.run(act)
        found = await self.events.new_events()
        assert [event["type"] for event in found] == list(types)
        return [event["data"] for event in found]

    async def read(self, path: str) -> Any:
        return json_exact(await self.branch.shop.get(path))["data"]

    async def listed(self, path: str, id_: UUID) -> Any:
        return next(record for record in await self.read(f"{path}?per_page=100") if record["id"] == str(id_))


@pytest.fixture
async def manager(conn: Connection, branch: BranchFixture) -> Manager:
    return Manager(conn, branch, await record_events(branch.shop))


async def test_an_item_that_is_taken_off_sale_has_an_event_with_the_item(manager: Manager) -> None:
    item_id = await manager.branch.add_service(offer_price="40")
    await manager.branch.add_provider(item_id, price="55")
    (data,) = await manager.emits(SetItemStatus(item_id, on_sale=False), "item.updated")
    assert data == {"item": as_in_events(await manager.read(f"/items/{item_id}")), "changed": ["status"]}
    assert await manager.emits(SetItemStatus(item_id, on_sale=False)) == []


async def test_the_copy_of_a_service_is_created_and_its_staff_perform_it(manager: Manager) -> None:
    item_id, copy_id = await manager.branch.add_service(), uuid7()
    staff_id = await manager.branch.add_provider(item_id)
    made, staff = await manager.emits(CopyItem(item_id, copy_id), "item.created", "staff.updated")
    assert made == {"item": as_in_events(await manager.read(f"/items/{copy_id}"))}
    assert staff == {"staff": as_in_events(await manager.read(f"/staff/{staff_id}")), "changed": ["services"]}
    gone, _ = await manager.emits(DeleteItem(copy_id), "item.deleted", "staff.updated")
    assert gone == made


async def test_a_package_has_events(manager: Manager) -> None:
    package_id = await manager.branch.add_package({await manager.branch.add_product(): 2})
    (data,) = await manager.emits(SetPackageStatus(package_id, on_sale=False), "package.updated")
    assert data == {"package": await manager.read(f"/packages/{package_id}"), "changed": ["status"]}
    (gone,) = await manager.emits(DeletePackage(package_id), "package.deleted")
    assert gone == {"package": data["package"]}


def entry(category_id: UUID, branch: BranchFixture, name: str, version: int | None) -> CategoryEntry:
    return CategoryEntry(category_id, version, branch.branch_id, {"en": name}, {})


async def test_a_category_has_events(manager: Manager) -> None:
    category_id = uuid7()
    (made,) = await manager.emits(SaveCategory(entry(category_id, manager.branch, "Hair", None)), "category.created")
    assert made == {"category": await manager.listed("/categories", category_id)}
    (data,) = await manager.emits(SaveCategory(entry(category_id, manager.branch, "Hands", 1)), "category.updated")
    assert data == {"category": await manager.listed("/categories", category_id), "changed": ["name"]}
    assert await manager.emits(SaveCategory(entry(category_id, manager.branch, "Hands", 2))) == []
    await manager.emits(DeleteCategory(category_id), "category.deleted")


async def test_every_category_whose_place_changes_has_an_event(manager: Manager) -> None:
    first = await make_category(manager.branch.shop, sort_order=1000)
    last = await make_category(manager.branch.shop, sort_order=1001)
    await manager.run(MoveCategory(last, "down"))  # all get places of their own
    await manager.events.new_events()
    moved = await manager.emits(MoveCategory(last, "up"), "category.updated", "category.updated")
    assert {data["category"]["id"] for data in moved} == {str(first), str(last)}
    assert [data["changed"] for data in moved] == [["sort_order"], ["sort_order"]]


async def test_staff_have_events(manager: Manager) -> None:
    service = await manager.branch.add_service()
    staff_id = await manager.branch.add_provider(service)
    await change_rows(manager.branch.shop, "staff", {"id": staff_id}, image="faces/noura.png")
    terms = [ServiceTerms(service, Decimal(99), 50, 0)]
    (data,) = await manager.emits(SetStaffServices(staff_id, terms), "staff.updated")
    assert data == {"staff": as_in_events(await manager.read(f"/staff/{staff_id}")), "changed": ["services"]}
    assert await manager.emits(SetStaffServices(staff_id, terms)) == []
    (data,) = await manager.emits(SetStaffActive(staff_id, active=False), "staff.updated")
    assert (data["changed"], data["staff"]["status"]) == (["status"], False)


async def test_hours_of_staff_have_events(manager: Manager) -> None:
    await manager.branch.set_hours({0: [("09:00", "17:00")]})
    staff_id = await manager.branch.add_provider()
    hours = WeeklyHours(all_time=False, intervals=((0, 600, 900),))
    (data,) = await manager.emits(SetWorkingHours(HoursOwner(staff_id=staff_id), hours), "working_hours.updated")
    assert data["working_hour"] == await manager.read(f"/staff/{staff_id}/working-hour")
    assert (data["branch_id"], data["staff_id"]) == (str(manager.branch.branch_id), str(staff_id))
    assert await manager.emits(SetWorkingHours(HoursOwner(staff_id=staff_id), hours)) == []
    (data,) = await manager.emits(SetWorkingHours(HoursOwner(staff_id=staff_id), None), "working_hours.updated")
    assert data["working_hour"]["source"] == "branch"


async def test_other_hours_on_one_day_have_events(manager: Manager) -> None:
    owner, id_ = HoursOwner(branch_id=manager.branch.branch_id), uuid7()
    act = SaveHourException(owner, id_, ExceptionFields(day(9), [(600, 900), (1200, 1560)], "Fair"), is_new=True)
    (made,) = await manager.emits(act, "hour_exception.created")
    made = made["hour_exception"]
    assert made["intervals"] == [{"from": "10:00", "to": "15:00"}, {"from": "20:00", "to": "02:00"}]
    assert (made["day"], made["staff_id"], made["note"]) == (str(day(9)), None, "Fair")
    act = SaveHourException(owner, id_, ExceptionFields(day(9), [], "Fair"), version=1)
    (data,) = await manager.emits(act, "hour_exception.updated")
    assert data["changed"] == ["intervals"]
    (gone,) = await manager.emits(DeleteHourException(owner, id_, 2), "hour_exception.deleted")
    assert gone == {"hour_exception": data["hour_exception"]}


async def test_time_off_has_events_without_its_note(manager: Manager) -> None:
    staff_id, id_ = await manager.branch.add_provider(), uuid7()
    begin = datetime.now(UTC).replace(microsecond=0) + timedelta(days=40)
    act = AddTimeOff(staff_id, id_, begin, begin + timedelta(days=1), "At the dentist", "requested")
    (made,) = await manager.emits(act, "time_off.created")
    assert datetime.fromisoformat(made["time_off"]["start"]) == begin
    assert "dentist" not in str(made)
    (data,) = await manager.emits(DecideTimeOff(id_, "approved", 1), "time_off.updated")
    assert (data["changed"], data["time_off"]["status"]) == (["status"], "approved")
    await manager.emits(DecideTimeOff(id_, None, 2), "time_off.deleted")


async def test_closed_days_have_one_event_with_all_of_them(manager: Manager) -> None:
    branch_id = manager.branch.branch_id
    await manager.emits(AddClosedDays(branch_id, [day(50), day(51)], "Eid"), "closed_days.updated")
    assert await manager.emits(AddClosedDays(branch_id, [day(51)], "Eid")) == []
    (data,) = await manager.emits(DeleteClosedDay(branch_id, day(50)), "closed_days.updated")
    closed = {"branch_id": str(branch_id), "days": [{"day": str(day(51)), "note": "Eid"}]}
    assert data == {"closed_days": closed, "changed": ["days"]}


async def test_a_branch_has_events(manager: Manager) -> None:
    branch_id = manager.branch.branch_id
    (data,) = await manager.emits(SetBranchActive(branch_id, active=False), "branch.updated")
    assert data == {"branch": await manager.listed("/branches", branch_id), "changed": ["status"]}


async def test_a_payment_method_has_events(manager: Manager) -> None:
    (made,) = await manager.emits(CreateTranslatedMethod("other", {"en": "Cheque"}), "payment_method.created")
    method_id = UUID(made["payment_method"]["id"])
    rename = RenamePaymentMethod(method_id, {"en": "Bank cheque"}, 1)
    (data,) = await manager.emits(rename, "payment_method.updated")
    assert data == {"payment_method": await manager.read(f"/payment-methods/{method_id}"), "changed": ["name"]}
    (data,) = await manager.emits(SetPaymentMethodActive(method_id, active=False), "payment_method.updated")
    assert (data["changed"], data["payment_method"]["status"]) == (["status"], False)
    await manager.emits(DeletePaymentMethod(method_id), "payment_method.deleted")


async def test_a_new_default_tax_class_changes_the_one_before(manager: Manager) -> None:
    first, second, rates = uuid7(), uuid7(), [DatedRate(day(-9), Decimal(15))]
    await manager.run(SaveTaxClass(first, {"en": "Standard"}, is_default=True, rates=rates))
    await manager.events.new_events()
    act = SaveTaxClass(second, {"en": "Reduced"}, is_default=True, rates=rates)
    before, made = await manager.emits(act, "tax_class.updated", "tax_class.created")
    assert (before["tax_class"]["is_default"], before["changed"]) == (False, ["is_default"])
    assert made["tax_class"]["rates"] == [{"starts_on": str(day(-9)), "rate": Decimal(15)}]
    await manager.emits(DeleteTaxClass(first), "tax_class.deleted")
