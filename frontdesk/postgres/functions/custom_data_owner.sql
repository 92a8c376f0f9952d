-- Whose data an API client reads and writes: that of its application, or its own if it belongs to none.
CREATE OR REPLACE FUNCTION custom_data_owner(p_tenant uuid, p_client uuid) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_install uuid;
    v_application uuid;
BEGIN
    SELECT install_id INTO v_install FROM api_clients WHERE tenant_id = p_tenant AND id = p_client;
    IF v_install IS NOT NULL THEN
        SELECT application_id INTO v_application FROM installs WHERE tenant_id = p_tenant AND id = v_install;
    END IF;
    RETURN coalesce(v_application, p_client);
END $$;
