-- Removes the notes and e-mail addresses of a customer's orders, the notes of their history and payments, the reasons of their
-- refunds, their stored documents, and the entries of the activity that quote a note or reason. Without a customer: of all
-- orders. It runs with the rights of its owner, because the service cannot change entries of the activity.
CREATE OR REPLACE FUNCTION redact_order_notes(p_tenant uuid, p_customer uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$ -- ends with pg_temp, see migrate.py
DECLARE
    v_orders uuid[];
BEGIN
    SELECT coalesce(array_agg(id), '{}') INTO v_orders FROM orders
    WHERE tenant_id = p_tenant AND (customer_id = p_customer OR p_customer IS NULL);
    UPDATE orders SET note = NULL, contact_email = NULL, version = version + 1, updated_at = next_time(updated_at)
    WHERE tenant_id = p_tenant AND id = ANY (v_orders) AND (note IS NOT NULL OR contact_email IS NOT NULL);
    UPDATE order_status_history SET note = NULL
    WHERE tenant_id = p_tenant AND order_id = ANY (v_orders) AND note IS NOT NULL;
    UPDATE transactions SET note = NULL, updated_at = next_time(updated_at)
    WHERE tenant_id = p_tenant AND order_id = ANY (v_orders) AND note IS NOT NULL;
    UPDATE refunds SET reason = NULL WHERE tenant_id = p_tenant AND order_id = ANY (v_orders) AND reason IS NOT NULL;
    DELETE FROM order_documents WHERE tenant_id = p_tenant AND order_id = ANY (v_orders);
    UPDATE activity SET subject = NULL, before = NULL, after = NULL
    WHERE tenant_id = p_tenant AND subject_id = ANY (v_orders)
      AND coalesce(before ->> 'note', after ->> 'note', after ->> 'reason') IS NOT NULL;
END $$;
