-- Records a change, in the transaction that makes it. `p_before` and `p_after` are the rows; only values that differ
-- are stored, without technical columns. A change that changes nothing is not recorded.
CREATE OR REPLACE FUNCTION record_activity(
    p_tenant uuid, p_actor jsonb, p_action text, p_subject uuid, p_name text, p_before jsonb DEFAULT NULL,
    p_after jsonb DEFAULT NULL
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_hidden constant text[] := ARRAY['tenant_id', 'id', 'version', 'schedule_version', 'created_at', 'updated_at',
        'name_search', 'name_folded', 'phone_digits'];
    v_before jsonb := p_before - v_hidden;
    v_after jsonb := p_after - v_hidden;
    v_at timestamptz := clock_timestamp();
BEGIN
    IF p_before IS NOT NULL AND p_after IS NOT NULL THEN
        SELECT coalesce(jsonb_object_agg(key, v_before -> key), '{}'),
            coalesce(jsonb_object_agg(key, v_after -> key), '{}')
        INTO v_before, v_after
        FROM (SELECT jsonb_object_keys(v_before || v_after) AS key) k
        WHERE v_before -> key IS DISTINCT FROM v_after -> key;
        IF v_after = '{}' THEN
            RETURN;
        END IF;
    ELSE
        v_before := jsonb_strip_nulls(v_before);
        v_after := jsonb_strip_nulls(v_after);
    END IF;
    INSERT INTO activity (tenant_id, id, created_at, actor_type, actor_id, address, action, subject_id, subject, before,
        after, approved_by, approval_reason)
    VALUES (p_tenant, uuid_v7(v_at), v_at, coalesce(p_actor ->> 'type', 'system'), (p_actor ->> 'id')::uuid,
        p_actor ->> 'address', p_action, p_subject, p_name, v_before, v_after, (p_actor ->> 'approved_by')::uuid,
        p_actor ->> 'approval_reason');
END $$;
