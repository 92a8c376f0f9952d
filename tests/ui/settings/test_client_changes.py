"""The pages of a client and of an application with the changes of the API that concern them."""

from pathlib import Path

from tests.apis.openapi.made_up_changelog import made_up_changelog
from tests.factories.applications import install_application
from tests.factories.credentials import make_client
from tests.support.applications import new_developer
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually


async def test_a_client_has_the_changes_of_what_it_calls(
    own_shop: Shop, owner: DashboardClient, tmp_path: Path
) -> None:
    client, other = [await make_client(own_shop) for _ in range(2)]
    assert (await own_shop.get("/limits", token=await client.token())).status_code == 200
    assert (await own_shop.get("/items", token=await other.token())).status_code == 200
    path = f"/settings/api/clients/{client.id}"
    assert f'href="{path}/changes"' in (await owner.get(path)).text

    async def is_listed() -> bool:
        return "GET /limits ?at" in (await owner.get(f"{path}/changes")).text

    with made_up_changelog(tmp_path):
        await eventually(is_listed)
        shown = texts((await owner.get(f"{path}/changes")).text)
        assert "4 March 2027" in shown
        assert "is a new parameter" in shown
        assert "Compatible" in shown
        assert "January 2027" not in shown, "everything is new in the first description"
        assert "deprecated" not in shown, "which concerns the other client"
        others = texts((await owner.get(f"/settings/api/clients/{other.id}/changes")).text)
        assert "GET /items" in others
        assert "Deprecated" in others
    assert "Nothing has changed for this client" in texts((await owner.get(f"{path}/changes")).text)


async def test_a_developer_has_the_changes_of_what_an_application_calls_anywhere(
    own_shop: Shop, service: Service, tmp_path: Path
) -> None:
    developer, stranger = [await new_developer(service) for _ in range(2)]
    application_id = await developer.draft()
    app = await make_client(own_shop, install_id=await install_application(own_shop, application_id))
    assert (await own_shop.get("/limits", token=await app.token())).status_code == 200
    path = f"/developer/applications/{application_id}"
    assert f'href="{path}/changes"' in (await developer.desk.get(path)).text

    async def is_listed() -> bool:
        return "GET /limits ?at" in (await developer.desk.get(f"{path}/changes")).text

    with made_up_changelog(tmp_path):
        await eventually(is_listed)
        assert "GET /items" not in texts((await developer.desk.get(f"{path}/changes")).text)
    assert "Nothing has changed for this application" in texts((await developer.desk.get(f"{path}/changes")).text)
    assert (await stranger.desk.get(f"{path}/changes")).status_code == 404
    for one in (developer, stranger):
        await one.desk.http.aclose()
