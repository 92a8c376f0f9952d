-- Marks staff as changed and emits what they perform now. p_before is what lock_performers has returned.
CREATE OR REPLACE FUNCTION emit_performers(p_tenant uuid, p_staff uuid[], p_before json[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_staff = '{}' THEN
        RETURN;
    END IF;
    UPDATE staff SET updated_at = monotonic_now(updated_at) WHERE tenant_id = p_tenant AND id = ANY (p_staff);
    PERFORM emit_changes(p_tenant, 'staff.updated', p_before,
        ARRAY(SELECT staff_document(p_tenant, s.id) FROM unnest(p_staff) AS s (id) ORDER BY s.id));
END $$;
