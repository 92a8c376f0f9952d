-- The last part of `erase_tenant_batch`: the staff, whose names stay on the bookings, pictures that are not of the
-- catalogue or the logo, and what the activity says about staff, about views and about invited people.
CREATE OR REPLACE FUNCTION erase_tenant_staff(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_kept uuid[] := ARRAY(SELECT picture_id FROM items WHERE tenant_id = p_tenant AND picture_id IS NOT NULL)
        || ARRAY(SELECT picture_id FROM packages WHERE tenant_id = p_tenant AND picture_id IS NOT NULL)
        || ARRAY(SELECT logo_id FROM tenants WHERE id = p_tenant AND logo_id IS NOT NULL);
BEGIN
    DELETE FROM time_off WHERE tenant_id = p_tenant AND status = 'outside';
    UPDATE time_off SET note = NULL, version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND note IS NOT NULL;
    PERFORM redact_activity(p_tenant, s.id) FROM staff s WHERE s.tenant_id = p_tenant;
    PERFORM redact_activity(p_tenant, a.subject_id) FROM activity a
    WHERE a.tenant_id = p_tenant AND split_part(a.action, '.', 1) IN ('invitation', 'order_view');
    UPDATE staff SET email = NULL, phone = NULL, phone_country = NULL, image = NULL, picture_id = NULL,
        version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant;
    PERFORM delete_pictures(p_tenant, ARRAY(
        SELECT id FROM pictures WHERE tenant_id = p_tenant AND id <> ALL (v_kept)));
END $$;
