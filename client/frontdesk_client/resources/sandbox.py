"""What only sandboxes have: a clock that can be moved, and faults on purpose."""

from collections.abc import Sequence

from frontdesk_client.models import (
    ConformanceReport,
    ConformanceScenarioCreate,
    DataResponse,
    DateTime,
    Id,
    SandboxClock,
    SandboxFault,
    SandboxFaultKind,
    SandboxSnapshot,
)
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, path, post_query, read, write


class Sandbox(Resource[TransportT]):
    @Operation
    def get_clock(self) -> ApiRequest[DataResponse[SandboxClock]]:
        """Get the time of the sandbox."""
        return read("/sandbox/clock", DataResponse[SandboxClock])

    @Operation
    def move_clock(
        self, *, advance: str | None = None, now: DateTime | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[SandboxClock]]:
        """Move the clock ahead, by an ISO 8601 duration or to a time. What is due until then happens."""
        return write("POST", "/sandbox/clock", DataResponse[SandboxClock], idempotency_key, advance=advance, now=now)

    @Operation
    def list_faults(self) -> ApiRequest[DataResponse[list[SandboxFault]]]:
        """List the faults of the sandbox, oldest first."""
        return read("/sandbox/faults", DataResponse[list[SandboxFault]])

    @Operation
    def add_fault(
        self,
        *,
        kind: SandboxFaultKind,
        status: int | None = None,
        code: str | None = None,
        route: str | None = None,
        seconds: int | None = None,
        times: int | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[SandboxFault]]:
        """Let the next requests or deliveries fail on purpose."""
        return write(
            "POST",
            "/sandbox/faults",
            DataResponse[SandboxFault],
            idempotency_key,
            kind=kind,
            status=status,
            code=code,
            route=route,
            seconds=seconds,
            times=times,
        )

    @Operation
    def clear_faults(self, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Remove all faults of the sandbox."""
        return write("DELETE", "/sandbox/faults", DataResponse[None], idempotency_key)

    @Operation
    def reset(self) -> ApiRequest[DataResponse[SandboxClock]]:
        """Make the sandbox what it was when it was made, with demo data of today."""
        return post_query("/sandbox/reset", DataResponse[SandboxClock])

    @Operation
    def list_snapshots(self) -> ApiRequest[DataResponse[list[SandboxSnapshot]]]:
        """List the snapshots of the sandbox, oldest first."""
        return read("/sandbox/snapshots", DataResponse[list[SandboxSnapshot]])

    @Operation
    def keep_snapshot(
        self, *, name: str, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[SandboxSnapshot]]:
        """Keep what the sandbox is now, to go back to it."""
        return write("POST", "/sandbox/snapshots", DataResponse[SandboxSnapshot], idempotency_key, name=name)

    @Operation
    def restore_snapshot(
        self, snapshot_id: Id, *, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[SandboxSnapshot]]:
        """Go back to a snapshot."""
        here = path("/sandbox/snapshots/{}/restore", snapshot_id)
        return write("POST", here, DataResponse[SandboxSnapshot], idempotency_key)

    @Operation
    def delete_snapshot(self, snapshot_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete a snapshot."""
        return write("DELETE", path("/sandbox/snapshots/{}", snapshot_id), DataResponse[None], idempotency_key)

    @Operation
    def get_conformance_report(self) -> ApiRequest[DataResponse[ConformanceReport]]:
        """Get the newest conformance report of this client."""
        return read("/sandbox/conformance", DataResponse[ConformanceReport])

    @Operation
    def store_conformance_report(
        self, *, kit: str, scenarios: Sequence[ConformanceScenarioCreate], idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[ConformanceReport]]:
        """Store what `frontdesk conformance` found out, for who reviews the application."""
        return write(
            "POST",
            "/sandbox/conformance",
            DataResponse[ConformanceReport],
            idempotency_key,
            kit=kit,
            scenarios=scenarios,
        )
