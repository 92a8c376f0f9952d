-- Deletes at most p_limit acts of operators that are older than 400 days and returns their number. It runs with the
-- rights of its owner, because the service itself cannot delete them.
CREATE OR REPLACE FUNCTION delete_old_operator_acts(p_limit integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$ -- ends with pg_temp, see migrate.py
DECLARE
    v_count integer;
BEGIN
    DELETE FROM operator_acts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM operator_acts WHERE created_at < now() - interval '400 days' LIMIT p_limit FOR UPDATE SKIP
            LOCKED));
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
