-- Creates a payment method and returns its id. A slug that is in use gets the end of the method's own id.
CREATE OR REPLACE FUNCTION create_payment_method(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_slug text := p ->> 'slug';
BEGIN
    IF EXISTS (SELECT FROM payment_methods WHERE tenant_id = p_tenant AND slug = v_slug) THEN
        v_slug := v_slug || '-' || right(replace(v_id::text, '-', ''), 8);
    END IF;
    INSERT INTO payment_methods (tenant_id, id, type, name, slug, active, install_id)
    VALUES (p_tenant, v_id, p ->> 'type', p -> 'name', v_slug, (p ->> 'active')::boolean, (p ->> 'install_id')::uuid);
    RETURN v_id;
END $$;
