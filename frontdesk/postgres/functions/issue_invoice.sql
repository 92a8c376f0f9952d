-- Issues the invoice of an order, with credit notes for the refunds that were made before. Returns the invoice's id.
CREATE OR REPLACE FUNCTION issue_invoice(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'order_id')::uuid;
    o orders;
    v_number bigint;
    v_note jsonb;
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    SELECT n.last INTO v_number FROM next_number(p_tenant, 'invoice_number') n;
    INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, buyer, lines, currency, tax_rate, tax_amount,
        total, qr, issued_by, issued_at)
    VALUES (p_tenant, (p ->> 'id')::uuid, v_number, v_order, p -> 'seller', nullif(p -> 'buyer', 'null'), p -> 'lines',
        p ->> 'currency', (p ->> 'tax_rate')::numeric, (p ->> 'tax_amount')::numeric, (p ->> 'total')::numeric,
        p ->> 'qr', (p ->> 'issued_by')::uuid, (p ->> 'issued_at')::timestamptz);
    UPDATE orders SET version = version + 1 WHERE tenant_id = p_tenant AND id = v_order;
    FOR v_note IN SELECT * FROM jsonb_array_elements(p -> 'credit_notes') LOOP
        PERFORM insert_credit_note(p_tenant, v_order, v_note);
    END LOOP;
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.invoiced', v_order, o.order_number::text, NULL,
        jsonb_build_object('invoice_number', v_number, 'total', p -> 'total'));
    RETURN (p ->> 'id')::uuid;
END $$;
