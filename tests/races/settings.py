"""Changes of a business's configuration while others sell: applications, API clients, hours, prices."""

import asyncio
from functools import partial
from random import Random
from uuid import UUID

from frontdesk.applications.change_scopes import change_scopes
from frontdesk.applications.disconnect import disconnect
from frontdesk.applications.queries.installs import list_installs
from frontdesk.applications.review import approve, suspend
from frontdesk.applications.rotate_secret import rotate_install_secret
from frontdesk.auth.client_queries import insert_client
from frontdesk.auth.clients import approve_scopes, remove_client, rotate_secret
from frontdesk.availability.affected_bookings import refuse_affected_bookings
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.staff.hour_types import HoursOwner, WeeklyHours
from frontdesk.staff.weekly_hours import SetWorkingHours
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import EventType
from tests.factories.users import owner_of
from tests.races.fixture import SYSTEM, RaceFixture
from tests.races.programs import SCOPES, VAULT, VERSION, add_application, install_at
from tests.support.acts import subscribe

APPLICATIONS = 3
_KINDS = ["suspend", "approve", "install", "install", "disconnect", "scopes", "secret", "client", "hours", "price"]


class SettingsChanges:
    def __init__(self, race: RaceFixture) -> None:
        self.race = race
        self._applications: list[UUID] = []
        self._adding = asyncio.Lock()

    def next(self, rng: Random) -> str:
        return rng.choice(_KINDS)

    async def change(self, kind: str, conn: Connection, rng: Random) -> None:
        """Raises a Problem where the change is not possible at the moment."""
        application_id = rng.choice(await self._some_applications())
        match kind:
            case "suspend":
                await suspend(conn, application_id, None, "Fraud")
            case "approve":
                await approve(conn, application_id, None, VERSION)
            case "install":
                await install_at(conn, self.race.tenant, application_id, await owner_of(self.race.shop))
            case "client":
                await self._come_and_go(conn, rng)
            case "hours" | "price":
                await self._change_books(kind, conn, rng)
            case _:
                await self._change_install(kind, conn, rng)

    async def _some_applications(self) -> list[UUID]:
        async with self._adding:
            while len(self._applications) < APPLICATIONS:
                self._applications.append(await add_application(self.race.shop))
        return self._applications

    async def _change_install(self, kind: str, conn: Connection, rng: Random) -> None:
        tenant_id = self.race.tenant_id
        installs = [one for one in await list_installs(conn, tenant_id) if one.application_id in self._applications]
        if not installs:
            return await self.change("install", conn, rng)
        chosen = rng.choice(installs)
        if kind == "disconnect":
            await disconnect(conn, tenant_id, chosen.id)
        elif kind == "scopes":
            scopes = rng.sample(SCOPES, rng.randint(1, 2))
            await change_scopes(conn, self.race.tenant, chosen.id, scopes, VERSION)
        else:
            await rotate_install_secret(conn, tenant_id, chosen.id, chosen.secret_version, keep_old=True)
        return None

    async def _come_and_go(self, conn: Connection, rng: Random) -> None:
        """A client with webhooks, whose scopes and secret change before it is deleted."""
        tenant_id, client_id = self.race.tenant_id, uuid7()
        await insert_client(conn, tenant_id, client_id, name="Guest", secret_hash=client_id.bytes * 2, scopes=["*"])
        for _ in range(2):
            events = rng.sample(list(EventType), 4)
            await subscribe(conn, self.race.tenant, client_id, VAULT, "https://hooks.example.com", events)
        await rotate_secret(conn, tenant_id, client_id, 1, keep_old=True)
        await approve_scopes(conn, tenant_id, client_id, SCOPES)
        await asyncio.sleep(rng.random() / 10)
        await remove_client(conn, tenant_id, client_id)

    async def _change_books(self, kind: str, conn: Connection, rng: Random) -> None:
        """The hours and the price stay: orders are placed and paid in ways that count on them."""
        if kind == "hours":
            owner, always = HoursOwner(staff_id=rng.choice(self.race.staff)), WeeklyHours(all_time=True, intervals=())
            guard = partial(refuse_affected_bookings, tenant=self.race.tenant, owner=owner, confirmed="")
            await run(conn, self.race.tenant, SetWorkingHours(owner, always), actor=SYSTEM, guard=guard)
            return
        await conn.execute(
            """
            UPDATE items SET offer_price = CASE WHEN offer_price IS NULL THEN price END
            WHERE tenant_id = $1 AND id = $2
            """,
            self.race.tenant_id,
            self.race.service_id,
        )
