-- Keeps the picture that a row now shows, and deletes the one that it showed before. Called after the row was written.
CREATE OR REPLACE FUNCTION swap_picture(p_tenant uuid, p_old uuid,
    p_new uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_old IS NOT DISTINCT FROM p_new THEN
        RETURN;
    END IF;
    UPDATE pictures SET expires_at = NULL WHERE tenant_id = p_tenant AND id = p_new;
    PERFORM delete_pictures(p_tenant, ARRAY[p_old]);
END $$;
