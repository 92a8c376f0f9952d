"""What `frontdesk conformance` found out about a program: each client of a sandbox has the newest report."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.sandbox.clock import require_sandbox
from frontdesk.sandbox.documents import ConformanceScenario, Outcome
from frontdesk.sandbox.queries import SandboxState, sandbox_state


class StoreConformanceReport(Act[SandboxState], frozen=True):
    kit: str
    scenarios: Sequence[ConformanceScenario]
    client_id: UUID | None = None  # that of the request

    def load(self) -> Query[SandboxState]:
        return sandbox_state()

    def decide(self, context: Context[SandboxState]) -> FunctionCall:
        require_sandbox(context.loaded)
        counts = {outcome.value: sum(one.outcome is outcome for one in self.scenarios) for outcome in Outcome}
        if self.client_id is None:
            raise RuntimeError("a report belongs to a client")
        argument = {"client_id": self.client_id, "kit": self.kit, "scenarios": self.scenarios, **counts}
        return FunctionCall(
            "store_conformance_report", argument, ResponseDocument("conformance_report_document", self.client_id)
        )
