"""What a business sets up: items, categories, packages, staff, branches, payment methods, tax classes, settings."""

from frontdesk.developer_tools.api import Document
from frontdesk.developer_tools.triggers.stage import Stage


async def create_item(stage: Stage) -> Document:
    branch_id = await stage.branch_id()
    return await stage.post(
        "/items", type="service", name={"en": stage.name()}, price=50, duration=30, branch_id=branch_id
    )


async def update_item(stage: Stage) -> None:
    item = await create_item(stage)
    await stage.write("PATCH", "/items/{}", item["id"], price=60)


async def delete_item(stage: Stage) -> None:
    item = await create_item(stage)
    await stage.delete("/items/{}", item["id"])


async def move_stock(stage: Stage) -> None:
    branch_id = await stage.branch_id()
    item = await stage.post("/items", type="product", name={"en": stage.name()}, price=20, stock=5, branch_id=branch_id)
    await stage.post("/items/{}/stock-movements", item["id"], reason="delivery", quantity=3)


async def create_category(stage: Stage) -> Document:
    return await stage.post("/categories", name={"en": stage.name()}, branch_id=await stage.branch_id())


async def update_category(stage: Stage) -> None:
    category = await create_category(stage)
    await stage.write("PATCH", "/categories/{}", category["id"], name={"en": stage.name()})


async def delete_category(stage: Stage) -> None:
    category = await create_category(stage)
    await stage.delete("/categories/{}", category["id"])


async def create_package(stage: Stage) -> Document:
    item = await create_item(stage)
    parts = [{"item_id": item["id"], "quantity": 2}]
    return await stage.post(
        "/packages", name={"en": stage.name()}, branch_id=item["branch"]["id"], items=parts, price=90
    )


async def update_package(stage: Stage) -> None:
    package = await create_package(stage)
    await stage.write("PATCH", "/packages/{}", package["id"], price=80)


async def delete_package(stage: Stage) -> None:
    package = await create_package(stage)
    await stage.delete("/packages/{}", package["id"])


async def create_staff(stage: Stage) -> Document:
    return await stage.post("/staff", name=stage.name(), branch_id=await stage.branch_id())


async def update_staff(stage: Stage) -> None:
    """What they perform is part of their record."""
    member = await create_staff(stage)
    item = await create_item(stage)
    await stage.write("PATCH", "/items/{}", item["id"], staff_ids=[member["id"]])


async def set_working_hours(stage: Stage) -> None:
    member = await create_staff(stage)
    morning = [{"day": "sun", "from": "09:00", "to": "13:00"}]
    await stage.write("PUT", "/staff/{}/working-hours", member["id"], intervals=morning)


async def create_branch(stage: Stage) -> Document:
    return await stage.post("/branches", name=stage.name())


async def update_branch(stage: Stage) -> None:
    branch = await create_branch(stage)
    await stage.write("PATCH", "/branches/{}", branch["id"], address="Changed by a trigger")


async def create_payment_method(stage: Stage) -> Document:
    return await stage.post("/payment-methods", name=stage.name(), type="other")


async def update_payment_method(stage: Stage) -> None:
    method = await create_payment_method(stage)
    await stage.write("PATCH", "/payment-methods/{}", method["id"], name={"en": stage.name()})


async def delete_payment_method(stage: Stage) -> None:
    method = await create_payment_method(stage)
    await stage.delete("/payment-methods/{}", method["id"])


async def create_tax_class(stage: Stage) -> Document:
    rates = [{"starts_on": "2026-01-01", "rate": 5}]
    return await stage.post("/tax-classes", name={"en": stage.name()}, rates=rates)


async def update_tax_class(stage: Stage) -> None:
    tax_class = await create_tax_class(stage)
    await stage.write("PATCH", "/tax-classes/{}", tax_class["id"], name={"en": stage.name()})


async def delete_tax_class(stage: Stage) -> None:
    tax_class = await create_tax_class(stage)
    await stage.delete("/tax-classes/{}", tax_class["id"])


async def update_settings(stage: Stage) -> None:
    await stage.write("PATCH", "/settings", invoice_note={"en": stage.name()})


async def update_booking_page(stage: Stage) -> None:
    await stage.write("PATCH", "/settings/booking-page", about={"en": stage.name()})


async def update_drawers(stage: Stage) -> None:
    settings = await stage.api.get("/settings/drawers")
    await stage.write("PATCH", "/settings/drawers", blind_count=not settings["blind_count"])


async def update_messages(stage: Stage) -> None:
    settings = await stage.api.get("/settings/messages")
    await stage.write("PATCH", "/settings/messages", reminder_hours=25 - settings["reminder_hours"] % 24)
