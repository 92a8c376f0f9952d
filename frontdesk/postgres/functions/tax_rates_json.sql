-- The rates of a tax class as texts, such as "2026-07-01 15.00 %", for the activity.
CREATE OR REPLACE FUNCTION tax_rates_json(p_tenant uuid, p_class uuid) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_rates jsonb;
BEGIN
    SELECT jsonb_agg(format('%s %s %%', starts_on, rate) ORDER BY starts_on) INTO v_rates FROM tax_rates
    WHERE tenant_id = p_tenant AND class_id = p_class;
    RETURN coalesce(v_rates, '[]');
END $$;
