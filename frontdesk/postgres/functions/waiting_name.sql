-- The name of the customer who waits.
CREATE OR REPLACE FUNCTION waiting_name(w waiting_list) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws(' ', first_name, last_name) FROM customers WHERE tenant_id = w.tenant_id AND id = w.customer_id
$$;
