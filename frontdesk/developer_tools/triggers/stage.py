"""The sandbox in which events are made to happen. Every write is told."""

from collections.abc import Awaitable, Callable
from uuid import uuid4

from frontdesk.developer_tools.api import Api, Document


class Stage:
    def __init__(self, api: Api, tell: Callable[[str], None]) -> None:
        self.api = api
        self._tell = tell

    async def write(self, method: str, template: str, record_id: str = "", **fields: object) -> Document:
        record = await self.api.write(method, template, record_id, **fields)
        self._tell(f"{method} {template.format(record_id)}" + (f"  {record['id']}" if record.get("id") else ""))
        return record

    async def post(self, template: str, record_id: str = "", **fields: object) -> Document:
        return await self.write("POST", template, record_id, **fields)

    async def delete(self, template: str, record_id: str, **query: object) -> None:
        await self.api.delete(template, record_id, **query)
        self._tell(f"DELETE {template.format(record_id)}")

    def name(self) -> str:
        """Another each time, because many records may not share one."""
        return f"Trigger {uuid4().hex[:6]}"

    async def branch_id(self) -> str:
        branch: str = (await self.api.page("/branches", per_page=1))[0]["id"]
        return branch


Happening = Callable[[Stage], Awaitable[object]]
