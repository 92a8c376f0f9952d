-- The lines of an order as the activity shows them.
CREATE OR REPLACE FUNCTION order_lines_text(p_tenant uuid, p_order uuid) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_lines text;
BEGIN
    SELECT string_agg(quantity || ' × ' || name, ', ' ORDER BY position) INTO v_lines
    FROM order_lines WHERE tenant_id = p_tenant AND order_id = p_order;
    RETURN v_lines;
END $$;
