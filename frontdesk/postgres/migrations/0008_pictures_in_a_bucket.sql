-- migration: expand
-- Pictures can be in S3-compatible storage instead of the database. A program of the version before shows only those
-- that are in the database. See frontdesk/pictures/bucket.py.
ALTER TABLE pictures
    ALTER COLUMN content DROP NOT NULL,
    ALTER COLUMN thumbnail DROP NOT NULL,
    ADD COLUMN object_id uuid, -- the name of its objects in the bucket, which a copy shares. Null: in the database
    ADD COLUMN content_hash bytea, -- SHA-256 of the object, to notice what has changed or was cut off
    ADD COLUMN thumbnail_hash bytea,
    ADD CONSTRAINT pictures_in_one_place CHECK (CASE WHEN object_id IS NULL
        THEN num_nulls(content, thumbnail) = 0
        ELSE num_nulls(content_hash, thumbnail_hash) = 0 AND num_nonnulls(content, thumbnail) = 0 END) NOT VALID;

-- Objects of the bucket that perhaps no row refers to: written before an object is, and when a row that refers to it
-- goes. When one is due and no row refers to it, it is removed. It outlives the business, so it has no foreign key.
CREATE TABLE objects_to_check (
    tenant_id uuid NOT NULL,
    object_id uuid NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now() + interval '1 hour', -- what reads the row now can still read the object
    PRIMARY KEY (tenant_id, object_id)
);
CREATE INDEX objects_to_check_by_time ON objects_to_check (due_at);
SELECT distribute_table('objects_to_check');
