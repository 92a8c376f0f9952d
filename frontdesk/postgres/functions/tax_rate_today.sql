-- The rate in percent, today, of a tax class, or of the default one where it is null. Null if there is none.
CREATE OR REPLACE FUNCTION tax_rate_today(p_tenant uuid, p_class uuid, p_zone text) RETURNS numeric
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_rate numeric;
BEGIN
    SELECT r.rate INTO v_rate FROM tax_classes c JOIN tax_rates r ON r.tenant_id = p_tenant AND r.class_id = c.id
    WHERE c.tenant_id = p_tenant AND (c.id = p_class OR p_class IS NULL AND c.is_default)
        AND r.starts_on <= local_today(p_zone)
    ORDER BY r.starts_on DESC LIMIT 1;
    RETURN v_rate;
END $$;
