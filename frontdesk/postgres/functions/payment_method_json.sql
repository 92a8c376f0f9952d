-- The published form of a payment method. Programs of the version before send it without its version.
CREATE OR REPLACE FUNCTION payment_method_json(m record, t record) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', m.id, 'version', to_json(m) -> 'version', 'name', m.name, 'slug', m.slug,
        'type', json_build_object('id', t.id, 'name', t.name, 'slug', t.slug),
        'status', m.active, 'sort_order', to_json(m) -> 'sort_order', 'created_at', format_utc(m.created_at),
        'updated_at', format_utc(m.updated_at));
END $$;
