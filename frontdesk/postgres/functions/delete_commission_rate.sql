-- Deletes a commission rate and returns its id.
CREATE OR REPLACE FUNCTION delete_commission_rate(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb := commission_rate_json(p_tenant, v_id);
BEGIN
    DELETE FROM commission_rates WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(
        p_tenant, p -> 'actor', 'commission_rate.deleted', v_id, (v_before ->> 'percent') || '%', v_before);
    RETURN v_id;
END $$;
