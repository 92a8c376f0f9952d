-- Puts a package on sale or takes it off sale, and returns its id.
CREATE OR REPLACE FUNCTION set_package_status(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v packages;
    v_published json := package_document(p_tenant, (p ->> 'id')::uuid);
BEGIN
    UPDATE packages SET status = (p ->> 'status')::boolean, version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid AND status <> (p ->> 'status')::boolean
    RETURNING * INTO v;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'package.updated', v.id, localized(v.name),
            jsonb_build_object('status', NOT v.status), jsonb_build_object('status', v.status));
        PERFORM emit_change(p_tenant, 'package.updated', v_published, package_document(p_tenant, v.id));
    END IF;
    RETURN (p ->> 'id')::uuid;
END $$;
