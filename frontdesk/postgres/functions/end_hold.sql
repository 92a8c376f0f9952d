-- Ends a hold of an API client, and returns its id. What has ended stays for an hour, because it counts.
CREATE OR REPLACE FUNCTION end_hold(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_now timestamptz := clock_timestamp();
BEGIN
    UPDATE holds SET expires_at = v_now
    WHERE tenant_id = p_tenant AND id = v_id AND client_id = (p #>> '{actor,id}')::uuid
        AND expires_at > v_now;
    RETURN v_id;
END $$;
