-- Creates or updates a commission rate and returns its id. Without a version it is new.
CREATE OR REPLACE FUNCTION save_commission_rate(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb;
BEGIN
    IF p ? 'version' THEN
        PERFORM FROM commission_rates
        WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer FOR UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        v_before := commission_rate_json(p_tenant, v_id);
        UPDATE commission_rates SET staff_id = (p ->> 'staff_id')::uuid, item_id = (p ->> 'item_id')::uuid,
            starts_on = (p ->> 'starts_on')::date, percent = (p ->> 'percent')::numeric, version = version + 1,
            updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_id;
    ELSE
        INSERT INTO commission_rates (tenant_id, id, staff_id, item_id, starts_on, percent)
        VALUES (p_tenant, v_id, (p ->> 'staff_id')::uuid, (p ->> 'item_id')::uuid, (p ->> 'starts_on')::date,
            (p ->> 'percent')::numeric);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'commission_rate.created' ELSE 'commission_rate.updated' END, v_id,
        (p ->> 'percent') || '%', v_before, commission_rate_json(p_tenant, v_id));
    RETURN v_id;
END $$;
