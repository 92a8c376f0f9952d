"""Snapshots of a sandbox: kept, gone back to, deleted."""

from uuid import UUID

import msgspec

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, not_found
from frontdesk.sandbox.clock import require_sandbox
from frontdesk.sandbox.problems import SnapshotProblem
from frontdesk.sandbox.queries import SnapshotState, snapshot_state
from frontdesk.values.ids import uuid7

MOST = 10  # of one sandbox
MOST_ORDERS = 5_000  # of one snapshot


class KeepSandboxSnapshot(Act[SnapshotState], frozen=True):
    name: str
    snapshot_id: UUID = msgspec.field(default_factory=uuid7)

    def load(self) -> Query[SnapshotState]:
        return snapshot_state(self.snapshot_id)

    def decide(self, context: Context[SnapshotState]) -> FunctionCall:
        state = context.loaded
        require_sandbox(state.sandbox)
        if state.snapshots >= MOST:
            raise Problem(SnapshotProblem.TOO_MANY, "name", most=MOST)
        if state.orders > MOST_ORDERS:
            raise Problem(SnapshotProblem.TOO_LARGE, "name", most=MOST_ORDERS)
        document = ResponseDocument("sandbox_snapshot_document", self.snapshot_id)
        return FunctionCall("keep_sandbox_snapshot", {"id": self.snapshot_id, "name": self.name}, document)


class _SnapshotAct(Act[SnapshotState], frozen=True):
    snapshot_id: UUID

    def load(self) -> Query[SnapshotState]:
        return snapshot_state(self.snapshot_id)

    def require(self, state: SnapshotState) -> None:
        require_sandbox(state.sandbox)
        if not state.exists:
            raise not_found("snapshot")


class RestoreSandboxSnapshot(_SnapshotAct, frozen=True):
    def decide(self, context: Context[SnapshotState]) -> FunctionCall:
        self.require(context.loaded)
        document = ResponseDocument("sandbox_snapshot_document", self.snapshot_id)
        return FunctionCall("restore_sandbox_snapshot", {"id": self.snapshot_id}, document)


class DeleteSandboxSnapshot(_SnapshotAct, frozen=True):
    def decide(self, context: Context[SnapshotState]) -> FunctionCall:
        self.require(context.loaded)
        return FunctionCall("delete_sandbox_snapshot", {"id": self.snapshot_id})
