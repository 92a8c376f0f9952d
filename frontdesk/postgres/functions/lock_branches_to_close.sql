-- Locks the active branches by id before one of them is closed, and finds out whether another one stays open.
CREATE OR REPLACE FUNCTION lock_branches_to_close(p_tenant uuid, p_branch uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM branches WHERE tenant_id = p_tenant AND (status OR id = p_branch)
    ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM branches WHERE tenant_id = p_tenant AND status AND id <> p_branch;
    IF NOT FOUND THEN
        PERFORM FROM branches WHERE tenant_id = p_tenant AND status AND id = p_branch;
        IF FOUND THEN
            PERFORM raise_outdated();
        END IF;
    END IF;
END $$;
