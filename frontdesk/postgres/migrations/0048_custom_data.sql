-- migration: expand
-- What an application stores with a record for itself: texts by key, and the id that the record has in its own system.
-- The owner is the application, so that it finds its data again after it was disconnected and connected; or the API
-- client, if that was made by the business itself. `kind` is the word of the event types. Records have no foreign key,
-- because four tables have them: record_deletion deletes what belongs to a record.
CREATE TABLE custom_data (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('order', 'customer', 'item', 'staff')),
    record_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    external_id text CHECK (external_id <> ''),
    metadata jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, kind, record_id, owner_id)
);
CREATE UNIQUE INDEX custom_data_external_id ON custom_data (tenant_id, owner_id, kind, external_id)
    WHERE external_id IS NOT NULL;
-- Finds the records of one owner by a key and its value, however many other businesses have the same. Each entry is the
-- hash of all three, which is why the key of the object is the business with kind and owner.
CREATE INDEX custom_data_by_metadata ON custom_data USING gin (
    (('{"' || tenant_id::text || kind || owner_id::text || '": ' || metadata::text || '}')::jsonb) jsonb_path_ops
);
