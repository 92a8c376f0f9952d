"""Addresses of pictures in documents that the database builds: it knows only their path."""

import msgspec

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def with_origin(document: bytes, origin: str) -> bytes:
    """All other bytes are unchanged."""
    members = _MEMBERS.decode(document)
    if bytes(members["image"]).startswith(b'"/'):
        members["image"] = msgspec.Raw(msgspec.json.encode(origin + msgspec.json.decode(members["image"])))
    return msgspec.json.encode(members)
