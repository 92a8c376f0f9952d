"""The settings of S3-compatible storage: all of them, or none."""

import re

import msgspec

from frontdesk.errors import StartupError

_ENDPOINT = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/?")
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}")
_PREFIX = re.compile(r"[A-Za-z0-9._/-]*")
_DEFAULT_REGION = "us-east-1"


class StorageSettings(msgspec.Struct, frozen=True):
    endpoint: str
    bucket: str
    access_key: str
    secret_key: str
    region: str = _DEFAULT_REGION
    prefix: str = ""  # of every key; empty, or with a slash at its end


def storage_settings(
    access_key: str | None,
    secret_key: str | None,
    endpoint: str | None,
    bucket: str | None,
    region: str | None,
    prefix: str | None,
) -> StorageSettings | None:
    if all(value is None for value in (endpoint, bucket, access_key, secret_key, region, prefix)):
        return None
    if endpoint is None or bucket is None or access_key is None or secret_key is None:
        required = {"ENDPOINT": endpoint, "BUCKET": bucket, "ACCESS_KEY": access_key, "SECRET_KEY": secret_key}
        missing = next(name for name, value in required.items() if value is None)
        raise StartupError(
            f"FRONTDESK_STORAGE_{missing} is not set: a bucket needs its endpoint, its name and both keys"
        )
    if not _ENDPOINT.fullmatch(endpoint):
        raise StartupError(
            f"FRONTDESK_STORAGE_ENDPOINT is {endpoint!r}: set it to an address such as https://s3.example.com"
        )
    if not _BUCKET.fullmatch(bucket):
        raise StartupError(f"FRONTDESK_STORAGE_BUCKET is {bucket!r}: set it to the name of a bucket")
    if prefix is not None and not _PREFIX.fullmatch(prefix):
        raise StartupError(f"FRONTDESK_STORAGE_PREFIX is {prefix!r}: set it to letters, digits and slashes")
    folder = (prefix or "").strip("/")
    return StorageSettings(
        endpoint.rstrip("/"),
        bucket,
        access_key,
        secret_key,
        region or _DEFAULT_REGION,
        f"{folder}/" if folder else "",
    )


def keeps_pictures_in_bucket(value: str | None, storage: StorageSettings | None) -> bool:
    if value not in (None, "database", "bucket"):
        raise StartupError(f"FRONTDESK_PICTURES is {value!r}: set it to database or bucket")
    if value == "bucket" and storage is None:
        raise StartupError("FRONTDESK_PICTURES is 'bucket': set the FRONTDESK_STORAGE_… settings too")
    return value == "bucket"
