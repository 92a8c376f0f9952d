-- Puts a customer on the waiting list who asks for it on the public page, and returns the id of the entry: a new
-- customer if `customer` is given. The entry has the id of the form, so that a form that is sent twice joins once.
CREATE OR REPLACE FUNCTION join_waiting_list(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_actor jsonb := jsonb_build_object('actor', p -> 'actor');
    v_id uuid := (p #>> '{entry,id}')::uuid;
BEGIN
    IF EXISTS (SELECT 1 FROM waiting_list WHERE tenant_id = p_tenant AND id = v_id) THEN
        RETURN v_id;
    END IF;
    IF p -> 'customer' <> 'null' THEN
        PERFORM create_customer(p_tenant,
            (p -> 'customer') || v_actor || jsonb_build_object('language', p -> 'language'));
    END IF;
    RETURN save_waiting_entry(p_tenant, (p -> 'entry') || v_actor);
END $$;
