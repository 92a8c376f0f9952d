"""The credentials of a new sandbox, as JSON and as text."""

from uuid import UUID

import msgspec

from frontdesk.demo_data.create import Sandbox


class Report(msgspec.Struct, frozen=True):
    base_url: str
    key_api_base_url: str
    origin: str
    tenant_id: UUID
    timezone: str
    currency: str
    client_id: str
    client_secret: str
    api_key: str
    dashboard_url: str
    email: str
    password: str

    @staticmethod
    def of(sandbox: Sandbox, origin: str) -> "Report":
        return Report(
            base_url=f"{origin}/open-api/v1",
            key_api_base_url=f"{origin}/api/v1",
            origin=origin,
            dashboard_url=f"{origin}/",
            **msgspec.structs.asdict(sandbox),
        )


def report_lines(report: Report) -> list[str]:
    return [f"  {name:<17} {value}" for name, value in msgspec.structs.asdict(report).items()]
