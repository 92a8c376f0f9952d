"""A signing secret for a new webhook or a rotation, encrypted as it is stored."""

from frontdesk.postgres.act import NewSecret
from frontdesk.security.encryption import SecretBox
from frontdesk.webhooks.signing import new_signing_secret


def new_secret(secret_box: SecretBox) -> NewSecret:
    text = new_signing_secret()
    return NewSecret(text, secret_box.encrypt(text.encode()))
