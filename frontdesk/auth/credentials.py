"""The published form of client ids, tokens and keys. All of them contain the id of their tenant."""

from uuid import UUID

from frontdesk.security.secrets import (
    decode_id,
    decode_id_pair,
    encode_id,
    encode_id_pair,
    new_secret,
    new_tenant_secret,
    tenant_of_secret,
)

_CLIENT = "fdc_"
_CLIENT_SECRET = "fds_"  # noqa: S105 - a prefix
_TOKEN = "fdt_"  # noqa: S105 - a prefix
_KEY = "fdk_"
_APPLICATION = "fda_"
_CODE = "fdo_"
_INVITATION = "fdi_"
_SESSION = "fdv_"
_PENDING_SIGN_IN = "fdp_"
_EMAIL_LINK = "fde_"
_RESET = "fdr_"


def format_client_id(tenant_id: UUID, client_id: UUID) -> str:
    return encode_id_pair(_CLIENT, tenant_id, client_id)


def parse_client_id(text: str) -> tuple[UUID, UUID] | None:
    return decode_id_pair(_CLIENT, text)


def new_client_secret() -> str:
    return new_secret(_CLIENT_SECRET)


def new_token(tenant_id: UUID) -> str:
    return new_tenant_secret(_TOKEN, tenant_id)


def tenant_of_token(token: str) -> UUID | None:
    return tenant_of_secret(_TOKEN, token)


def format_application_id(application_id: UUID) -> str:
    """The client id of an application itself, which asks a business to install it. It belongs to no tenant."""
    return encode_id(_APPLICATION, application_id)


def parse_application_id(text: str) -> UUID | None:
    return decode_id(_APPLICATION, text)


def new_code(tenant_id: UUID) -> str:
    return new_tenant_secret(_CODE, tenant_id)


def tenant_of_code(code: str) -> UUID | None:
    return tenant_of_secret(_CODE, code)


def new_key(tenant_id: UUID) -> str:
    return new_tenant_secret(_KEY, tenant_id)


def tenant_of_key(key: str) -> UUID | None:
    return tenant_of_secret(_KEY, key)


def new_invitation(tenant_id: UUID) -> str:
    return new_tenant_secret(_INVITATION, tenant_id)


def tenant_of_invitation(token: str) -> UUID | None:
    return tenant_of_secret(_INVITATION, token)


def new_email_token() -> str:
    return new_secret(_EMAIL_LINK)


def new_reset_token() -> str:
    return new_secret(_RESET)


def new_session_token() -> str:
    return new_secret(_SESSION)


def new_pending_token() -> str:
    return new_secret(_PENDING_SIGN_IN)
