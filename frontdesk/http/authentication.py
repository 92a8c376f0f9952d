"""Lets callers in. Who was let in before is believed at first, and proven by the first statement of the request."""

import time
from collections.abc import Callable
from typing import NamedTuple

from frontdesk.auth.authenticate_queries import Proof
from frontdesk.auth.rate_limit import Allowance
from frontdesk.auth.types import Admission, Caller
from frontdesk.http.request import Call
from frontdesk.postgres.pool import ReadAgain
from frontdesk.values.cache import Memory

Accept = Callable[[Admission | None], None]
_MOST_REMEMBERED = 10_000


class _Known(NamedTuple):
    admission: Admission
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
            call.identify(None if admission is None else admission.caller)
            is_as_believed = admission is not None and admission.facts == known.admission.facts
            if not is_as_believed or _refused_until(admission):
                self._remember(secret_hash, admission, known.allowance if is_as_believed else Allowance())
            check(admission)
            if not is_as_believed:
                raise ReadAgain  # with what is true of the caller now

        def doubt() -> None:
            self._believe(call, secret_hash, proof, check, known._replace(allowance=Allowance()))

        question = proof(accept)
        question.believe(known.admission, known.allowance, doubt)
        call.believe(known.admission.caller, question)

    def _remember(self, secret_hash: bytes, admission: Admission | None, allowance: Allowance) -> None:
        if admission is None:
            self._known.forget(secret_hash)
        else:
            self._known.keep(secret_hash, _Known(admission, _refused_until(admission), allowance))


def _refused_until(admission: Admission | None) -> float:
    """0 where there is nothing to wait for."""
    if admission is None or admission.rate is None or admission.rate.refused_until is None:
        return 0.0
    return admission.rate.refused_until.timestamp()


def _is_believed(known: _Known, may_believe: Callable[[Caller], bool]) -> bool:
    """Nobody who was refused a moment ago: nothing is to be read for them, so that a refusal stays cheap."""
    return known.refused_until <= time.time() and may_believe(known.admission.caller)
