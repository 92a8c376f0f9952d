"""Lets callers in. Who was let in before is believed at first, and proven by the first statement of the request."""

import time
from collections.abc import Callable
from typing import NamedTuple

from frontdesk.access.guard_queries import Proof
from frontdesk.access.types import Admission, Caller
from frontdesk.kit.db import ReadAgain
from frontdesk.web.call import Call

Accept = Callable[[Admission | None], None]
_MOST_REMEMBERED = 10_000


class _Known(NamedTuple):
    caller: Caller
    refused_until: float


class Doorkeeper:
    """Remembers the callers of a while by the hash of their secret. That decides nothing: it only saves a journey."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Known] = {}

    async def admit(
        self,
        call: Call,
        secret_hash: bytes,
        *,
        proof: Callable[[Accept], Proof],
        check: Accept,
        may_believe: Callable[[Caller], bool],
    ) -> None:
        """`check` raises where the admission will not do; `may_believe` tells who need not be asked beforehand."""
        believed = self._believed(secret_hash, may_believe)

        def accept(admission: Admission | None) -> None:
            caller = None if admission is None else admission.caller
            self._remember(secret_hash, admission)
            call.identify(caller)
            check(admission)
            if believed is not None and caller != believed:
                raise ReadAgain  # with what is true of the caller now

        question = proof(accept)
        if believed is not None:
            call.believe(believed, question)
        else:
            async with call.connection() as conn:
                await question.alone(conn)

    def _believed(self, secret_hash: bytes, may_believe: Callable[[Caller], bool]) -> Caller | None:
        """Nobody who was refused a moment ago: nothing is to be read for them, so that a refusal stays cheap."""
        known = self._known.get(secret_hash)
        if known is None or known.refused_until > time.time() or not may_believe(known.caller):
            return None
        return known.caller

    def _remember(self, secret_hash: bytes, admission: Admission | None) -> None:
        if admission is None:
            self._known.pop(secret_hash, None)
            return
        if len(self._known) >= _MOST_REMEMBERED and secret_hash not in self._known:
            del self._known[next(iter(self._known))]
        refused_until = admission.rate.refused_until if admission.rate else None
        self._known[secret_hash] = _Known(admission.caller, refused_until.timestamp() if refused_until else 0.0)
