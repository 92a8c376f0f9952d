-- Lets every active staff member of its branch perform a service, and returns its id. Those who do already keep their
-- own price and duration.
CREATE OR REPLACE FUNCTION let_all_perform(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'item_id')::uuid;
    v_before jsonb;
    v_name text;
    v_team uuid[];
    v_staff json[];
BEGIN
    v_team := ARRAY(
        SELECT s.id FROM items i JOIN staff s ON s.tenant_id = p_tenant AND s.branch_id = i.branch_id AND s.active
        WHERE i.tenant_id = p_tenant AND i.id = v_id AND NOT EXISTS (
            SELECT FROM staff_services o WHERE o.tenant_id = p_tenant AND o.item_id = i.id AND o.staff_id = s.id));
    v_staff := lock_performers(p_tenant, v_team);
    SELECT localized(name) INTO v_name FROM items
    WHERE tenant_id = p_tenant AND id = v_id AND type = 'service' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    v_before := item_snapshot(p_tenant, v_id);
    INSERT INTO staff_services (tenant_id, staff_id, item_id)
    SELECT p_tenant, s.id, v_id FROM unnest(v_team) AS s (id)
    ON CONFLICT DO NOTHING;
    UPDATE items SET version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'item.updated', v_id, v_name, v_before,
        item_snapshot(p_tenant, v_id));
    PERFORM emit_performers(p_tenant, v_team, v_staff);
    RETURN v_id;
END $$;
