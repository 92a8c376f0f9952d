-- Removes the notes and e-mail addresses of orders, the notes of their history and payments, the reasons of their
-- refunds, their stored documents, and the entries of the activity that quote a note or reason. It runs with the rights
-- of its owner, because the service cannot change entries of the activity.
CREATE OR REPLACE FUNCTION redact_order_notes(p_tenant uuid, p_orders uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$ -- ends with pg_temp, see migrate.py
BEGIN
    UPDATE orders SET note = NULL, contact_email = NULL, version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = ANY (p_orders) AND (note IS NOT NULL OR contact_email IS NOT NULL);
    UPDATE order_status_history SET note = NULL
    WHERE tenant_id = p_tenant AND order_id = ANY (p_orders) AND note IS NOT NULL;
    UPDATE transactions SET note = NULL, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND order_id = ANY (p_orders) AND note IS NOT NULL;
    UPDATE refunds SET reason = NULL WHERE tenant_id = p_tenant AND order_id = ANY (p_orders) AND reason IS NOT NULL;
    DELETE FROM order_documents WHERE tenant_id = p_tenant AND order_id = ANY (p_orders);
    UPDATE activity SET subject = NULL, before = NULL, after = NULL
    WHERE tenant_id = p_tenant AND subject_id = ANY (p_orders)
        AND coalesce(before ->> 'note', after ->> 'note', after ->> 'reason') IS NOT NULL;
END $$;
