-- Events are written with the change they tell of; deliveries are the outbox and the log that people look at.

-- A time-ordered UUID (version 7) for rows of which nobody knows beforehand how many there will be.
CREATE FUNCTION time_ordered_id(moment timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7'
        || substring(replace(gen_random_uuid()::text, '-', '') FROM 14))::uuid;

-- data is json, not jsonb: it is written once and sent as it was written, and nobody looks inside.
CREATE TABLE events (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    sequence bigint NOT NULL,
    type text NOT NULL,
    client_id uuid, -- whom alone it concerns: the client that was pinged, or that of the application it tells of
    data json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT events_sequence_taken UNIQUE (tenant_id, sequence) INCLUDE (type, client_id) -- counted without the rows
);
CREATE INDEX events_by_age ON events USING brin (created_at);

CREATE TABLE webhooks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL CHECK (cardinality(events) > 0),
    secret bytea NOT NULL, -- encrypted: it must be read again to sign
    previous_secret bytea,
    previous_secret_until timestamptz,
    disabled_at timestamptz,
    disabled_reason text,
    failing_since timestamptz, -- nothing has arrived since then
    resting_until timestamptz, -- it asked not to be called before (Retry-After)
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
);
CREATE INDEX webhooks_of_client ON webhooks (tenant_id, client_id);

-- Due rows are a queue for each webhook, in the order of due_at. A worker claims by a lease; whoever dies with it loses
-- it when it ends. A lease is no indexed column, so that claiming touches no index. queued_for is in the queue's index
-- alone, so that the planner can never walk through everything that was delivered to find what is due.
CREATE TABLE webhook_deliveries (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'delivered', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    queued_for uuid GENERATED ALWAYS AS (CASE WHEN state = 'due' THEN webhook_id END) STORED,
    lease uuid, -- of the claim that is sending it
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES events ON DELETE CASCADE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX webhook_deliveries_queued ON webhook_deliveries (tenant_id, queued_for, due_at, id)
    WHERE queued_for IS NOT NULL;
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (tenant_id, event_id);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (tenant_id, webhook_id, created_at);

CREATE TABLE webhook_attempts (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    attempted_at timestamptz NOT NULL DEFAULT now(),
    milliseconds integer NOT NULL,
    status smallint, -- null when no answer came
    answer text, -- its first kilobyte
    error text,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_deliveries ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (tenant_id, delivery_id, attempted_at);
CREATE INDEX webhook_attempts_by_age ON webhook_attempts USING brin (attempted_at);

-- What a writing request answered, kept beside what it made, so that a retry gets the same answer and makes nothing.
CREATE TABLE idempotency_records (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    caller_id uuid NOT NULL, -- the API client or the API key
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, caller_id, key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);

-- The key to stored secrets where machines share a database and the operator gave none. It belongs to nobody.
CREATE TABLE vault_keys (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
