-- Deletes a business, and returns its id. What the law requires stays: orders, transactions, invoices, credit notes and day
-- closes. Members, credentials and what is personal about customers and staff, but for the names of staff, are removed. Its
-- public name is given to no other.
CREATE OR REPLACE FUNCTION delete_tenant(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := now();
    v_pictures uuid[];
BEGIN
    UPDATE tenants SET deleted_at = v_now, suspended_at = v_now, suspended_reason = NULL, version = version + 1,
        updated_at = next_time(updated_at)
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
    DELETE FROM webhooks WHERE tenant_id = p_tenant;
    DELETE FROM customer_tags WHERE tenant_id = p_tenant;
    DELETE FROM customer_notes WHERE tenant_id = p_tenant;
    DELETE FROM customer_consents WHERE tenant_id = p_tenant;
    DELETE FROM waiting_list WHERE tenant_id = p_tenant;
    DELETE FROM messages WHERE tenant_id = p_tenant;
    DELETE FROM message_settings WHERE tenant_id = p_tenant;
    DELETE FROM reminder_progress WHERE tenant_id = p_tenant;
    DELETE FROM imports WHERE tenant_id = p_tenant;
    DELETE FROM calendar_feeds WHERE tenant_id = p_tenant;
    DELETE FROM time_off WHERE tenant_id = p_tenant AND status = 'outside';
    DELETE FROM outside_calendars WHERE tenant_id = p_tenant;
    DELETE FROM receipt_links WHERE tenant_id = p_tenant;
    DELETE FROM booking_links WHERE tenant_id = p_tenant;
    DELETE FROM contact_codes WHERE tenant_id = p_tenant;
    DELETE FROM holds WHERE tenant_id = p_tenant;
    DELETE FROM booking_list_links WHERE tenant_id = p_tenant;
    DELETE FROM booking_page_settings WHERE tenant_id = p_tenant;
    DELETE FROM idempotency_records WHERE tenant_id = p_tenant; -- with stored responses
    DELETE FROM order_views WHERE tenant_id = p_tenant; -- what they search for may be a customer
    UPDATE time_off SET note = NULL, version = version + 1, updated_at = next_time(updated_at)
    WHERE tenant_id = p_tenant AND note IS NOT NULL;
    PERFORM redact_activity(p_tenant, a.subject_id) FROM activity a
    WHERE a.tenant_id = p_tenant AND split_part(a.action, '.', 1) IN ('invitation', 'order_view');
    PERFORM redact_activity(p_tenant, c.id) FROM customers c WHERE c.tenant_id = p_tenant;
    PERFORM redact_activity(p_tenant, m.id) FROM merged_customers m WHERE m.tenant_id = p_tenant;
    UPDATE customers SET first_name = '-', last_name = NULL, name_search = '-', email = NULL, phone = NULL,
        phone_country = NULL, city = NULL, address = NULL, note = NULL, tax_registration_number = NULL, blocked = true,
        blocked_reason = NULL, language = NULL, erased_at = v_now, version = version + 1, updated_at = next_time(updated_at)
    WHERE tenant_id = p_tenant;
    PERFORM redact_activity(p_tenant, s.id) FROM staff s WHERE s.tenant_id = p_tenant;
    v_pictures := ARRAY(SELECT picture_id FROM staff WHERE tenant_id = p_tenant AND picture_id IS NOT NULL);
    UPDATE staff SET email = NULL, phone = NULL, phone_country = NULL, image = NULL, picture_id = NULL, version = version + 1,
        updated_at = next_time(updated_at)
    WHERE tenant_id = p_tenant;
    DELETE FROM pictures WHERE tenant_id = p_tenant AND id = ANY (v_pictures);
    PERFORM redact_order_notes(p_tenant, NULL);
    DELETE FROM idempotency_records WHERE tenant_id = p_tenant;
    DELETE FROM events WHERE tenant_id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'business.deleted', p_tenant, p ->> 'name', '{}', '{"deleted": true}');
    RETURN p_tenant;
END $$;
