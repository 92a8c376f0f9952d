"""Signs requests to S3-compatible storage, with AWS Signature Version 4 in the Authorization header."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

_ALGORITHM = "AWS4-HMAC-SHA256"


class Credentials(NamedTuple):
    region: str
    access_key: str
    secret_key: str


class SignedRequest(NamedTuple):
    target: str  # the path and the query, encoded as they were signed
    headers: dict[str, str]


def sign(
    credentials: Credentials,
    method: str,
    host: str,
    path: str,
    query: Mapping[str, str],
    headers: Mapping[str, str],
    body: bytes,
    now: datetime,
) -> SignedRequest:
    """`path` is not encoded yet, the names of `headers` are in lower case, and `now` is in UTC."""
    moment = f"{now:%Y%m%dT%H%M%SZ}"
    body_hash = hashlib.sha256(body).hexdigest()
    sent = {**headers, "x-amz-content-sha256": body_hash, "x-amz-date": moment}
    signed = {"host": host, **sent}
    names = ";".join(sorted(signed))
    encoded_path = quote(path, safe="/-_.~")
    encoded_query = "&".join(f"{quote(name, safe='-_.~')}={quote(query[name], safe='-_.~')}" for name in sorted(query))
    request = "\n".join(
        [
            method,
            encoded_path,
            encoded_query,
            *(f"{name}:{signed[name].strip()}" for name in sorted(signed)),
            "",
            names,
            body_hash,
        ]
    )
    scope = f"{now:%Y%m%d}/{credentials.region}/s3/aws4_request"
    signed_text = "\n".join([_ALGORITHM, moment, scope, hashlib.sha256(request.encode()).hexdigest()])
    key = f"AWS4{credentials.secret_key}".encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    signature = _hmac(key, signed_text).hex()
    sent["authorization"] = (
        f"{_ALGORITHM} Credential={credentials.access_key}/{scope},SignedHeaders={names},Signature={signature}"
    )
    return SignedRequest(encoded_path + (f"?{encoded_query}" if encoded_query else ""), sent)


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
