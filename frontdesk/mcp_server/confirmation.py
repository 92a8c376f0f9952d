"""Codes that say: this call was tried before, with the same arguments. Nothing is stored; any process checks them."""

import hmac
import time
from collections.abc import Mapping
from hashlib import sha256
from secrets import token_hex
from typing import Any

import msgspec

VALID_SECONDS = 3600  # much shorter than an Idempotency-Key is remembered


class Confirmations:
    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def give(self, tool: str, arguments: Mapping[str, Any]) -> str:
        trial = f"{int(time.time()):x}-{token_hex(6)}"
        return f"{trial}-{self._signature(trial, tool, arguments)}"

    def refusal(self, code: str, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """Why the code does not stand for this call."""
        trial, _, signature = code.rpartition("-")
        if not hmac.compare_digest(signature.encode(), self._signature(trial, tool, arguments).encode()):
            return "belongs to another tool or to other arguments"
        if time.time() - int(trial.partition("-")[0], 16) > VALID_SECONDS:
            return "is older than an hour"
        return None

    def _signature(self, trial: str, tool: str, arguments: Mapping[str, Any]) -> str:
        signed = msgspec.json.encode((trial, tool, arguments), order="deterministic")
        return hmac.digest(self._secret, signed, sha256).hex()[:32]
