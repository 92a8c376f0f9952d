-- Updates the settings of a business and returns its id. The currency stays once there is an order. An earlier public
-- name goes on leading to the business. The forms of the dashboard do not send what has a function of its own: whether
-- the business charges no tax, its reasons for cancelling and what earns a commission. `zone` has the rules of a time
-- zone that no business had yet.
CREATE OR REPLACE FUNCTION update_settings(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before tenants;
    v_after tenants;
    v_slug text;
    v_published json;
BEGIN
    SELECT * INTO v_before FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    IF NOT FOUND OR v_before.version <> (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    IF v_before.currency <> p ->> 'currency' THEN
        -- an order that has its number is seen, the next one sees this
        PERFORM next_number(p_tenant, 'order_number', 0);
        IF EXISTS (SELECT FROM orders WHERE tenant_id = p_tenant) THEN
            PERFORM raise_outdated();
        END IF;
    END IF;
    IF v_before.timezone <> p ->> 'timezone' THEN -- the days of what was sold and paid stay
        PERFORM sum_sales(p_tenant);
        PERFORM sum_payments(p_tenant);
    END IF;
    IF p ? 'zone' THEN
        PERFORM know_time_zone(p -> 'zone');
    END IF;
    v_published := settings_document(p_tenant);
    UPDATE tenants SET name = p ->> 'name', names = coalesce(p -> 'names', names), country = p ->> 'country',
        timezone = p ->> 'timezone',
        currency = p ->> 'currency', currency_decimals = (p ->> 'currency_decimals')::smallint,
        languages = ARRAY(SELECT jsonb_array_elements_text(p -> 'languages')),
        grid_minutes = (p ->> 'grid_minutes')::smallint, notice_hours = (p ->> 'notice_hours')::smallint,
        horizon_days = (p ->> 'horizon_days')::smallint, cancellation_hours = (p ->> 'cancellation_hours')::smallint,
        deposit_percent = (p ->> 'deposit_percent')::smallint,
        prices_include_tax = (p ->> 'prices_include_tax')::boolean,
        tax_registration_number = p ->> 'tax_registration_number', invoice_note = p -> 'invoice_note',
        accent = p ->> 'accent', logo_id = (p ->> 'logo_id')::uuid,
        charges_no_tax = coalesce((p ->> 'charges_no_tax')::boolean, charges_no_tax),
        commission_basis = coalesce(p ->> 'commission_basis', commission_basis),
        cancel_reasons = CASE WHEN p ? 'cancel_reasons' THEN nullif(p -> 'cancel_reasons', 'null')
            ELSE cancel_reasons END,
        updated_at = monotonic_now(updated_at),
        version = version + 1
    WHERE id = p_tenant RETURNING * INTO v_after;
    PERFORM swap_picture(p_tenant, v_before.logo_id, v_after.logo_id);
    SELECT slug INTO v_slug FROM tenant_slugs WHERE tenant_id = p_tenant AND is_current;
    IF v_slug IS DISTINCT FROM p ->> 'slug' THEN
        UPDATE tenant_slugs SET is_current = false WHERE tenant_id = p_tenant AND is_current;
        UPDATE tenant_slugs SET is_current = true WHERE tenant_id = p_tenant AND slug = p ->> 'slug';
        IF NOT FOUND THEN
            INSERT INTO tenant_slugs (slug, tenant_id) VALUES (p ->> 'slug', p_tenant);
        END IF;
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'business.updated', p_tenant, v_after.name,
        to_jsonb(v_before) || jsonb_build_object('public_name', v_slug),
        to_jsonb(v_after) || jsonb_build_object('public_name', p ->> 'slug'));
    PERFORM emit_change(p_tenant, 'settings.updated', v_published, settings_document(p_tenant));
    RETURN p_tenant;
END $$;
