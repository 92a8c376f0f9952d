-- The published form of a transaction; p_booking is the first booking of its order, or null.
CREATE OR REPLACE FUNCTION transaction_json(
    t record, m record, p_order_number bigint, p_booking json, p_decimals integer, p_zone text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', t.id, 'transaction_no', t.transaction_no, 'amount', round(t.amount, p_decimals)::text,
        'currency', t.currency, 'status', t.status, 'is_deposit', t.is_deposit, 'note', t.note,
        'reference_number', t.reference_number, 'date', format_local(t.date, p_zone),
        'payment_method', json_build_object('id', m.id, 'name', m.name, 'slug', m.slug),
        'order', json_build_object('id', t.order_id, 'order_number', p_order_number), 'booking', p_booking,
        'created_at', format_utc(t.created_at), 'updated_at', format_utc(t.updated_at));
END $$;
