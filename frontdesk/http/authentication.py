"""Lets callers in. Who was let in before is believed at first, and proven by the first statement of the request."""

import time
from collections.abc import Callable
from typing import NamedTuple

from frontdesk.auth.authenticate_queries import Proof
from frontdesk.auth.rate_limit import PrefetchedQuota
from frontdesk.auth.types import AuthResult, Caller
from frontdesk.http.request import Request
from frontdesk.postgres.pool import ReadAgain
from frontdesk.values.cache import BoundedCache

Accept = Callable[[AuthResult | None], None]
_MAX_CACHED_CALLERS = 10_000


class _CachedCaller(NamedTuple):
    admission: AuthResult
    refused_until: float
    allowance: PrefetchedQuota


class Authenticator:
    """Remembers the callers of a while by the hash of their secret. That decides nothing: it only saves a journey."""

    def __init__(self) -> None:
        self._known: BoundedCache[bytes, _CachedCaller] = BoundedCache(_MAX_CACHED_CALLERS)

    async def admit(
        self,
        request: Request,
        secret_hash: bytes,
        *,
        proof: Callable[[Accept], Proof],
        check: Accept,
        may_believe: Callable[[Caller], bool],
    ) -> None:
        """`check` raises where the admission will not do; `may_believe` tells who need not be asked beforehand."""
        known = self._known.get(secret_hash)
        if known is not None and _is_cached(known, may_believe):
            self._believe(request, secret_hash, proof, check, known)
            return

        def accept(admission: AuthResult | None) -> None:
            request.identify(None if admission is None else admission.caller)
            self._remember(secret_hash, admission, question.allowance)
            check(admission)

        question = proof(accept)
        async with request.connection() as conn:
            await question.alone(conn)

    def _believe(
        self,
        request: Request,
        secret_hash: bytes,
        proof: Callable[[Accept], Proof],
        check: Accept,
        known: _CachedCaller,
    ) -> None:
        def accept(admission: AuthResult | None) -> None:
            request.identify(None if admission is None else admission.caller)
            is_as_believed = admission is not None and admission.facts == known.admission.facts
            if not is_as_believed or _throttled_until(admission):
                self._remember(secret_hash, admission, known.allowance if is_as_believed else PrefetchedQuota())
            check(admission)
            if not is_as_believed:
                raise ReadAgain  # with what is true of the caller now

        def doubt() -> None:
            self._believe(request, secret_hash, proof, check, known._replace(allowance=PrefetchedQuota()))

        question = proof(accept)
        question.believe(known.admission, known.allowance, doubt)
        request.believe(known.admission.caller, question)

    def _remember(self, secret_hash: bytes, admission: AuthResult | None, allowance: PrefetchedQuota) -> None:
        if admission is None:
            self._known.delete(secret_hash)
        else:
            self._known.set(secret_hash, _CachedCaller(admission, _throttled_until(admission), allowance))


def _throttled_until(admission: AuthResult | None) -> float:
    """0 where there is nothing to wait for."""
    if admission is None or admission.rate is None or admission.rate.refused_until is None:
        return 0.0
    return admission.rate.refused_until.timestamp()


def _is_cached(known: _CachedCaller, may_believe: Callable[[Caller], bool]) -> bool:
    """Nobody who was refused a moment ago: nothing is to be read for them, so that a refusal stays cheap."""
    return known.refused_until <= time.time() and may_believe(known.admission.caller)
