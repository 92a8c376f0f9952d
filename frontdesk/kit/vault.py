"""Keeps secrets that must be read again (to sign with them) so that a copy of the database alone does not tell them."""

import os
import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from frontdesk.errors import StartupError
from frontdesk.kit.db import Connection

KEY_FILE = "secret.key"
_FORM = b"\x01"  # AES-256-GCM: this byte, the nonce, then the text with its tag
_NONCE_BYTES = 12


class SealBroken(Exception):
    """None of the keys opens it: it was sealed with another one, or it is damaged."""


class Vault:
    """The first key seals; every key opens, so that a new one can be put before the old one."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ValueError("a vault needs a key")
        self._ciphers = [AESGCM(_stretch(key)) for key in keys]

    def seal(self, secret: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _FORM + nonce + self._ciphers[0].encrypt(nonce, secret, _FORM)

    def open(self, sealed: bytes) -> bytes:
        form, nonce, text = sealed[:1], sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if form != _FORM:
            raise SealBroken
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(nonce, text, _FORM)
            except (InvalidTag, ValueError):
                continue
        raise SealBroken


def _stretch(key: str) -> bytes:
    return HKDF(SHA256(), length=32, salt=None, info=b"frontdesk vault").derive(key.encode())


def key_in_file(folder: Path) -> str:
    """Made at the first call. Several processes may come first at once: one file wins, whole, and all read that."""
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _write_once(path)
        return path.read_text("ascii").strip()
    except (OSError, UnicodeError) as failure:
        raise StartupError(f"cannot keep the key to stored secrets in {path}: set FRONTDESK_SECRET_KEY") from failure


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


async def key_in_database(conn: Connection, *, make: bool) -> str | None:
    """For several machines that were given no key: they all find this one."""
    if make:
        await conn.execute("INSERT INTO vault_keys (key) VALUES ($1) ON CONFLICT DO NOTHING", secrets.token_urlsafe(48))
    key: str | None = await conn.fetchval("SELECT key FROM vault_keys")
    return key
