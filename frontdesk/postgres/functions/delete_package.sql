-- Deletes a package that no order contains, and returns its id. The foreign key of orders holds one that is in use.
CREATE OR REPLACE FUNCTION delete_package(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb := package_snapshot(p_tenant, v_id);
    v_published json := package_document(p_tenant, v_id);
    v packages;
BEGIN
    DELETE FROM packages WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer
    RETURNING * INTO v;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM swap_picture(p_tenant, v.picture_id, NULL);
    PERFORM record_activity(p_tenant, p -> 'actor', 'package.deleted', v_id, localized(v.name), v_before, NULL);
    PERFORM emit_change(p_tenant, 'package.deleted', v_published, NULL);
    RETURN v_id;
END $$;
