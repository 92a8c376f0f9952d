-- Opens or closes a branch that has not changed since it was read, and returns its id.
CREATE OR REPLACE FUNCTION set_branch_active(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before branches;
    v_after branches;
    v_published json;
BEGIN
    IF NOT (p ->> 'active')::boolean THEN
        PERFORM lock_branches_to_close(p_tenant, v_id);
    END IF;
    PERFORM change_schedules(p_tenant, v_id, NULL); -- an order that saw the branch open is checked again
    SELECT * INTO v_before FROM branches WHERE tenant_id = p_tenant AND id = v_id;
    IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_published := branch_document(p_tenant, v_id);
    UPDATE branches SET status = (p ->> 'active')::boolean, version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    PERFORM record_activity(
        p_tenant, p -> 'actor', 'branch.updated', v_id, v_after.name, to_jsonb(v_before), to_jsonb(v_after));
    PERFORM emit_change(p_tenant, 'branch.updated', v_published, branch_document(p_tenant, v_id));
    RETURN v_id;
END $$;
