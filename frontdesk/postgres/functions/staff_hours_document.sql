-- The weekly hours of a staff member, or of their branch if they have none. VOLATILE, so that it sees what the same
-- statement has just written.
CREATE OR REPLACE FUNCTION staff_hours_document(p_tenant uuid, p_owner uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN coalesce(working_hours_json(p_tenant, NULL, p_owner) -> 'working_hour', 'null');
END $$;
