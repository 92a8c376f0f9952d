-- Records attempts to deliver events, of several tenants. A worker that has lost the lease does not change the
-- delivery. A loop, because the rows of two tenants can be on different nodes; by id, as deliveries are locked before
-- they are deleted.
CREATE OR REPLACE FUNCTION insert_attempts(p_tenants uuid[], p_deliveries uuid[], p_leases uuid[], p_ids uuid[],
    p_times timestamptz[], p_milliseconds integer[], p_statuses smallint[], p_bodies text[], p_errors text[],
    p_states text[], p_delays float8[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    a record;
    v_next timestamptz;
BEGIN
    FOR a IN
        SELECT * FROM unnest(p_tenants, p_deliveries, p_leases, p_ids, p_times, p_milliseconds, p_statuses, p_bodies,
                p_errors, p_states, p_delays)
            AS g (tenant_id, delivery_id, lease, id, attempted_at, milliseconds, status, response_body, error, state,
                delay)
        ORDER BY g.tenant_id, g.delivery_id
    LOOP
        v_next := now() + make_interval(secs => a.delay);
        UPDATE webhook_deliveries d SET
            attempts = d.attempts + 1,
            state = CASE WHEN d.lease = a.lease THEN a.state ELSE d.state END,
            due_at = CASE WHEN d.lease = a.lease AND a.state = 'due' THEN v_next ELSE d.due_at END,
            leased_until = CASE WHEN d.lease = a.lease THEN NULL ELSE d.leased_until END,
            lease = CASE WHEN d.lease = a.lease THEN NULL ELSE d.lease END
        WHERE d.tenant_id = a.tenant_id AND d.id = a.delivery_id;
        IF FOUND THEN -- otherwise its webhook has been deleted
            INSERT INTO webhook_attempts (tenant_id, id, delivery_id, attempted_at, milliseconds, status, response_body,
                error)
            VALUES (a.tenant_id, a.id, a.delivery_id, a.attempted_at, a.milliseconds, a.status, a.response_body,
                a.error)
            ON CONFLICT (tenant_id, id) DO NOTHING;
        END IF;
    END LOOP;
END $$;
