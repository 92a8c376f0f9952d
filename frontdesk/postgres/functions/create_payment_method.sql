-- Creates a payment method as the last one and returns its id. p has the number of methods (`others`) that its name was
-- compared with, or null; a lock of the tenant keeps two new ones apart. A slug that is in use gets the end of the
-- method's own id.
CREATE OR REPLACE FUNCTION create_payment_method(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_slug text := p ->> 'slug';
    v_last integer;
    v_after payment_methods;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('payment methods of ' || p_tenant::text, 0));
    IF (SELECT count(*) FROM payment_methods WHERE tenant_id = p_tenant) <> (p ->> 'others')::integer THEN
        PERFORM raise_outdated();
    END IF;
    IF EXISTS (SELECT FROM payment_methods WHERE tenant_id = p_tenant AND slug = v_slug) THEN
        v_slug := v_slug || '-' || right(replace(v_id::text, '-', ''), 8);
    END IF;
    SELECT coalesce(max(sort_order), -1) + 1 INTO v_last FROM payment_methods WHERE tenant_id = p_tenant;
    INSERT INTO payment_methods (tenant_id, id, type, name, slug, active, install_id, sort_order)
    VALUES (p_tenant, v_id, p ->> 'type', p -> 'name', v_slug, (p ->> 'active')::boolean, (p ->> 'install_id')::uuid,
        v_last)
    RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'payment_method.created', v_id,
        coalesce(v_after.name ->> 'en', v_after.name ->> 'ar'), NULL, to_jsonb(v_after));
    PERFORM emit_change(p_tenant, 'payment_method.created', NULL, payment_method_document(p_tenant, v_id));
    RETURN v_id;
END $$;
