"""Recovery codes: each opens the account once, for a user who has lost the second factor."""

import re
import secrets

from frontdesk.security.secrets import hash_secret

COUNT = 10
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base32
_LENGTH, _GROUP = 16, 4  # 80 random bits
_CODE = re.compile(rf"[{_ALPHABET}]{{{_LENGTH}}}")
_READ_AS = str.maketrans("oil", "011")


def new_recovery_codes() -> list[str]:
    return [_new_code() for _ in range(COUNT)]


def _new_code() -> str:
    letters = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
    return "-".join(letters[n : n + _GROUP] for n in range(0, _LENGTH, _GROUP))


def recovery_code_hash(typed: str) -> bytes | None:
    """None if it is not a recovery code. Case, spaces and hyphens do not matter."""
    letters = re.sub(r"[\s-]", "", typed).lower().translate(_READ_AS)
    return hash_secret(letters) if _CODE.fullmatch(letters) else None
