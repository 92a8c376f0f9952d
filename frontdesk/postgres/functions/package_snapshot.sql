-- A package as the activity log compares it: with its contents.
CREATE OR REPLACE FUNCTION package_snapshot(p_tenant uuid, p_package uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    p packages;
    v_contents jsonb;
BEGIN
    SELECT * INTO p FROM packages WHERE tenant_id = p_tenant AND id = p_package;
    SELECT jsonb_agg(jsonb_build_object('name', i.name, 'quantity', c.quantity) ORDER BY c.sort_order, i.id)
    INTO v_contents FROM package_items c JOIN items i ON i.tenant_id = p_tenant AND i.id = c.item_id
    WHERE c.tenant_id = p_tenant AND c.package_id = p_package;
    RETURN to_jsonb(p) - 'pinned_at' || jsonb_build_object('contents', v_contents);
END $$;
