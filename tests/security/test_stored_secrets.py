"""Secrets that cannot be opened are counted, and all of them can be reencrypted."""

from pathlib import Path
from uuid import UUID

import pytest

from frontdesk.config import Settings
from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.security.encryption import SecretBox
from frontdesk.security.stored_secrets import Reencrypted, count_unreadable, reencrypt
from frontdesk.server.database import find_secret_keys
from frontdesk.values.actor import SYSTEM
from frontdesk.values.tenant_context import TenantContext
from frontdesk.webhooks.change import RotateWebhookSecret
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.new_secret import new_secret
from tests.factories.expired import insert_stored_response
from tests.factories.tenant_rows import ConnectionRows
from tests.support.acts import subscribe
from tests.support.connections import pooled_connection

OLD, NEW, LOST = "old-key-" * 5, "new-key-" * 5, "lost-key-" * 5


async def _add(conn: Connection, secret_box: SecretBox, count: int) -> tuple[UUID, UUID, list[UUID]]:
    """A business with webhooks, each with an earlier secret too, and a stored response with a secret."""
    sandbox = await create_sandbox(conn, plan="professional", rate_limit=None, scopes=None)
    tenant_id = sandbox.tenant_id
    tenant = TenantContext(tenant_id, sandbox.timezone, sandbox.currency, 2, ("en",), 15)
    client_id = await conn.fetchval(
        "SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL LIMIT 1", tenant_id
    )
    for _ in range(count):
        await subscribe(conn, tenant, client_id, secret_box, "https://hooks.example.com", [EventType.WEBHOOK_PING])
    found = await conn.fetch("SELECT id FROM webhooks WHERE tenant_id = $1 AND client_id = $2", tenant_id, client_id)
    for row in found:
        await run(conn, tenant, RotateWebhookSecret(row["id"], client_id, new_secret(secret_box)), actor=SYSTEM)
    rows = ConnectionRows(conn, tenant_id)
    await insert_stored_response(rows, client_id, "with secret", secret_box.encrypt(b"secret"))
    await insert_stored_response(rows, client_id, "without", None)
    return tenant_id, client_id, [row["id"] for row in found]


async def test_all_stored_secrets_are_reencrypted_and_twice_does_no_harm(empty_dsn: str) -> None:
    async with pooled_connection(empty_dsn) as raw:
        conn, lines = Connection(raw), list[str]()
        tenant_id, client_id, hooks = await _add(conn, SecretBox([OLD]), 5)
        await create_sandbox(conn, plan="professional", rate_limit=None, scopes=None)
        await conn.execute(
            "UPDATE webhooks SET secret = $2 WHERE id = $1", hooks[0], SecretBox([LOST]).encrypt(b"gone")
        )
        already = await count_unreadable(conn, SecretBox([NEW, OLD, LOST]))
        done = await reencrypt(conn, SecretBox([NEW, OLD]), lines.append)
        assert (done.reencrypted, done.unreadable - already) == (4 + 5 + 1, 1)
        again = await reencrypt(conn, SecretBox([NEW, OLD]), lines.append)
        assert again == Reencrypted(done.total, 0, done.unreadable)
        assert await count_unreadable(conn, SecretBox([NEW])) == done.unreadable
        secret = await conn.fetchval(
            "SELECT secret FROM idempotency_records WHERE tenant_id = $1 AND caller_id = $2 AND key = 'with secret'",
            tenant_id,
            client_id,
        )
        assert SecretBox([NEW]).decrypt(secret) == b"secret"


async def test_a_start_logs_how_many_stored_secrets_cannot_be_decrypted(
    empty_dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with pooled_connection(empty_dsn) as raw:
        conn = Connection(raw)
        await _add(conn, SecretBox([LOST]), 3)
        settings = Settings(data_dir=tmp_path, database_url=empty_dsn, secret_keys=(NEW,))
        await find_secret_keys(conn, settings)
        unreadable = await count_unreadable(conn, SecretBox([NEW]))
        (line,) = capsys.readouterr().err.splitlines()
        assert unreadable >= 6
        assert line.startswith(f"warning: {unreadable} stored secrets cannot be decrypted")
        both = Settings(data_dir=tmp_path, database_url=empty_dsn, secret_keys=(NEW, LOST))
        await reencrypt(conn, SecretBox(await find_secret_keys(conn, both)), lambda _: None)
        assert await count_unreadable(conn, SecretBox([NEW])) == unreadable - 6
