"""What the pages of a business lead to: a fresh row for each parameter of their paths."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.calendars import make_feed, make_outside_calendar
from tests.factories.catalog import (
    branch_of,
    make_cashier,
    make_package,
    make_payment_method,
    make_product,
    make_service,
    make_tax_class,
)
from tests.factories.credentials import make_client, make_key
from tests.factories.imports import insert_import
from tests.factories.orders import make_order
from tests.factories.people import make_customer, make_hour_exception
from tests.factories.users import give_second_factor, make_user
from tests.factories.webhooks import insert_attempt, insert_delivery, insert_event, insert_webhook
from tests.support.salon import day, line, open_salon, start
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
        return await (add_applications(shop) if is_of_applications else add_team(shop))
    return await add_records(shop, path)


async def add_records(shop: Shop, path: str = "") -> dict[str, UUID]:
    """Customers, settings and orders: all of them, or those that are in the path."""
    ids = {"tenant_id": shop.tenant_id}
    for parameters, add in _RECORDS.items():
        if not path or any(f"{{{parameter}}}" in path for parameter in parameters):
            added = await add(shop)
            ids |= added if isinstance(added, dict) else dict.fromkeys(parameters, added)
    return ids


async def add_rate(shop: Shop) -> UUID:
    rate_id = uuid7()
    await shop.sql(
        "INSERT INTO commission_rates (tenant_id, id, starts_on, percent) "
        "SELECT $1, $2, date '2020-01-01' + count(*)::integer, 30 FROM commission_rates WHERE tenant_id = $1",
        rate_id,
    )
    return rate_id


async def add_order_view(shop: Shop) -> UUID:
    view_id = uuid7()
    await shop.sql(
        "INSERT INTO order_views (tenant_id, id, name, query) VALUES ($1, $2, $2::uuid::text, 'status=draft')", view_id
    )
    return view_id


async def add_closed_day(shop: Shop) -> UUID:
    close_id = uuid7()
    await shop.sql(
        "INSERT INTO day_closes (tenant_id, id, close_number, branch_id, day, starts_at, ends_at, currency, cashiers, "
        "day_cashiers, closed_by_type, closed_at) "
        "SELECT $1, $2, (SELECT count(*) + 1 FROM day_closes WHERE tenant_id = $1), id, "
        "local_today('Asia/Riyadh') - (SELECT count(*) FROM day_closes WHERE tenant_id = $1)::integer, now(), now(), "
        "'SAR', '[]', '[]', 'system', now() FROM branches WHERE tenant_id = $1 ORDER BY created_at LIMIT 1",
        close_id,
    )
    return close_id


async def add_order(shop: Shop) -> dict[str, UUID]:
    """An order of a series, with an address of its receipt."""
    order_id, link_id, series_id = await make_order(shop, 2, paid="12.50"), uuid7(), uuid7()
    await shop.sql("INSERT INTO order_series (tenant_id, id, every_weeks) VALUES ($1, $2, 2)", series_id)
    await shop.sql(
        "UPDATE orders SET series_id = $3, starts_at = now() + interval '5 days' WHERE tenant_id = $1 AND id = $2",
        order_id,
        series_id,
    )
    await shop.sql("INSERT INTO receipt_links (tenant_id, id, order_id) VALUES ($1, $2, $3)", link_id, order_id)
    return {"order_id": order_id, "link_id": link_id}


async def add_waiting(shop: Shop) -> UUID:
    entry_id = uuid7()
    await shop.sql(
        "INSERT INTO waiting_list (tenant_id, id, customer_id, item_id, first_day, last_day) "
        "VALUES ($1, $2, $3, $4, '2030-01-01', '2030-01-02')",
        entry_id,
        await make_customer(shop),
        await make_service(shop),
    )
    return entry_id


async def add_team(shop: Shop) -> dict[str, UUID]:
    """Members, clients and applications."""
    invitation_id, session_id, member = uuid7(), uuid7(), await make_user(shop, Role.CASHIER)
    await give_second_factor(shop, member)
    await shop.sql(
        "INSERT INTO invitations (tenant_id, id, token_hash, email, role, expires_at) "
        "VALUES ($1, $2, $3, 'guest@people.example', 'receptionist', now() + interval '1 day')",
        invitation_id,
        invitation_id.bytes,
    )
    await shop.sql(
        "INSERT INTO sessions (id, token_hash, user_id, remember_me, address, user_agent, expires_at) "
        "SELECT $2, $3, $4, false, '', '', now() + interval '1 day' WHERE $1::uuid IS NOT NULL",
        session_id,
        session_id.bytes,
        member,
    )
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
        "invitation_id": invitation_id,
        "session_id": session_id,
        "factor_id": member,
        "account_message_id": await add_account_message(shop),
        "tenant_id": shop.tenant_id,
        **await add_applications(shop),
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
    exception_id, time_off_id = uuid7(), uuid7()
    studio = await open_salon(shop)
    service_id = await studio.add_service(duration=30)
    staff_id, _ = await studio.add_provider(service_id), await studio.add_provider(service_id)
    order = await studio.place(line(service_id, staff_id=staff_id), start=start(day(5), "10:00"))
    await make_hour_exception(shop, day(9), [(600, 700)], staff_id=staff_id, id_=exception_id)
    await shop.sql(
        """
        INSERT INTO time_off (tenant_id, id, staff_id, during, status)
        VALUES ($1, $2, $3, tstzrange(now() + interval '20 days', now() + interval '21 days'), 'requested')
        """,
        time_off_id,
        staff_id,
    )
    await make_feed(shop, staff_id=staff_id)
    await make_feed(shop, branch_id=studio.branch_id)
    await make_outside_calendar(shop, staff_id)
    return {
        "branch_id": studio.branch_id,
        "staff_id": staff_id,
        "booking_id": UUID((await studio.read(order["id"]))["bookings"][0]["id"]),
        "exception_id": exception_id,
        "time_off_id": time_off_id,
    }


async def add_catalogue(shop: Shop) -> dict[str, UUID]:
    """A service and a package that were never sold, and an empty category."""
    category_id, item_id = uuid7(), await make_service(shop)
    await shop.sql(
        'INSERT INTO categories (tenant_id, id, branch_id, name, slug) VALUES ($1, $2, $3, \'{"en": "Care"}\', $4)',
        category_id,
        await branch_of(shop),
        str(category_id),
    )
    package_id = await make_package(shop, {await make_product(shop): 1})
    return {"item_id": item_id, "category_id": category_id, "package_id": package_id}


async def add_customers(shop: Shop) -> dict[str, UUID]:
    """Two that may be merged; the first one has a note and a tag."""
    customer_id, other_id, note_id, tag_id = await make_customer(shop), await make_customer(shop), uuid7(), uuid7()
    await shop.sql(
        """
        WITH note AS (INSERT INTO customer_notes (tenant_id, id, customer_id, text) VALUES ($1, $3, $2, 'Early')),
        tag AS (INSERT INTO tags (tenant_id, id, model, name, name_folded)
                VALUES ($1, $4::uuid, 'customers', $4::uuid, $4::uuid))
        SELECT
        """,
        customer_id,
        note_id,
        tag_id,
    )
    await shop.sql(
        "INSERT INTO customer_tags (tenant_id, customer_id, tag_id) VALUES ($1, $2, $3)", customer_id, tag_id
    )
    message = {"kind": "receipt", "email": "sara@example.com", "customer_id": str(customer_id), "data": {"link": "/"}}
    (queued,) = await shop.sql("SELECT queue_message($1, $2) AS id", msgspec.json.encode(message).decode())
    await shop.sql("UPDATE messages SET state = 'kept' WHERE tenant_id = $1 AND id = $2", queued["id"])
    return {
        "customer_id": customer_id,
        "other_id": other_id,
        "note_id": note_id,
        "tag_id": tag_id,
        "message_id": queued["id"],
    }


async def add_applications(shop: Shop) -> dict[str, UUID]:
    """A draft of the developer whose sandbox this is, which no other user may see; and one that is installed."""
    user_id, draft_id, installed_id, picture_id, install_id, client_id = (uuid7() for _ in range(6))
    await shop.sql(
        """
        WITH person AS (INSERT INTO users (id, email, name)
                       VALUES ($2::uuid, $2::uuid || '@people.example', 'Nora Tester')),
        developer AS (INSERT INTO developers (user_id, name, sandbox_id) VALUES ($2, 'Qabas', $1)),
        apps AS (INSERT INTO applications (id, developer_id, name, slug)
                 SELECT id, $2, 'Books', id::text FROM unnest(ARRAY[$3, $4]::uuid[]) AS id),
        asked AS (INSERT INTO application_scopes (application_id, scope, reason, required)
                  SELECT id, 'orders:read', 'To know what is booked', true FROM unnest(ARRAY[$3, $4]::uuid[]) AS id),
        picture AS (INSERT INTO application_pictures (id, application_id, role, media_type, width, height, alt_text,
                                                      content)
                    VALUES ($5, $3, 'icon', 'image/png', 1, 1, 'A dot', '\\x00')),
        installed AS (INSERT INTO installs (tenant_id, id, application_id) VALUES ($1, $6, $4))
        INSERT INTO api_clients (tenant_id, id, install_id, name, secret_hash, scopes)
        VALUES ($1, $7, $6, 'Books', '\\x00', '{orders:read}')
        """,
        user_id,
        draft_id,
        installed_id,
        picture_id,
        install_id,
        client_id,
    )
    return {"application_id": draft_id, "picture_id": picture_id, "install_id": install_id}


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


async def add_notification(shop: Shop) -> UUID:
    """Of a user who is not a member: nobody finds it."""
    notification_id = uuid7()
    await shop.sql(
        "INSERT INTO notifications (tenant_id, id, user_id, order_id, kind, starts_at, changed_by, on_bell, "
        "created_at) VALUES ($1, $2, $2, $3, 'new', now(), 'customer', true, now())",
        notification_id,
        await make_order(shop, 1),
    )
    return notification_id


_RECORDS: dict[tuple[str, ...], Callable[[Shop], Awaitable[UUID | dict[str, UUID]]]] = {
    ("customer_id", "other_id", "note_id", "tag_id", "message_id"): add_customers,
    ("class_id",): add_tax_class,
    ("rate_id",): add_rate,
    ("method_id",): add_voucher,
    ("cashier_id",): make_cashier,
    ("import_id",): insert_import,
    ("item_id", "category_id", "package_id"): add_catalogue,
    ("order_id", "link_id"): add_order,
    ("close_id",): add_closed_day,
    ("entry_id",): add_waiting,
    ("view_id",): add_order_view,
    ("notification_id",): add_notification,
}
