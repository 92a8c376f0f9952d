-- migration: expand
-- Notes about customers count among what programs were shown of them.
ALTER TABLE customer_reads
    ADD CONSTRAINT customer_reads_fields CHECK (fields IN ('contact', 'notes', 'orders')) NOT VALID,
    DROP CONSTRAINT customer_reads_fields_check;
