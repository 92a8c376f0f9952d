-- migration: expand
-- All records of some kinds, as an API client fetches them first: one state of the business, and the sequence of the
-- last event that is in it. `url_origin` is the origin that the client used.
CREATE TABLE record_exports (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    resources text[] NOT NULL CHECK (cardinality(resources) > 0),
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed')),
    sequence bigint NOT NULL,
    records bigint NOT NULL DEFAULT 0,
    parts integer NOT NULL DEFAULT 0,
    url_origin text NOT NULL,
    lease uuid,
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
);
CREATE INDEX record_exports_waiting ON record_exports (tenant_id, created_at) WHERE status IN ('queued', 'running');

-- The lines of an export, compressed, in parts that are sent one after the other.
CREATE TABLE record_export_parts (
    tenant_id uuid NOT NULL,
    export_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (tenant_id, export_id, number),
    FOREIGN KEY (tenant_id, export_id) REFERENCES record_exports ON DELETE CASCADE
);
