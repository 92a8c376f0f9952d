"""Keeps secrets that must be read again (to sign with them) so that a copy of the database alone does not tell them."""

import os
import secrets
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection

KEY_FILE = "secret.key"
_FORM = b"\x01"  # AES-256-GCM: this byte, the nonce, then the text with its tag
_NONCE_BYTES = 12


class DecryptionFailed(Exception):
    """None of the keys opens it: it was sealed with another one, or it is damaged."""


class SecretBox:
    """The first key seals; every key opens, so that a new one can be put before the old one."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ValueError("a vault needs a key")
        self._ciphers = [AESGCM(_derive_key(key)) for key in keys]

    def seal(self, secret: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _FORM + nonce + self._ciphers[0].encrypt(nonce, secret, _FORM)

    def open(self, sealed: bytes) -> bytes:
        secret = _open(self._ciphers, sealed)
        if secret is None:
            raise DecryptionFailed
        return secret

    def opens(self, sealed: bytes) -> bool:
        return _open(self._ciphers, sealed) is not None

    def is_current(self, sealed: bytes) -> bool:
        """Whether the first key sealed it."""
        return _open(self._ciphers[:1], sealed) is not None


def _open(ciphers: Sequence[AESGCM], sealed: bytes) -> bytes | None:
    form, nonce, text = sealed[:1], sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
    if form != _FORM:
        return None
    for cipher in ciphers:
        with suppress(InvalidTag, ValueError):
            return cipher.decrypt(nonce, text, _FORM)
    return None


def _derive_key(key: str) -> bytes:
    return HKDF(SHA256(), length=32, salt=None, info=b"frontdesk vault").derive(key.encode())


def load_or_create_key_file(folder: Path) -> str:
    """Made at the first call. Several processes may come first at once: one file wins, whole, and all read that."""
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _write_once(path)
        return path.read_text("ascii").strip()
    except (OSError, UnicodeError) as failure:
        raise StartupError(f"cannot keep the key to stored secrets in {path}: set FRONTDESK_SECRET_KEY") from failure


def find_key_file(folder: Path) -> str | None:
    """The key of an embedded database that was used before, if there is one."""
    try:
        return (folder / KEY_FILE).read_text("ascii").strip() or None
    except (OSError, UnicodeError):
        return None


def _write_once(path: Path) -> None:
    opened, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # for its owner alone
    try:
        with os.fdopen(opened, "w") as file:
            file.write(f"{secrets.token_urlsafe(48)}\n")
            file.flush()
            os.fsync(opened)
        os.link(name, path)
    except FileExistsError:
        return
    finally:
        Path(name).unlink()


async def load_or_create_key_row(conn: Connection, *, make: bool, first: str | None = None) -> str | None:
    """For several machines that were given no key: they all find this one. `first` is used where none is there yet."""
    if make:
        key = first or secrets.token_urlsafe(48)
        await conn.execute("INSERT INTO vault_keys (key) VALUES ($1) ON CONFLICT DO NOTHING", key)
    stored: str | None = await conn.fetchval("SELECT key FROM vault_keys")
    return stored
