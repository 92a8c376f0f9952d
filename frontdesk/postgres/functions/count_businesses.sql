-- How many businesses an application is connected to, sandboxes apart.
CREATE OR REPLACE FUNCTION count_businesses(p_application uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT count(*) FROM installs i JOIN tenants n ON n.id = i.tenant_id
        WHERE i.application_id = p_application AND i.disconnected_at IS NULL AND NOT n.is_sandbox);
END $$;
