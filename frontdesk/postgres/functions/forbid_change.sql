-- Refuses to change or delete what is final. Only a sandbox that is emptied loses it, with
-- `delete_final_rows_of_sandbox`.
CREATE OR REPLACE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND to_jsonb(OLD) ->> 'tenant_id' = current_setting('frontdesk.emptied_sandbox', true) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
