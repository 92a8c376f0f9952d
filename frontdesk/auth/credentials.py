"""What clients, tokens and keys look like from outside. All of them name the business they belong to."""

from uuid import UUID

from frontdesk.security.secrets import join_ids, new_owned_secret, new_secret, owner_of, split_ids

_CLIENT = "fdc_"
_CLIENT_SECRET = "fds_"  # noqa: S105 - a prefix
_TOKEN = "fdt_"  # noqa: S105 - a prefix
_KEY = "fdk_"
_INVITATION = "fdi_"
_SESSION = "fdv_"
_EMAIL_PROOF = "fde_"


def client_name(tenant_id: UUID, client_id: UUID) -> str:
    return join_ids(_CLIENT, tenant_id, client_id)


def parse_client_name(text: str) -> tuple[UUID, UUID] | None:
    return split_ids(_CLIENT, text)


def new_client_secret() -> str:
    return new_secret(_CLIENT_SECRET)


def new_token(tenant_id: UUID) -> str:
    return new_owned_secret(_TOKEN, tenant_id)


def tenant_of_token(token: str) -> UUID | None:
    return owner_of(_TOKEN, token)


def new_key(tenant_id: UUID) -> str:
    return new_owned_secret(_KEY, tenant_id)


def tenant_of_key(key: str) -> UUID | None:
    return owner_of(_KEY, key)


def new_invitation(tenant_id: UUID) -> str:
    return new_owned_secret(_INVITATION, tenant_id)


def tenant_of_invitation(token: str) -> UUID | None:
    return owner_of(_INVITATION, token)


def new_email_proof() -> str:
    return new_secret(_EMAIL_PROOF)


def new_session_token() -> str:
    return new_secret(_SESSION)
