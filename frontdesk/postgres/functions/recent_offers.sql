-- How many offers of the waiting list a customer got within 24 hours.
CREATE OR REPLACE FUNCTION recent_offers(p_tenant uuid, p_customer uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT count(*) FROM messages m WHERE m.tenant_id = p_tenant AND m.customer_id = p_customer
        AND m.kind = 'waiting_list_offer' AND m.created_at > now() - interval '24 hours');
END $$;
