-- Deletes at most p_limit entries that are older than 400 days and returns their number. It runs with the rights of its
-- owner, because the service itself cannot delete entries.
CREATE OR REPLACE FUNCTION delete_old_activity(p_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$ -- ends with pg_temp, see migrate.py
DECLARE
    v_count integer;
BEGIN
    BEGIN
        DELETE FROM activity WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM activity WHERE created_at < now() - interval '400 days' LIMIT p_limit FOR UPDATE SKIP
                LOCKED));
    EXCEPTION WHEN feature_not_supported THEN -- as in batched_delete.py
        DELETE FROM activity WHERE created_at < now() - interval '400 days';
    END;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
