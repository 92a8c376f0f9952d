-- Creates a package, or updates it if p has the version that it still has, and returns its id. `contents` has the items
-- in their order.
CREATE OR REPLACE FUNCTION save_package(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    n packages := jsonb_populate_record(NULL::packages, p - 'contents' - 'actor');
    v_old packages;
    v_before jsonb;
    v_published json;
BEGIN
    IF n.version IS NULL THEN
        INSERT INTO packages (tenant_id, id, branch_id, name, slug, price, version)
        VALUES (p_tenant, n.id, n.branch_id, n.name, n.slug, n.price, 0);
    ELSE
        SELECT * INTO v_old FROM packages
        WHERE tenant_id = p_tenant AND id = n.id AND version = n.version FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        v_before := package_snapshot(p_tenant, n.id);
        v_published := package_document(p_tenant, n.id);
    END IF;
    UPDATE packages SET branch_id = n.branch_id, tax_class_id = n.tax_class_id, name = n.name, sku = n.sku,
        description = n.description, picture_id = n.picture_id, status = n.status, price = n.price,
        offer_price = n.offer_price, offer_from = n.offer_from, offer_until = n.offer_until, version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = n.id;
    DELETE FROM package_items WHERE tenant_id = p_tenant AND package_id = n.id;
    INSERT INTO package_items (tenant_id, package_id, item_id, quantity, sort_order)
    SELECT p_tenant, n.id, (g.part ->> 'item_id')::uuid, (g.part ->> 'quantity')::integer, g.position
    FROM jsonb_array_elements(p -> 'contents') WITH ORDINALITY AS g (part, position);
    PERFORM swap_picture(p_tenant, v_old.picture_id, n.picture_id);
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'package.created' ELSE 'package.updated' END, n.id, localized(n.name), v_before,
        package_snapshot(p_tenant, n.id));
    PERFORM emit_change(p_tenant, CASE WHEN v_before IS NULL THEN 'package.created' ELSE 'package.updated' END,
        v_published, package_document(p_tenant, n.id));
    RETURN n.id;
END $$;
