-- Erases about `p_limit` rows of a deleted business, and returns whether more is left. What the law requires stays:
-- orders, transactions, invoices, credit notes and day closes. What is personal about customers and staff, but for the
-- names of staff, is removed. `tenant_erasures` says how far it is, so that any process can go on. Returns false while
-- another one works on it.
CREATE OR REPLACE FUNCTION erase_tenant_batch(p_tenant uuid,
    p_limit integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    -- Tables of which everything is deleted, after those that refer to them: no row is deleted by a foreign key.
    c_deleted CONSTANT text[] := ARRAY['webhook_attempts', 'webhook_deliveries', 'webhooks', 'customer_tags',
        'customer_notes',
        'customer_consents', 'waiting_list', 'messages', 'notifications', 'message_settings', 'reminder_progress',
            'import_outcomes',
        'import_rows', 'imports', 'record_export_parts', 'record_exports',
            'calendar_feeds', 'external_calendars', 'receipt_links', 'booking_links',
            'contact_codes',
        'holds', 'booking_list_links', 'booking_page_settings', 'idempotency_records', 'order_views', 'events',
        'customer_photos', 'photo_consents', 'report_mails', 'custom_data', 'customer_reads'];
    c_customers CONSTANT integer := cardinality(c_deleted) + 1;
    c_merged CONSTANT integer := cardinality(c_deleted) + 2;
    c_orders CONSTANT integer := cardinality(c_deleted) + 3;
    v_erasure tenant_erasures;
    v_left integer := p_limit;
    v_many integer;
    v_ids uuid[];
BEGIN
    SELECT * INTO v_erasure FROM tenant_erasures
    WHERE tenant_id = p_tenant AND finished_at IS NULL FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    WHILE v_left > 0 AND v_erasure.step <= c_orders LOOP
        IF v_erasure.step <= cardinality(c_deleted) THEN
            EXECUTE format('DELETE FROM %1$I WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
                SELECT ctid FROM %1$I WHERE tenant_id = $1 LIMIT $2))', c_deleted[v_erasure.step]) USING p_tenant,
                    v_left;
            GET DIAGNOSTICS v_many = ROW_COUNT;
        ELSE
            v_ids := erase_tenant_rows(p_tenant, (v_erasure.step - cardinality(c_deleted))::smallint, v_erasure.last_id,
                v_left);
            v_many := cardinality(v_ids);
            v_erasure.last_id := v_ids[v_many];
        END IF;
        IF v_many < v_left THEN
            v_erasure.step := v_erasure.step + 1;
            v_erasure.last_id := NULL;
        END IF;
        v_left := v_left - v_many;
        v_erasure.erased_rows := v_erasure.erased_rows + v_many;
    END LOOP;
    IF v_erasure.step > c_orders THEN
        PERFORM erase_tenant_staff(p_tenant);
        v_erasure.finished_at := now();
    END IF;
    UPDATE tenant_erasures SET step = v_erasure.step, last_id = v_erasure.last_id, erased_rows = v_erasure.erased_rows,
        finished_at = v_erasure.finished_at
    WHERE tenant_id = p_tenant;
    RETURN v_erasure.finished_at IS NULL;
END $$;
