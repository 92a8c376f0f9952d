-- The published form of an invoice.
CREATE OR REPLACE FUNCTION invoice_document(p_tenant uuid, p_invoice uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    i invoices;
    v_decimals integer;
BEGIN
    SELECT * INTO i FROM invoices WHERE tenant_id = p_tenant AND id = p_invoice;
    SELECT currency_decimals INTO v_decimals FROM tenants WHERE id = p_tenant;
    RETURN json_build_object(
        'id', i.id, 'invoice_number', i.invoice_number, 'order_id', i.order_id, 'currency', i.currency,
        'total', round(i.total, v_decimals), 'tax_rate', i.tax_rate, 'tax_amount', round(i.tax_amount, v_decimals),
        'qr', i.qr, 'issued_at', format_utc(i.issued_at));
END $$;
