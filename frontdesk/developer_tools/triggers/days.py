"""Days on which a branch or a staff member has other hours, is closed or is off. Both are created for it."""

from datetime import date, timedelta

from frontdesk.developer_tools.api import Document
from frontdesk.developer_tools.triggers.records import create_branch, create_staff
from frontdesk.developer_tools.triggers.stage import Stage


async def add_other_hours(stage: Stage) -> Document:
    member = await create_staff(stage)
    await _set_hours(stage, member, "09:00")
    return member


async def change_other_hours(stage: Stage) -> None:
    await _set_hours(stage, await add_other_hours(stage), "10:00")


async def delete_other_hours(stage: Stage) -> None:
    member = await add_other_hours(stage)
    await stage.delete("/staff/{}/hour-exceptions", member["id"], day=str(await _next_week(stage)))


async def _set_hours(stage: Stage, member: Document, begin: str) -> None:
    hours = [{"from": begin, "to": "12:00"}]
    await stage.write(
        "PUT", "/staff/{}/hour-exceptions", member["id"], day=str(await _next_week(stage)), intervals=hours
    )


async def add_time_off(stage: Stage, status: str = "approved") -> Document:
    member, day = await create_staff(stage), await _next_week(stage)
    end = day + timedelta(days=2)
    return await stage.post("/staff/{}/time-off", member["id"], start=f"{day}T00:00", end=f"{end}T00:00", status=status)


async def approve_time_off(stage: Stage) -> None:
    asked = await add_time_off(stage, "requested")
    await stage.post("/time-off/{}/approve", asked["id"])


async def delete_time_off(stage: Stage) -> None:
    added = await add_time_off(stage)
    await stage.delete("/time-off/{}", added["id"])


async def close_a_day(stage: Stage) -> None:
    branch = await create_branch(stage)
    await stage.post("/branches/{}/closed-days", branch["id"], **{"from": str(await _next_week(stage))})


async def _next_week(stage: Stage) -> date:
    now = (await stage.api.get("/sandbox/clock"))["now"]
    return date.fromisoformat(now[:10]) + timedelta(days=7)
