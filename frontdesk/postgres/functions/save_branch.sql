-- Creates a branch, or updates one that has not changed since it was read. With a status it is also opened or closed.
-- Returns its id.
CREATE OR REPLACE FUNCTION save_branch(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before branches;
    v_after branches;
    v_published json;
BEGIN
    IF p ->> 'version' IS NULL THEN
        INSERT INTO branches (tenant_id, id, name, names, slug, phone, phone_country, address, latitude, longitude,
            location)
        VALUES (p_tenant, v_id, p ->> 'name', coalesce(p -> 'names', '{}'), p ->> 'slug', p ->> 'phone',
            p ->> 'phone_country', p ->> 'address', (p ->> 'latitude')::numeric,
            (p ->> 'longitude')::numeric, p ->> 'location')
        RETURNING * INTO v_after;
        PERFORM record_activity(p_tenant, p -> 'actor', 'branch.created', v_id, v_after.name, NULL, to_jsonb(v_after));
        PERFORM emit_change(p_tenant, 'branch.created', NULL, branch_document(p_tenant, v_id));
        RETURN v_id;
    END IF;
    IF NOT (p ->> 'status')::boolean THEN
        PERFORM lock_branches_to_close(p_tenant, v_id);
    END IF;
    SELECT * INTO v_before FROM branches WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
    IF v_before.status <> (p ->> 'status')::boolean THEN
        PERFORM change_schedules(p_tenant, v_id, NULL); -- an order that saw the branch open is checked again
    END IF;
    IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_published := branch_document(p_tenant, v_id);
    UPDATE branches SET name = p ->> 'name', names = coalesce(p -> 'names', names), slug = p ->> 'slug',
        phone = p ->> 'phone', phone_country = p ->> 'phone_country', address = p ->> 'address',
        latitude = (p ->> 'latitude')::numeric, longitude = (p ->> 'longitude')::numeric, location = p ->> 'location',
        status = coalesce((p ->> 'status')::boolean, status), version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    PERFORM record_activity(
        p_tenant, p -> 'actor', 'branch.updated', v_id, v_after.name, to_jsonb(v_before), to_jsonb(v_after));
    PERFORM emit_change(p_tenant, 'branch.updated', v_published, branch_document(p_tenant, v_id));
    RETURN v_id;
END $$;
