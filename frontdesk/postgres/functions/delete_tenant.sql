-- Deletes a business, and returns its id: nobody can reach it from the next request on. What is personal in it is
-- erased by `erase_tenant_batch`, in short transactions, because a large business has millions of rows. Its public name
-- is given to no other.
CREATE OR REPLACE FUNCTION delete_tenant(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := now();
BEGIN
    UPDATE tenants SET deleted_at = v_now, suspended_at = v_now, suspended_reason = NULL, version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE id = p_tenant AND deleted_at IS NULL;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE tenant_slugs SET tenant_id = NULL WHERE tenant_id = p_tenant;
    DELETE FROM memberships WHERE tenant_id = p_tenant;
    DELETE FROM invitations WHERE tenant_id = p_tenant;
    UPDATE api_keys SET revoked_at = v_now WHERE tenant_id = p_tenant AND revoked_at IS NULL;
    DELETE FROM access_tokens WHERE tenant_id = p_tenant;
    DELETE FROM authorization_codes WHERE tenant_id = p_tenant;
    UPDATE installs SET disconnected_at = v_now WHERE tenant_id = p_tenant AND disconnected_at IS NULL;
    UPDATE api_clients SET disconnected_at = v_now, disabled_at = v_now WHERE tenant_id = p_tenant;
    INSERT INTO tenant_erasures (tenant_id) VALUES (p_tenant);
    PERFORM record_activity(p_tenant, p -> 'actor', 'business.deleted', p_tenant, p ->> 'name', '{}',
        '{"deleted": true}');
    RETURN p_tenant;
END $$;
