-- Creates or updates a cashier, and returns their id. Without a version they are new.
CREATE OR REPLACE FUNCTION save_cashier(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb;
    v_after cashiers;
BEGIN
    IF p ->> 'version' IS NULL THEN
        INSERT INTO cashiers (tenant_id, id, branch_id, name, code)
        VALUES (p_tenant, v_id, (p ->> 'branch_id')::uuid, p ->> 'name', p ->> 'code') RETURNING * INTO v_after;
    ELSE
        SELECT to_jsonb(k) INTO v_before FROM cashiers k
        WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        UPDATE cashiers SET branch_id = (p ->> 'branch_id')::uuid, name = p ->> 'name', code = p ->> 'code',
            active = (p ->> 'active')::boolean, updated_at = monotonic_now(updated_at), version = version + 1
        WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'cashier.created' ELSE 'cashier.updated' END, v_id, v_after.name, v_before,
        to_jsonb(v_after));
    RETURN v_id;
END $$;
