-- The weekly hours of a branch. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION branch_hours_document(p_tenant uuid, p_owner uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN coalesce(working_hours_json(p_tenant, p_owner, NULL) -> 'working_hour', 'null');
END $$;
