-- Replaces a customer in the responses that are stored for repeated requests, and removes the notes of their orders and
-- payments, those about them, and those of what they wait for. The responses themselves stay, so that a repeated
-- request writes nothing. They are stored for a day and are not indexed by customer: all of the tenant's are searched.
-- Other pages store a path or an id, which begins with no brace.
CREATE OR REPLACE FUNCTION redact_responses(p_tenant uuid, p_customers uuid[], p_orders uuid[],
    p_document json) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_customers text[] := p_customers;
    v_orders text[] := p_orders;
BEGIN
    UPDATE idempotency_records r SET body = (SELECT convert_to((CASE
        WHEN f.document ->> 'id' = ANY (v_customers) THEN p_document::jsonb
        WHEN f.document -> 'customer' ->> 'id' = ANY (v_customers)
            THEN without_notes(f.document) || jsonb_build_object('customer', p_document::jsonb)
        WHEN f.document ? 'text' THEN f.document || '{"text": ""}' -- a note about the customer
        ELSE without_notes(f.document) END)::text, 'UTF8'))
    FROM (
        SELECT caller_id, key, CASE WHEN substr(body, 1, 1) = '{' THEN convert_from(body, 'UTF8')::jsonb END AS document
        FROM idempotency_records WHERE tenant_id = p_tenant
        OFFSET 0
    ) f
    WHERE r.tenant_id = p_tenant AND r.caller_id = f.caller_id AND r.key = f.key AND jsonb_typeof(f.document) = 'object'
        AND (f.document ->> 'id' = ANY (v_customers || v_orders) OR f.document -> 'order' ->> 'id' = ANY (v_orders)
            OR f.document -> 'customer' ->> 'id' = ANY (v_customers)
            OR f.document ->> 'customer_id' = ANY (v_customers));
END $$;
