"""Applications as their developers make them, through the pages that they would use."""

import re
from typing import Any
from uuid import UUID

from frontdesk.auth.scopes import Scope
from frontdesk.values.ids import uuid7
from tests.factories.users import make_developer, make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop

SCOPES = {"orders:read": ("To know what is booked", True), "items:read": ("To name what was sold", False)}
ABOUT = {
    "description_en": "Keeps your books",
    "description_ar": "يمسك دفاترك",
    "link_support": "https://books.example/help",
    "link_privacy": "https://books.example/privacy",
}
_VERSION = re.compile(r'name="version" value="([0-9]+)"')
_CODE = re.compile(r'<code id="([a-z-]+)">([^<]+)</code>')


class Developer:
    """A developer with a business and a sandbox of their own."""

    def __init__(self, desk: DashboardClient, user_id: UUID, sandbox: Shop) -> None:
        self.desk = desk
        self.user_id = user_id
        self.sandbox = sandbox

    async def draft(self, name: str = "Books", scopes: dict[str, tuple[str, bool]] | None = None, **about: str) -> UUID:
        """With everything that a review needs."""
        application_id = uuid7()
        await self.send("/developer/applications/new", {"id": str(application_id), "name": name})
        here = f"/developer/applications/{application_id}"
        await self.send(f"{here}/about", {"name": name, **ABOUT, **about})
        await self.send(f"{here}/scopes", scope_fields(SCOPES if scopes is None else scopes))
        return application_id

    async def send(self, path: str, fields: Any = None, status: int = 303) -> str:
        answer = await self.desk.post(path, fields, page="/developer")
        assert answer.status_code == status, answer.text
        return answer.text

    async def step(self, application_id: UUID, step: str, status: int = 303) -> str:
        return await self.send(f"/developer/applications/{application_id}/{step}", status=status)


def scope_fields(asked: dict[str, tuple[str, bool]]) -> dict[str, list[str]]:
    """One entry a scope, as the page sends them."""
    needs = {scope: "required" if required else "optional" for scope, (_, required) in asked.items()}
    return {
        "scope": [scope.value for scope in Scope],
        "need": [needs.get(scope, "no") for scope in Scope],
        "reason": [asked[scope][0] if scope in asked else "" for scope in Scope],
    }


async def new_developer(service: Service) -> Developer:
    """As sign-up leaves them, without its throttle."""
    sandbox = await service.new_shop()
    user_id = await owner_of(sandbox)
    await make_developer(sandbox, user_id)
    return Developer(await dashboard_of(sandbox, user_id), user_id, sandbox)


async def new_operator(shop: Shop) -> DashboardClient:
    return await dashboard_of(shop, await make_user(shop, None, operator=True, name="Omar Operator"))


async def decide(operator: DashboardClient, application_id: UUID, decision: str, reason: str = "") -> int:
    """About the version that the page shows. Forms of people without a business are bound to none."""
    version = await shown_version(operator, f"/operator/applications/{application_id}")
    fields = {"reason": reason, "version": version}
    return (await operator.post(f"/operator/applications/{application_id}/{decision}", fields)).status_code


async def shown_version(desk: DashboardClient, page: str) -> str:
    """The version that the form of a page carries; 0 where there is no such form."""
    found = _VERSION.search((await desk.get(page)).text)
    return found[1] if found else "0"


async def approved(developer: Developer, operator: DashboardClient, **draft: Any) -> UUID:
    application_id = await developer.draft(**draft)
    await developer.step(application_id, "submit")
    assert await decide(operator, application_id, "approve") == 303
    return application_id


class Installed:
    """An application that a business has let in, with the credentials that were shown once."""

    def __init__(self, shop: Shop, desk: DashboardClient, install_id: UUID, page: str) -> None:
        self.shop = shop
        self.desk = desk
        self.id = install_id
        self.here = f"/settings/applications/installed/{install_id}"
        self.shown = shown(page)

    async def token(self) -> str:
        names = {"client_id": self.shown["client-id"], "client_secret": self.shown["client-secret"]}
        answer = await self.shop.ask_for_token(**names)
        assert answer.status_code == 200, answer.text
        token: str = answer.json()["access_token"]
        return token

    async def post(self, part: str, fields: Any = None) -> int:
        return (await self.desk.post(f"{self.here}/{part}", fields)).status_code

    async def tick(self, *scopes: str) -> int:
        """On the page as it is now."""
        version = await shown_version(self.desk, self.here)
        return await self.post("scopes", {"version": version, "scopes": list(scopes)})


async def install(desk: DashboardClient, shop: Shop, application_id: UUID, *scopes: str) -> Installed:
    install_id = uuid7()
    here = f"/settings/applications/directory/{application_id}"
    fields = {"id": str(install_id), "version": await shown_version(desk, here), "scopes": list(scopes)}
    answer = await desk.post(here, fields)
    assert answer.status_code == 200, answer.text
    return Installed(shop, desk, install_id, answer.text)


def shown(page: str) -> dict[str, str]:
    """What a page shows to be copied, by its name."""
    return dict(_CODE.findall(page))
