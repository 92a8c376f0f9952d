-- Takes one use of the first fault of these kinds that befalls this operation; no row if there is none. The row of the
-- tenant is locked first, so that it says whether any fault is left.
CREATE OR REPLACE FUNCTION take_sandbox_fault(p_tenant uuid, p_kinds text[], p_route text)
RETURNS TABLE (kind text, code text, seconds integer) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_fault uuid;
BEGIN
    PERFORM FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    SELECT f.id, f.kind, f.code, f.seconds INTO v_fault, kind, code, seconds FROM sandbox_faults f
    WHERE f.tenant_id = p_tenant AND f.remaining > 0 AND f.kind = ANY (p_kinds)
        AND (f.route IS NULL OR f.route = p_route)
    ORDER BY f.id LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE sandbox_faults f SET remaining = f.remaining - 1 WHERE f.tenant_id = p_tenant AND f.id = v_fault;
    PERFORM FROM sandbox_faults f WHERE f.tenant_id = p_tenant AND f.remaining > 0;
    IF NOT FOUND THEN
        UPDATE tenants SET has_faults = false WHERE id = p_tenant;
    END IF;
    RETURN NEXT;
END $$;
