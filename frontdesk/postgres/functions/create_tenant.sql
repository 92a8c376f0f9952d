-- Creates a business with its first branch and its payment methods, and returns its id.
CREATE OR REPLACE FUNCTION create_tenant(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_plan plans;
    v_languages text[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'languages'));
BEGIN
    SELECT * INTO v_plan FROM plans WHERE code = p ->> 'plan';
    INSERT INTO tenants (id, name, plan, open_api, country, timezone, currency, currency_decimals, languages,
        signed_up)
    VALUES (p_tenant, p ->> 'name', v_plan.code, v_plan.open_api, p ->> 'country', p ->> 'timezone', p ->> 'currency',
        (p ->> 'currency_decimals')::smallint, v_languages, (p ->> 'signed_up')::boolean);
    INSERT INTO tenant_slugs (slug, tenant_id) VALUES (p ->> 'slug', p_tenant);
    INSERT INTO branches (tenant_id, id, name, slug)
    VALUES (p_tenant, (p ->> 'branch_id')::uuid, p ->> 'branch', p ->> 'branch_slug');
    INSERT INTO payment_methods (tenant_id, id, type, name, slug, sort_order)
    SELECT p_tenant, m.id, m.type, m.name, m.type, m.ordinality - 1
    FROM ROWS FROM (jsonb_to_recordset(p -> 'methods') AS (id uuid, type text, name jsonb)) WITH ORDINALITY AS m;
    PERFORM record_activity(p_tenant, p -> 'actor', 'business.created', p_tenant, p ->> 'name', NULL,
        jsonb_build_object('name', p -> 'name', 'plan', p -> 'plan', 'country', p -> 'country',
            'timezone', p -> 'timezone', 'currency', p -> 'currency', 'languages', p -> 'languages'));
    RETURN p_tenant;
END $$;
