-- Locks a record that an application stores data with, and returns its name.
CREATE OR REPLACE FUNCTION lock_record_with_data(p_tenant uuid, p_kind text, p_record uuid)
RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
BEGIN
    CASE p_kind
    WHEN 'order' THEN
        SELECT order_number::text INTO v_name FROM orders WHERE tenant_id = p_tenant AND id = p_record
        FOR NO KEY UPDATE;
    WHEN 'customer' THEN
        SELECT concat_ws(' ', first_name, last_name) INTO v_name FROM customers
        WHERE tenant_id = p_tenant AND id = p_record AND erased_at IS NULL FOR NO KEY UPDATE;
    WHEN 'item' THEN
        SELECT localized(name) INTO v_name FROM items WHERE tenant_id = p_tenant AND id = p_record FOR NO KEY UPDATE;
    WHEN 'staff' THEN
        SELECT name INTO v_name FROM staff WHERE tenant_id = p_tenant AND id = p_record FOR NO KEY UPDATE;
    END CASE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    RETURN v_name;
END $$;
