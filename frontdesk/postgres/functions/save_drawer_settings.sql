-- Saves how a business counts its cash: own shifts, blind counts, and how many drawers each branch has. Returns the id
-- of the business. Shifts that are open go on. `seen` is what was read: what others have saved since is not lost.
CREATE OR REPLACE FUNCTION save_drawer_settings(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before jsonb;
    v_published json;
BEGIN
    SELECT jsonb_build_object('own_shifts', own_shifts, 'blind_count', blind_count) INTO v_before
    FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    IF p -> 'seen' <> v_before || jsonb_build_object('drawers', (
        SELECT coalesce(jsonb_object_agg(id, drawer_count), '{}') FROM branches WHERE tenant_id = p_tenant)) THEN
        PERFORM raise_outdated();
    END IF;
    v_published := drawer_settings_document(p_tenant, p_tenant);
    SELECT v_before || jsonb_build_object('drawers', string_agg(name || ': ' || drawer_count, ', ' ORDER BY name))
    INTO v_before FROM branches WHERE tenant_id = p_tenant;
    UPDATE tenants SET own_shifts = (p ->> 'own_shifts')::boolean, blind_count = (p ->> 'blind_count')::boolean,
        updated_at = monotonic_now(updated_at)
    WHERE id = p_tenant;
    UPDATE branches b SET drawer_count = d.drawers -- which no published form of a branch has
    FROM jsonb_to_recordset(p -> 'branches') d (id uuid, drawers smallint)
    WHERE b.tenant_id = p_tenant AND b.id = d.id AND b.drawer_count <> d.drawers;
    PERFORM record_activity(p_tenant, p -> 'actor', 'drawer_settings.updated', p_tenant, NULL, v_before,
        jsonb_build_object('own_shifts', p -> 'own_shifts', 'blind_count', p -> 'blind_count', 'drawers', (
            SELECT string_agg(name || ': ' || drawer_count, ', ' ORDER BY name) FROM branches
            WHERE tenant_id = p_tenant)));
    PERFORM emit_change(p_tenant, 'drawer_settings.updated', v_published,
        drawer_settings_document(p_tenant, p_tenant));
    RETURN p_tenant;
END $$;
