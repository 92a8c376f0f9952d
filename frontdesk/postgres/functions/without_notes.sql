-- A published order or transaction without the notes that people wrote on it, on its transactions and in its history,
-- and without what an application has stored with it.
CREATE OR REPLACE FUNCTION without_notes(p jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_key text;
BEGIN
    IF p ? 'note' THEN
        p := p || '{"note": null}';
    END IF;
    IF p ? 'metadata' THEN
        p := p || '{"metadata": {}}';
    END IF;
    FOREACH v_key IN ARRAY ARRAY['transactions', 'status_history'] LOOP
        IF jsonb_typeof(p -> v_key) = 'array' THEN
            p := jsonb_set(p, ARRAY[v_key], (
                SELECT coalesce(jsonb_agg(e || '{"note": null}' ORDER BY n), '[]')
                FROM jsonb_array_elements(p -> v_key) WITH ORDINALITY AS each (e, n)));
        END IF;
    END LOOP;
    RETURN p;
END $$;
