-- Adds a note to a customer and returns its id. No event is emitted: notes can say what is private.
CREATE OR REPLACE FUNCTION add_customer_note(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    n customer_notes;
BEGIN
    INSERT INTO customer_notes (tenant_id, id, customer_id, text, is_warning, author_id)
    VALUES (p_tenant, (p ->> 'note_id')::uuid, c.id, p ->> 'text', (p ->> 'is_warning')::boolean,
        acting_user(p -> 'actor'))
    RETURNING * INTO n;
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.note_added', c.id,
        concat_ws(' ', c.first_name, c.last_name), NULL, to_jsonb(n) - ARRAY['customer_id', 'author_id']);
    RETURN n.id;
END $$;
