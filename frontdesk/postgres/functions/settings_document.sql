-- The published form of the settings of a business. Its reasons for cancelling are null where the business has none of
-- its own. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION settings_document(p_tenant uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t tenants;
    v_slug text;
BEGIN
    SELECT * INTO t FROM tenants WHERE id = p_tenant;
    SELECT slug INTO v_slug FROM tenant_slugs WHERE tenant_id = p_tenant AND is_current;
    RETURN json_build_object('tenant_id', t.id, 'version', t.version, 'name', t.name, 'names', t.names,
        'slug', v_slug, 'country', t.country, 'timezone', t.timezone, 'currency', t.currency, 'languages', t.languages,
        'prices_include_tax', t.prices_include_tax, 'charges_no_tax', t.charges_no_tax,
        'tax_registration_number', t.tax_registration_number, 'invoice_note', t.invoice_note, 'accent', t.accent,
        'cancel_reasons', t.cancel_reasons, 'commission_basis', t.commission_basis,
        'grid_minutes', t.grid_minutes, 'notice_hours', t.notice_hours, 'horizon_days', t.horizon_days,
        'cancellation_hours', t.cancellation_hours, 'deposit_percent', t.deposit_percent,
        'updated_at', format_utc(t.updated_at));
END $$;
