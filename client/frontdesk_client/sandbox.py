"""What only sandboxes have: a clock that can be moved."""

from frontdesk_client.models import DataResponse, DateTime, SandboxClock
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, read, write


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
