"""Encrypts stored secrets that must be read again, such as signing secrets. The key is not in the backup."""

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
_VERSION = b"\x01"  # AES-256-GCM: this byte, the nonce, then the ciphertext with its tag
_NONCE_BYTES = 12


class DecryptionFailed(Exception):
    """No key decrypts the value: it was encrypted with another key, or it is damaged."""


class SecretBox:
    """Encrypts with the first key and decrypts with any, so that keys can be rotated."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ValueError("a secret box needs a key")
        self._ciphers = [AESGCM(_derive_key(key)) for key in keys]

    def encrypt(self, secret: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _VERSION + nonce + self._ciphers[0].encrypt(nonce, secret, _VERSION)

    def decrypt(self, encrypted: bytes) -> bytes:
        secret = _decrypt(self._ciphers, encrypted)
        if secret is None:
            raise DecryptionFailed
        return secret

    def can_decrypt(self, encrypted: bytes) -> bool:
        return _decrypt(self._ciphers, encrypted) is not None

    def is_current(self, encrypted: bytes) -> bool:
        """Whether it was encrypted with the first key."""
        return _decrypt(self._ciphers[:1], encrypted) is not None


def _decrypt(ciphers: Sequence[AESGCM], encrypted: bytes) -> bytes | None:
    version, nonce, text = encrypted[:1], encrypted[1 : 1 + _NONCE_BYTES], encrypted[1 + _NONCE_BYTES :]
    if version != _VERSION:
        return None
    for cipher in ciphers:
        with suppress(InvalidTag, ValueError):
            return cipher.decrypt(nonce, text, _VERSION)
    return None


def _derive_key(key: str) -> bytes:
    return HKDF(SHA256(), length=32, salt=None, info=b"frontdesk vault").derive(key.encode())


def load_or_create_key_file(folder: Path) -> str:
    """Created on first use. If several processes create it at once, one file wins, and all of them read it."""
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _write_once(path)
        return path.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise StartupError(f"cannot store the encryption key in {path}: set FRONTDESK_SECRET_KEY") from error


def find_key_file(folder: Path) -> str | None:
    """The key of an embedded database that was used earlier, or None."""
    try:
        return (folder / KEY_FILE).read_text("ascii").strip() or None
    except (OSError, UnicodeError):
        return None


def _write_once(path: Path) -> None:
    fd, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # readable by its owner only
    try:
        with os.fdopen(fd, "w") as file:
            file.write(f"{secrets.token_urlsafe(48)}\n")
            file.flush()
            os.fsync(fd)
        os.link(name, path)
    except FileExistsError:
        return
    finally:
        Path(name).unlink()


async def load_or_create_key_row(conn: Connection, *, create: bool, initial: str | None = None) -> str | None:
    """The key that machines without FRONTDESK_SECRET_KEY share. `initial` is stored if there is none yet."""
    if create:
        key = initial or secrets.token_urlsafe(48)
        await conn.execute("INSERT INTO encryption_keys (key) VALUES ($1) ON CONFLICT DO NOTHING", key)
    stored: str | None = await conn.fetchval("SELECT key FROM encryption_keys")
    return stored
