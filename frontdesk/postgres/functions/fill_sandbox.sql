-- Writes the rows of a snapshot into the emptied tables of a sandbox. The sequence of events is not set back.
CREATE OR REPLACE FUNCTION fill_sandbox(p_tenant uuid, p_snapshot uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT s.name, s.columns, r.content
        FROM sandbox_tables() WITH ORDINALITY s (name, columns, position)
        JOIN sandbox_snapshot_rows r ON r.tenant_id = p_tenant AND r.snapshot_id = p_snapshot
            AND r.table_name = s.name
        ORDER BY s.position
    LOOP
        EXECUTE format('INSERT INTO %1$I (%2$s) SELECT %2$s FROM jsonb_populate_recordset(NULL::%1$I, $1)
            ON CONFLICT DO NOTHING', t.name, t.columns) USING t.content;
    END LOOP;
END $$;
