-- Adds to the row count of a table that a list shows as `total`. Every statement that inserts or deletes such rows is
-- followed by a call. The row stays locked until the transaction ends, so it comes after other locks.
CREATE OR REPLACE FUNCTION add_row_count(p_tenant uuid, p_table text, p_n integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tenant_counters SET value = value + p_n WHERE tenant_id = p_tenant AND name = 'rows:' || p_table;
    IF NOT FOUND THEN
        INSERT INTO tenant_counters AS c (tenant_id, name, value) VALUES (p_tenant, 'rows:' || p_table, p_n)
        ON CONFLICT (tenant_id, name) DO UPDATE SET value = c.value + excluded.value;
    END IF;
END $$;
