-- migration: expand
-- Which operations of an API a caller has called, since when and until when: days in UTC. A day is written once.
CREATE TABLE used_operations (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    caller_id uuid NOT NULL,
    route text NOT NULL,
    first_on date NOT NULL,
    last_on date NOT NULL,
    PRIMARY KEY (tenant_id, caller_id, route)
) WITH (fillfactor = 70);
