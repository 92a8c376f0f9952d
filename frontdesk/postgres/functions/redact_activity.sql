-- Removes what the activity says about a subject, such as a customer who asked to be erased. It runs with the rights of
-- its owner, because the service itself cannot change entries.
CREATE OR REPLACE FUNCTION redact_activity(p_tenant uuid, p_subject uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$ -- ends with pg_temp, see migrate.py
BEGIN
    UPDATE activity SET subject = NULL, before = NULL, after = NULL
    WHERE tenant_id = p_tenant AND subject_id = p_subject;
END $$;
