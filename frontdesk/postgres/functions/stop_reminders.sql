-- Ends the reminders of a customer by the code of a link, or starts them again (`again`). With the link of a greeting,
-- the consent to news is withdrawn, or given again. Returns the message's id.
CREATE OR REPLACE FUNCTION stop_reminders(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    m messages;
    v_now timestamptz := now();
    v_again boolean := coalesce((p ->> 'again')::boolean, false);
BEGIN
    SELECT * INTO m FROM messages WHERE tenant_id = p_tenant AND unsubscribe_token = p ->> 'code';
    IF NOT FOUND OR m.customer_id IS NULL THEN
        PERFORM raise_outdated();
    END IF;
    IF m.kind = 'birthday' THEN
        PERFORM change_customer_consent(p_tenant, jsonb_build_object('id', m.customer_id, 'actor', p -> 'actor')
            || CASE WHEN v_again THEN jsonb_build_object('consent_id', gen_random_uuid(), 'how', 'online')
                ELSE '{}' END);
        RETURN m.id;
    END IF;
    UPDATE customers SET reminders_stopped_at = CASE WHEN NOT v_again THEN coalesce(reminders_stopped_at, v_now) END
    WHERE tenant_id = p_tenant AND id = m.customer_id AND (reminders_stopped_at IS NULL) <> v_again;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', CASE WHEN v_again THEN 'customer.reminders_started'
            ELSE 'customer.reminders_stopped' END, m.customer_id, m.name);
    END IF;
    RETURN m.id;
END $$;
