-- Records which of these events tell that a record was deleted, for applications that ask what has gone since a moment.
CREATE OR REPLACE FUNCTION record_deletions(p_tenant uuid, p_types text[], p_data json[], p_at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF array_to_string(p_types, ' ') NOT LIKE '%.deleted%' THEN
        RETURN;
    END IF;
    PERFORM record_deletion(p_tenant, split_part(e.type, '.', 1),
        (e.data -> split_part(e.type, '.', 1) ->> 'id')::uuid, p_at, (e.data ->> 'merged_into')::uuid)
    FROM unnest(p_types, p_data) AS e (type, data) WHERE e.type LIKE '%.deleted';
END $$;
