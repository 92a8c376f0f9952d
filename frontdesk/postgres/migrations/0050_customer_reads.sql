-- migration: expand
-- Which customers an API client was shown, and what of them: since when, until when, and on how many days, in UTC. A
-- day is written once. `customer_id` is 0 for a file of all customers. Customers have no foreign key: rows are written
-- a second after the response.
CREATE TABLE customer_reads (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    customer_id uuid NOT NULL,
    caller_id uuid NOT NULL,
    fields text NOT NULL CHECK (fields IN ('contact', 'orders')),
    first_on date NOT NULL,
    last_on date NOT NULL,
    days integer NOT NULL,
    PRIMARY KEY (tenant_id, customer_id, caller_id, fields)
) WITH (fillfactor = 80);
