-- migration: expand
-- Faults that a sandbox has on purpose. `has_faults` of its tenant says whether any is left, so that no request of
-- another business looks for them. Deleted with the next reset, or when they are cleared.
CREATE TABLE sandbox_faults (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('error', 'slow', 'lost_answer', 'token_revoked', 'webhook_lost',
        'webhook_doubled', 'webhook_late', 'webhook_out_of_order')),
    status smallint CHECK (status BETWEEN 400 AND 599), -- of an error
    code text, -- of an error
    route text, -- the operation that it befalls, such as POST /orders; null: any
    seconds integer CHECK (seconds BETWEEN 0 AND 86400), -- of what is slow or late
    times integer NOT NULL CHECK (times BETWEEN 1 AND 1000),
    remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND times),
    created_at timestamptz NOT NULL DEFAULT business_time(),
    PRIMARY KEY (tenant_id, id)
);
SELECT distribute_table('sandbox_faults');
