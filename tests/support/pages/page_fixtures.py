"""What the pages of a business lead to: a fresh row for each parameter of their paths."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.applications import make_applications
from tests.factories.calendars import make_external_calendar, make_feed
from tests.factories.catalog import (
    make_cashier,
    make_category,
    make_package,
    make_payment_method,
    make_product,
    make_service,
    make_tax_class,
)
from tests.factories.changes import change_row
from tests.factories.credentials import make_client, make_key
from tests.factories.customers import make_note, make_photo, make_tag, make_waiting_entry
from tests.factories.imports import insert_import
from tests.factories.orders import (
    insert_notification,
    insert_order_view,
    insert_receipt_link,
    make_order,
    put_in_series,
)
from tests.factories.people import make_customer, make_hour_exception, make_time_off
from tests.factories.reports import insert_day_close, insert_shift, make_commission_rate
from tests.factories.users import give_second_factor, make_invitation, make_session, make_user
from tests.factories.webhooks import insert_attempt, insert_delivery, insert_event, insert_webhook
from tests.support.branch import day, line, local, open_branch, start
from tests.support.shop import Shop


async def ids_of(shop: Shop) -> dict[str, UUID]:
    """A fresh row for each parameter of a path."""
    return {**await add_team(shop), **await add_records(shop), **await add_staff(shop)}


_OF_TEAM = (
    "/settings/account",
    "/settings/api",
    "/settings/applications",
    "/settings/members",
    "/developer",
    "/operator",
)
_OF_APPLICATIONS = ("{application_id}", "{install_id}")


async def ids_for(shop: Shop, path: str) -> dict[str, UUID]:
    """Fresh rows for one path, and no others: a plan has only so many clients, and rows take time."""
    if "{" not in path:
        return {}
    if "{staff_id}" in path or "{branch_id}" in path:
        return await add_staff(shop)
    if path.startswith(_OF_TEAM):
        is_of_applications = any(parameter in path for parameter in _OF_APPLICATIONS)
        return await (make_applications(shop) if is_of_applications else add_team(shop))
    return await add_records(shop, path)


async def add_records(shop: Shop, path: str = "") -> dict[str, UUID]:
    """Customers, settings and orders: all of them, or those that are in the path."""
    ids = {"tenant_id": shop.tenant_id}
    for parameters, add in _RECORDS.items():
        if not path or any(f"{{{parameter}}}" in path for parameter in parameters):
            added = await add(shop)
            ids |= added if isinstance(added, dict) else dict.fromkeys(parameters, added)
    return ids


async def add_order(shop: Shop) -> dict[str, UUID]:
    """An order of a series, with an address of its receipt."""
    order_id = await make_order(shop, 2, paid="12.50")
    await put_in_series(shop, order_id)
    return {"order_id": order_id, "link_id": await insert_receipt_link(shop, order_id)}


async def add_waiting(shop: Shop) -> UUID:
    return await make_waiting_entry(shop, await make_customer(shop), await make_service(shop), day(30), day(31))


async def add_team(shop: Shop) -> dict[str, UUID]:
    """Members, clients and applications."""
    member = await make_user(shop, Role.CASHIER)
    await give_second_factor(shop, member)
    await make_key(shop)
    (key,) = await shop.sql("SELECT id FROM api_keys WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1")
    client_id = (await make_client(shop)).id
    webhook_id, delivery_id = await add_delivery(shop, client_id)
    return {
        "client_id": client_id,
        "webhook_id": webhook_id,
        "delivery_id": delivery_id,
        "key_id": key["id"],
        "user_id": member,
        "invitation_id": await make_invitation(shop),
        "session_id": await make_session(shop, member),
        "factor_id": member,
        "account_message_id": await add_account_message(shop),
        "tenant_id": shop.tenant_id,
        **await make_applications(shop),
    }


async def add_account_message(shop: Shop) -> UUID:
    message = {"kind": "second_factor_changed", "email": "nora@people.example", "name": "Nora", "data": {}}
    (queued,) = await shop.sql(
        "SELECT queue_account_message($2) AS id WHERE $1::uuid IS NOT NULL", msgspec.json.encode(message).decode()
    )
    message_id: UUID = queued["id"]
    return message_id


async def add_staff(shop: Shop) -> dict[str, UUID]:
    """A staff member in a branch of their own, with a booking, requested time off, a day with other hours and feeds."""
    exception_id = uuid7()
    branch = await open_branch(shop)
    service_id = await branch.add_service(duration=30)
    staff_id, _ = await branch.add_provider(service_id), await branch.add_provider(service_id)
    order = await branch.place(line(service_id, staff_id=staff_id), start=start(day(5), "10:00"))
    await make_hour_exception(shop, day(9), [(600, 700)], staff_id=staff_id, id_=exception_id)
    begin, end = local(day(20), "09:00"), local(day(21), "09:00")
    time_off_id = await make_time_off(shop, staff_id, begin, end, "requested")
    await make_feed(shop, staff_id=staff_id)
    await make_feed(shop, branch_id=branch.branch_id)
    await make_external_calendar(shop, staff_id)
    return {
        "branch_id": branch.branch_id,
        "staff_id": staff_id,
        "booking_id": UUID((await branch.read(order["id"]))["bookings"][0]["id"]),
        "exception_id": exception_id,
        "time_off_id": time_off_id,
    }


async def add_catalogue(shop: Shop) -> dict[str, UUID]:
    """A service and a package that were never sold, and an empty category."""
    item_id, category_id = await make_service(shop), await make_category(shop)
    package_id = await make_package(shop, {await make_product(shop): 1})
    return {"item_id": item_id, "category_id": category_id, "package_id": package_id}


async def add_customers(shop: Shop) -> dict[str, UUID]:
    """Two that may be merged; the first one has a note, a photo and a tag."""
    customer_id, other_id = await make_customer(shop), await make_customer(shop)
    message = {"kind": "receipt", "email": "sara@example.com", "customer_id": str(customer_id), "data": {"link": "/"}}
    (queued,) = await shop.sql("SELECT queue_message($1, $2) AS id", msgspec.json.encode(message).decode())
    await change_row(shop, "messages", queued["id"], state="kept")
    return {
        "customer_id": customer_id,
        "other_id": other_id,
        "note_id": await make_note(shop, customer_id),
        "photo_id": await make_photo(shop, customer_id),
        "tag_id": await make_tag(shop, customer_id),
        "message_id": queued["id"],
    }


async def add_delivery(shop: Shop, client_id: UUID) -> tuple[UUID, UUID]:
    """A webhook of the client, and an event that could not be delivered to it.

    It is not subscribed to orders: in tests with many such webhooks each order would be queued for all of them.
    """
    webhook_id = await insert_webhook(shop, client_id)
    delivery_id = await insert_delivery(shop, webhook_id, await insert_event(shop))
    await insert_attempt(shop, delivery_id, answer="busy")
    return webhook_id, delivery_id


async def add_tax_class(shop: Shop) -> UUID:
    return await make_tax_class(shop, "5")


async def add_voucher(shop: Shop) -> UUID:
    return await make_payment_method(shop, kind="voucher")


_RECORDS: dict[tuple[str, ...], Callable[[Shop], Awaitable[UUID | dict[str, UUID]]]] = {
    ("customer_id", "other_id", "note_id", "photo_id", "tag_id", "message_id"): add_customers,
    ("class_id",): add_tax_class,
    ("rate_id",): make_commission_rate,
    ("method_id",): add_voucher,
    ("cashier_id",): make_cashier,
    ("import_id",): insert_import,
    ("item_id", "category_id", "package_id"): add_catalogue,
    ("order_id", "link_id"): add_order,
    ("close_id",): insert_day_close,
    ("shift_id",): insert_shift,
    ("entry_id",): add_waiting,
    ("view_id",): insert_order_view,
    ("notification_id",): insert_notification,
}
