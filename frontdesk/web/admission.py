"""Lets callers in. Who was let in before is believed at first, and proven by the first statement of the request."""

from collections.abc import Callable

from frontdesk.access.guard_queries import Proof
from frontdesk.access.types import Admission, Caller
from frontdesk.kit.db import ReadAgain
from frontdesk.web.call import Call

Accept = Callable[[Admission | None], None]
_MOST_REMEMBERED = 10_000


class Doorkeeper:
    """Remembers the callers of a while by the hash of their secret. That decides nothing: it only saves a journey."""

    def __init__(self) -> None:
        self._callers: dict[bytes, Caller] = {}

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
        known = self._callers.get(secret_hash)
        believed = known if known is not None and may_believe(known) else None

        def accept(admission: Admission | None) -> None:
            caller = None if admission is None else admission.caller
            self._remember(secret_hash, caller)
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

    def _remember(self, secret_hash: bytes, caller: Caller | None) -> None:
        if caller is None:
            self._callers.pop(secret_hash, None)
            return
        if len(self._callers) >= _MOST_REMEMBERED and secret_hash not in self._callers:
            del self._callers[next(iter(self._callers))]
        self._callers[secret_hash] = caller
