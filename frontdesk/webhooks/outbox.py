"""The outbox: parts of a statement that write events, and what is to be sent of them, with the change they tell of.

A statement that makes a change, or one that follows it in the same transaction, has a part `news` with a row for each
event (`place`, and the `type` and `data` that a builder gives), and puts `OUTBOX` behind it. $1 is the business.

The locks come last and in one order: the webhooks that will be told, as their foreign key would anyway, then the
counter. From there to the commit the business writes one after the other. Whoever holds the counter must not wait for
anything that others hold while they wait for the counter: docs/concurrency.md says what that means for a new act.
"""

from frontdesk.auth.scopes import WILDCARD
from frontdesk.webhooks.event_types import READ_SCOPE

_SCOPES = ", ".join(f"('{kind}', '{scope or WILDCARD}')" for kind, scope in READ_SCOPE.items())

# Living webhooks of living clients. Held, because one that is deleted meanwhile must not be told any more.
_IS_SUBSCRIBED = """
            SELECT w.id, w.events, c.id AS client_id, c.scopes, c.install_id
            FROM webhooks w
            JOIN api_clients c ON c.tenant_id = $1 AND c.id = w.client_id
            LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
            WHERE w.tenant_id = $1 AND w.disabled_at IS NULL AND c.disabled_at IS NULL AND i.disconnected_at IS NULL"""
_SUBSCRIBED = f"""
            {_IS_SUBSCRIBED} AND w.events && (SELECT array_agg(n.type) FROM news n)
            ORDER BY w.id FOR KEY SHARE OF w"""
_ALLOWED = f"""
            e.type = ANY (r.events) AND EXISTS (
                SELECT FROM (VALUES {_SCOPES}) AS k (type, scope)
                WHERE k.type = e.type AND (k.scope = '{WILDCARD}' OR r.scopes && ARRAY['{WILDCARD}', k.scope]))"""


def _outbox(receivers: str, allowed: str, concerns: str) -> str:
    return f"""receivers AS MATERIALIZED ({receivers}
        ), events_numbered AS (
            INSERT INTO tenant_counters AS c (tenant_id, name, value, assigned_at)
            SELECT $1, 'events', n.many, clock_timestamp()
            FROM (SELECT count(*) AS many FROM news) n, (SELECT count(*) FROM receivers) r WHERE n.many > 0
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = c.value + excluded.value, assigned_at = greatest(clock_timestamp(), c.assigned_at)
            RETURNING value, assigned_at
        ), told AS (
            INSERT INTO events (tenant_id, id, sequence, type, visible_to_client_id, data, created_at)
            SELECT $1, uuid_v7(k.assigned_at), k.value + 1 - row_number() OVER (ORDER BY n.place DESC), n.type,
                {concerns}, n.data, k.assigned_at
            FROM events_numbered k, news n RETURNING id, type, created_at
        ), queued AS (
            INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
            SELECT $1, uuid_v7(e.created_at), r.id, e.id FROM told e JOIN receivers r ON {allowed}
            RETURNING id
        )"""


OUTBOX = _outbox(_SUBSCRIBED, _ALLOWED, "NULL::uuid")
