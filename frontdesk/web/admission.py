"""Lets callers in. Who was let in before is believed at first, and proven by the first statement of the request."""

import time
from collections.abc import Callable
from typing import NamedTuple

from frontdesk.access.guard_queries import Proof
from frontdesk.access.types import Admission, Caller
from frontdesk.kit.db import ReadAgain
from frontdesk.kit.memory import Memory
from frontdesk.kit.ratelimit import Allowance
from frontdesk.web.call import Call

Accept = Callable[[Admission | None], None]
_MOST_REMEMBERED = 10_000


class _Known(NamedTuple):
    caller: Caller
    facts: str
    refused_until: float
    allowance: Allowance


class Doorkeeper:
    """Remembers the callers of a while by the hash of their secret. That decides nothing: it only saves a journey."""

    def __init__(self) -> None:
        self._known: Memory[bytes, _Known] = Memory(_MOST_REMEMBERED)

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
        known = self._known.recall(secret_hash)
        if known is not None and _is_believed(known, may_believe):
            self._believe(call, secret_hash, proof, check, known)
            return

        def accept(admission: Admission | None) -> None:
            call.identify(None if admission is None else admission.caller)
            self._remember(secret_hash, admission, question.allowance)
            check(admission)

        question = proof(accept)
        async with call.connection() as conn:
            await question.alone(conn)

    def _believe(
        self, call: Call, secret_hash: bytes, proof: Callable[[Accept], Proof], check: Accept, known: _Known
    ) -> None:
        def accept(admission: Admission | None) -> None:
            if admission is not None and admission.facts == known.facts:
                call.identify(admission.caller)
                if _refused_until(admission):
                    self._remember(secret_hash, admission, known.allowance)
                check(admission)
                return
            now_known = self._remember(secret_hash, admission, Allowance())
            call.identify(None if admission is None else admission.caller)
            check(admission)
            if now_known is not None and not question.counts:  # what was taken in advance is nothing any more
                self._believe(call, secret_hash, proof, check, now_known)
            raise ReadAgain  # with what is true of the caller now

        question = proof(accept)
        question.believe(known.facts, known.allowance)
        call.believe(known.caller, question)

    def _remember(self, secret_hash: bytes, admission: Admission | None, allowance: Allowance) -> _Known | None:
        if admission is None:
            self._known.forget(secret_hash)
            return None
        known = _Known(admission.caller, admission.facts, _refused_until(admission), allowance)
        self._known.keep(secret_hash, known)
        return known


def _refused_until(admission: Admission | None) -> float:
    """0 where there is nothing to wait for."""
    if admission is None or admission.rate is None or admission.rate.refused_until is None:
        return 0.0
    return admission.rate.refused_until.timestamp()


def _is_believed(known: _Known, may_believe: Callable[[Caller], bool]) -> bool:
    """Nobody who was refused a moment ago: nothing is to be read for them, so that a refusal stays cheap."""
    return known.refused_until <= time.time() and may_believe(known.caller)
