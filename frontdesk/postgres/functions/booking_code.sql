-- The code of an order in the address of the customer's own page: made at the first call, then always the same. 16
-- characters of Crockford's base32, 80 random bits: the last 8 bytes of a random UUID are random in their lower 5 bits.
CREATE OR REPLACE FUNCTION booking_code(p_tenant uuid, p_order uuid) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_bytes bytea := substr(uuid_send(gen_random_uuid()), 9) || substr(uuid_send(gen_random_uuid()), 9);
    v_code text;
BEGIN
    SELECT code INTO v_code FROM booking_links WHERE tenant_id = p_tenant AND order_id = p_order;
    IF v_code IS NOT NULL THEN
        RETURN v_code;
    END IF;
    SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(v_bytes, i) & 31) + 1, 1), '' ORDER BY i)
    INTO v_code FROM generate_series(0, 15) i;
    INSERT INTO booking_links (tenant_id, code, order_id) VALUES (p_tenant, v_code, p_order)
    ON CONFLICT (tenant_id, order_id) DO NOTHING;
    SELECT code INTO v_code FROM booking_links WHERE tenant_id = p_tenant AND order_id = p_order;
    RETURN v_code;
END $$;
