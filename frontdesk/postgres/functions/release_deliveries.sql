-- Ends the leases of deliveries that were not sent, of several tenants, so that they can be claimed again at once. In
-- the order of insert_attempts; a loop for the same reason.
CREATE OR REPLACE FUNCTION release_deliveries(p_tenants uuid[], p_deliveries uuid[], p_leases uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    d record;
BEGIN
    FOR d IN
        SELECT * FROM unnest(p_tenants, p_deliveries, p_leases) AS g (tenant_id, id, lease) ORDER BY g.tenant_id, g.id
    LOOP
        UPDATE webhook_deliveries SET lease = NULL, leased_until = NULL
        WHERE tenant_id = d.tenant_id AND id = d.id AND lease = d.lease;
    END LOOP;
END $$;
