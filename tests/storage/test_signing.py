"""Signatures are those of the examples in Amazon's documentation of S3."""

from datetime import UTC, datetime

import pytest

from frontdesk.storage.signing import Credentials, sign

_CREDENTIALS = Credentials("us-east-1", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
_PUT = {"date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"}


@pytest.mark.parametrize(
    ("method", "path", "query", "headers", "body", "target", "signature"),
    [
        (
            *("GET", "/test.txt", {}, {"range": "bytes=0-9"}, b""),
            *("/test.txt", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        ),
        (
            *("PUT", "/test$file.text", {}, _PUT, b"Welcome to Amazon S3."),
            *("/test%24file.text", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        ),
        (
            *("GET", "/", {"prefix": "J", "max-keys": "2"}, {}, b""),
            *("/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ),
    ],
    ids=["get", "put", "list"],
)
def test_a_request_is_signed_as_in_the_documentation(
    method: str,
    path: str,
    query: dict[str, str],
    headers: dict[str, str],
    body: bytes,
    target: str,
    signature: str,
) -> None:
    now = datetime(2013, 5, 24, tzinfo=UTC)
    signed = sign(_CREDENTIALS, method, "examplebucket.s3.amazonaws.com", path, query, headers, body, now)
    assert signed.target == target
    assert signed.headers["authorization"].endswith(f"Signature={signature}")
