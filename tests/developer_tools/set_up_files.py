"""`frontdesk export` and `frontdesk apply` on a business, and businesses to run them on."""

import asyncio
import subprocess
from pathlib import Path
from typing import Any
from uuid import UUID

import yaml

from frontdesk.auth.types import Role
from frontdesk.demo_data.create import Sandbox
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.values.ids import uuid7
from tests.developer_tools.running import credentials_of
from tests.factories.credentials import ApiClient, make_client
from tests.factories.users import make_user
from tests.support.connections import pooled_connection
from tests.support.dashboard import dashboard_of
from tests.support.programs.commands import run_here
from tests.support.service import PLENTY, Service
from tests.support.shop import Shop


class Business:
    """With a file of its set-up, which a test changes."""

    def __init__(self, client: ApiClient, folder: Path) -> None:
        self.client = client
        self.file = folder / f"{client.id}.yaml"

    async def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Without the log of the service of this process, which goes to the same output."""
        ended = await asyncio.to_thread(run_here, *arguments, **credentials_of(self.client))
        said = [line for line in ended.stdout.splitlines(keepends=True) if not line.startswith('{"')]
        return subprocess.CompletedProcess(arguments, ended.returncode, "".join(said), ended.stderr)

    async def export(self) -> str:
        ended = await self.run("export")
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    async def set_up(self) -> dict[str, Any]:
        found: dict[str, Any] = yaml.safe_load(await self.export())
        return found

    async def apply(self, set_up: object, *options: str) -> subprocess.CompletedProcess[str]:
        text = set_up if isinstance(set_up, str) else yaml.safe_dump(set_up, allow_unicode=True, sort_keys=False)
        self.file.write_text(text, "utf-8")
        return await self.run("apply", str(self.file), *options)

    async def applied(self, set_up: object, *options: str) -> list[str]:
        """The lines of the plan, which succeeds and leaves nothing to do."""
        ended = await self.apply(set_up, "--yes", *options)
        assert ended.returncode == 0, ended.stderr
        again = await self.run("apply", str(self.file), "--plan", *options)
        assert again.stdout.startswith("nothing to do: "), again.stdout
        return [line for line in ended.stdout.splitlines() if line[:2] in {"+ ", "~ ", "- "}]


async def demo_business(service: Service, folder: Path) -> Business:
    return Business(await make_client(await service.new_shop(), rate_limit=PLENTY), folder)


async def new_business(service: Service, folder: Path, branch: str = "Main") -> Business:
    """As it is right after it was opened, with one branch, cash and card; a person has added what only people can."""
    new = NewTenant("Second", branch, Plan.PROFESSIONAL, "Asia/Riyadh", "SAR", ("ar", "en"), None, "SA")
    async with pooled_connection(service.dsn) as raw:
        tenant_id: UUID = await register_tenant(Connection(raw), new)
    nobody = Sandbox(tenant_id, "Asia/Riyadh", "SAR", client_id="", client_secret="", api_key="", email="", password="")
    shop = Shop(service.origin, service.dsn, nobody, service.http)
    async with await dashboard_of(shop, await make_user(shop, Role.OWNER)) as desk:
        transfer = {"id": str(uuid7()), "type": "bank_transfer", "name_en": "Bank transfer", "name_ar": "حوالة بنكية"}
        assert (await desk.post("/settings/payment-methods/new", transfer)).status_code == 303
    return Business(await make_client(shop, rate_limit=PLENTY), folder)
