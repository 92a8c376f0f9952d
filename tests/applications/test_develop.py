"""What a developer writes into an application, and what is refused with a reason."""

import struct

import httpx2
import pytest

from frontdesk.applications.pictures import measure
from frontdesk.values.ids import uuid7
from tests.factories.used_up import forget_attempts
from tests.support.applications import ABOUT, Developer, new_developer, scope_fields, shown
from tests.support.dashboard import DashboardClient
from tests.support.service import Service, running_service

PNG = b"\x89PNG\r\n\x1a\n" + bytes(4) + b"IHDR"


def png(width: int, height: int) -> bytes:
    return PNG + struct.pack(">II", width, height) + bytes(5)


async def test_missing_fields_are_shown_all_at_once(developer: Developer) -> None:
    application_id = uuid7()
    await developer.send("/developer/applications/new", {"id": str(application_id), "name": "Books"})
    page = await developer.step(application_id, "submit", status=422)
    for text in ("It needs a description.", "It needs links to support", "It requests no scope."):
        assert text in page


@pytest.mark.parametrize(
    ("part", "fields", "error"),
    [
        ("about", {"name": ""}, "Fill in this field."),
        ("about", {"name": "x", **ABOUT, "link_support": "http://books.example"}, "begins with https://"),
        ("about", {"name": "x", **ABOUT, "link_privacy": "javascript:alert(1)"}, "begins with https://"),
        ("scopes", scope_fields({"orders:read": ("", True)}), "Fill in this field."),
        ("scopes", {"scope": ["orders:all"], "need": ["required"], "reason": ["x"]}, "Choose one from the list."),
        ("scopes", {"scope": ["orders:read"], "need": ["required"], "reason": []}, "The rows of the form do not match"),
        ("webhooks", {"url": "https://127.0.0.1/hook", "events": ["order.created"]}, "private network"),
        ("webhooks", {"url": "https://hooks.example.com/", "events": []}, "Select at least 1."),
        ("webhooks", {"url": "https://hooks.example.com/", "events": ["customer.created"]}, "needs the scope"),
        ("payment-methods", {"name_en": ["a", "b", "c", "d"], "name_ar": ["", "", "", ""]}, "at most 3"),
    ],
)
async def test_invalid_fields_of_an_application_are_refused(
    developer: Developer, part: str, fields: dict[str, object], error: str
) -> None:
    application_id = await developer.draft()
    before = await everything(developer)
    answer = await developer.send(f"/developer/applications/{application_id}/{part}", fields, status=422)
    assert error in answer
    assert await everything(developer) == before


async def test_of_a_scope_that_is_asked_for_twice_the_last_counts(developer: Developer) -> None:
    application_id = await developer.draft()
    fields = {"scope": ["orders:read"] * 2, "need": ["required", "optional"], "reason": ["first", "second"]}
    await developer.send(f"/developer/applications/{application_id}/scopes", fields)
    assert "second" in "".join(await everything(developer))


async def everything(developer: Developer) -> list[str]:
    rows = await developer.sandbox.sql(
        "SELECT a::text || coalesce((SELECT string_agg(s::text, '' ORDER BY s.scope) FROM application_scopes s "
        "WHERE s.application_id = a.id), '') AS row FROM applications a "
        "WHERE developer_id = $2 AND $1::uuid IS NOT NULL",
        developer.user_id,
    )
    return [row["row"] for row in rows]


async def test_pictures_are_shown_to_users_who_may_see_the_application(
    developer: Developer, operator: DashboardClient, owner: DashboardClient
) -> None:
    application_id = await developer.draft()
    assert (await send_picture(developer, application_id, png(64, 64))).status_code == 303
    (row,) = await developer.sandbox.sql(
        "SELECT id FROM application_pictures WHERE application_id = $2 AND $1::uuid IS NOT NULL", application_id
    )
    here = f"/applications/pictures/{row['id']}"
    for desk, status in ((developer.desk, 200), (operator, 200), (owner, 404)):
        assert (await desk.get(here)).status_code == status
    picture = await developer.desk.get(here)
    assert (picture.content, picture.headers["content-type"]) == (png(64, 64), "image/png")
    assert picture.headers["x-content-type-options"] == "nosniff"
    await developer.send(f"/developer/applications/{application_id}/pictures/{row['id']}/remove")
    assert (await developer.desk.get(here)).status_code == 404


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "Choose a picture."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "PNG or JPEG"),
        (PNG, "PNG or JPEG"),
        (png(64, 32), "Choose a square picture."),
        (png(5000, 5000), "4096 pixels"),
        (png(64, 64) + bytes(600_000), "512 kB"),
    ],
)
async def test_what_is_no_good_picture_is_refused(developer: Developer, content: bytes, error: str) -> None:
    application_id = await developer.draft()
    answer = await send_picture(developer, application_id, content)
    assert answer.status_code == 422
    assert error in answer.text


async def send_picture(developer: Developer, application_id: object, content: bytes) -> httpx2.Response:
    here = f"/developer/applications/{application_id}/pictures"
    fields = {"id": str(uuid7()), "role": "icon", "alt_text": "A square"}
    sent = {"form_token": await developer.desk.form_token(), **fields}
    files = {"picture": ("mark.png", content, "image/png")}
    return await developer.desk.http.post(here, data=sent, files=files, headers={"origin": developer.desk.origin})


def test_the_size_of_a_jpeg_is_found_behind_its_other_parts() -> None:
    jpeg = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + struct.pack(">HH", 20, 30) + bytes(9)
    assert measure(jpeg) == ("image/jpeg", 30, 20)
    for broken in (jpeg[:9], b"\xff\xd8\xff", b"\xff\xd8\xff\xd9\x00\x00", png(0, 1)):
        assert measure(broken) is None


async def test_a_developer_signs_up_with_a_sandbox_that_works_at_once(
    service: Service, stranger: DashboardClient
) -> None:
    await forget_attempts(service.dsn)
    form = {"name": "Dina", "company": "Qabas", "email": f"{uuid7().hex}@people.example", "password": "long enough!"}
    ready = await stranger.post("/developers/sign-up", form, page="/developers/sign-up")
    assert ready.status_code == 200
    names = shown(ready.text)
    asked = {
        "grant_type": "client_credentials",
        "client_id": names["client-id"],
        "client_secret": names["client-secret"],
    }
    answer = await service.http.post("/open-api/v1/oauth/token", json=asked)
    token = answer.json()["access_token"]
    orders = await service.http.get("/open-api/v1/orders", headers={"authorization": f"Bearer {token}"})
    assert orders.json()["meta"]["total"] > 0
    assert orders.headers["x-ratelimit-limit"] == "600"
    assert "New application" in (await stranger.get("/developer")).text
    assert names["client-secret"] not in (await stranger.get("/developer")).text


async def test_signing_up_is_refused_by_field_and_throttled_by_address(dsn: str) -> None:
    async with running_service(dsn) as service, DashboardClient(service.origin, service.dsn) as desk:
        form = {"name": "Dina", "company": " ", "email": "nobody", "password": "short"}
        answer = await desk.post("/developers/sign-up", form, page="/developers/sign-up")
        assert answer.status_code == 422
        await forget_attempts(dsn)
        seen = []
        for _ in range(4):
            wrong = await desk.post("/developers/sign-up", {**form, "company": "Qabas"}, page="/developers/sign-up")
            seen.append(wrong.status_code)
        assert seen == [422, 422, 422, 429]
        await forget_attempts(dsn)


async def test_an_operator_can_close_the_sign_up_of_developers(dsn: str) -> None:
    async with (
        running_service(dsn, developer_sign_up=False) as service,
        DashboardClient(service.origin, service.dsn) as desk,
    ):
        assert (await desk.get("/developers/sign-up")).status_code == 403
        assert "/developers/sign-up" not in (await desk.get("/sign-in")).text


async def test_nobody_touches_the_application_of_another_developer(service: Service, developer: Developer) -> None:
    other = await new_developer(service)
    application_id = await other.draft()
    for part in ("about", "scopes", "webhooks", "payment-methods", "secret", "submit", "withdraw"):
        fields = {"name": "Mine", "url": "", **scope_fields({}), "name_en": "", "name_ar": ""}
        await developer.send(f"/developer/applications/{application_id}/{part}", fields, status=404)
    await other.desk.http.aclose()
