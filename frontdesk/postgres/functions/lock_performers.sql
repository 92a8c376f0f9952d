-- Locks staff by id before what they perform changes, and returns their published forms in this order.
CREATE OR REPLACE FUNCTION lock_performers(p_tenant uuid, p_staff uuid[]) RETURNS json[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_staff = '{}' THEN
        RETURN '{}';
    END IF;
    PERFORM FROM staff WHERE tenant_id = p_tenant AND id = ANY (p_staff) ORDER BY id FOR NO KEY UPDATE;
    RETURN ARRAY(SELECT staff_document(p_tenant, s.id) FROM unnest(p_staff) AS s (id) ORDER BY s.id);
END $$;
