-- The settings of a business as the response of an act; p_business is the tenant.
CREATE OR REPLACE FUNCTION published_settings_document(p_tenant uuid, p_business uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN settings_document(p_tenant);
END $$;
