-- Replaces a customer in the stored events by what is left of them, in events of the customer and of their orders and
-- payments. Events are kept for thirty days and are not indexed by customer: all of the tenant's are searched.
CREATE OR REPLACE FUNCTION redact_customer_events(
    p_tenant uuid, p_customer uuid, p_orders uuid[], p_document json
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ids text[];
    v_document jsonb := p_document::jsonb;
BEGIN
    SELECT array_agg(m.id::text) || p_customer::text INTO v_ids
    FROM merged_customers m WHERE m.tenant_id = p_tenant AND m.into_id = p_customer;
    UPDATE events SET data = jsonb_set(data::jsonb, '{customer}', v_document)::json
    WHERE tenant_id = p_tenant AND type LIKE 'customer.%'
        AND data -> 'customer' ->> 'id' = ANY (v_ids);
    UPDATE events SET data = (jsonb_set(data::jsonb, '{order}',
            without_notes(data::jsonb -> 'order') || jsonb_build_object('customer', v_document))
        || CASE WHEN type = 'order.status_changed' THEN '{"note_for_status": null}' ELSE '{}' END::jsonb)::json
    WHERE tenant_id = p_tenant AND type LIKE 'order.%' AND data -> 'order' -> 'customer' ->> 'id' = ANY (v_ids);
    UPDATE events SET data = jsonb_set(data::jsonb, '{transaction}', without_notes(data::jsonb -> 'transaction'))::json
    WHERE tenant_id = p_tenant AND type LIKE 'transaction.%'
        AND data -> 'transaction' -> 'order' ->> 'id' = ANY (p_orders::text[]);
    UPDATE events SET data = (SELECT jsonb_set(data::jsonb, '{message}', data::jsonb -> 'message' || jsonb_build_object(
        'subject', '', 'text', '', 'link', NULL, 'recipient', data::jsonb -> 'message' -> 'recipient'
            || '{"name": null, "email": null, "phone": null}'))::json)
    WHERE tenant_id = p_tenant AND type = 'message.due'
        AND data -> 'message' -> 'recipient' ->> 'customer_id' = ANY (v_ids);
END $$;
