-- Ends a change of a customer whose row was `p_before`: raises the version, records the activity, emits the event, and
-- returns the id. `p_old` and `p_new` are values of other tables, for the activity.
CREATE OR REPLACE FUNCTION finish_customer_change(
    p_tenant uuid, p_actor jsonb, p_action text, p_before customers, p_old jsonb DEFAULT '{}', p_new jsonb DEFAULT '{}'
) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers;
    v_changed jsonb;
BEGIN
    UPDATE customers SET version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = p_before.id RETURNING * INTO c;
    PERFORM record_activity(p_tenant, p_actor, p_action, c.id, concat_ws(' ', c.first_name, c.last_name),
        to_jsonb(p_before) - 'search_text' || p_old, to_jsonb(c) - 'search_text' || p_new);
    v_changed := coalesce(
        change_data('customer.updated', customer_json(p_before), customer_json(c))::jsonb -> 'changed', '[]');
    IF p_action IN ('customer.tagged', 'customer.untagged', 'customer.merged') THEN
        v_changed := v_changed || '"tags"';
    END IF;
    PERFORM emit_events(p_tenant, ARRAY['customer.updated'],
                        ARRAY[json_build_object('customer', customer_json(c), 'changed', v_changed)]);
    RETURN c.id;
END $$;
