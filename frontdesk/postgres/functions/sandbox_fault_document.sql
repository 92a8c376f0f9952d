-- The published form of one fault of a sandbox. Null for an unknown id.
CREATE OR REPLACE FUNCTION sandbox_fault_document(p_tenant uuid, p_fault uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    f sandbox_faults;
BEGIN
    SELECT * INTO f FROM sandbox_faults WHERE tenant_id = p_tenant AND id = p_fault;
    RETURN CASE WHEN FOUND THEN sandbox_fault_json(f) END;
END $$;
