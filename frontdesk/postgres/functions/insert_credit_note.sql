-- Inserts the credit note of a refund, or of an order that is canceled. Its parties and currency are those of the
-- invoice.
CREATE OR REPLACE FUNCTION insert_credit_note(p_tenant uuid, p_order uuid, p jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_invoice invoices;
    v_number bigint;
BEGIN
    SELECT * INTO v_invoice FROM invoices WHERE tenant_id = p_tenant AND order_id = p_order;
    SELECT n.last INTO v_number FROM next_number(p_tenant, 'credit_note_number') n;
    INSERT INTO credit_notes (tenant_id, id, credit_note_number, invoice_id, order_id, seller, buyer, lines, currency,
        tax_rate, tax_amount, total, qr, issued_by, issued_at)
    VALUES (p_tenant, (p ->> 'id')::uuid, v_number, v_invoice.id, (p ->> 'child_id')::uuid, v_invoice.seller,
        v_invoice.buyer, p -> 'lines', v_invoice.currency, (p ->> 'tax_rate')::numeric, (p ->> 'tax_amount')::numeric,
        (p ->> 'total')::numeric, p ->> 'qr', (p ->> 'issued_by')::uuid, (p ->> 'issued_at')::timestamptz);
END $$;
