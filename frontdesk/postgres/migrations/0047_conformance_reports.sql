-- migration: expand
-- What `frontdesk conformance` found out about a program: the newest report of each client of a sandbox, at the real
-- time, because the reviewer of its application asks how old it is. It stays when the sandbox is reset.
CREATE TABLE conformance_reports (
    tenant_id uuid NOT NULL,
    client_id uuid NOT NULL,
    kit text NOT NULL CHECK (length(kit) BETWEEN 1 AND 255),
    passed integer NOT NULL,
    failed integer NOT NULL,
    skipped integer NOT NULL,
    scenarios jsonb NOT NULL, -- an array
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, client_id),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
);
SELECT distribute_table('conformance_reports');
