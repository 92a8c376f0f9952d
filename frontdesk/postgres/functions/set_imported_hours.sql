-- Gives a staff member the weekly hours of a row of an import; without any they have the branch's.
CREATE OR REPLACE FUNCTION set_imported_hours(p_tenant uuid, p_staff uuid, p_values jsonb, p_actor jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_working_hours(p_tenant, jsonb_build_object(
        'staff_id', p_staff, 'name', p_values -> 'name', 'hours', coalesce(p_values -> 'hours', 'null'),
        'actor', p_actor, 'silent', true, 'version', coalesce((
            SELECT version FROM working_hours WHERE tenant_id = p_tenant AND staff_id = p_staff AND is_default), 0)));
END $$;
