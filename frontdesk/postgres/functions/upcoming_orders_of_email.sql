-- The coming bookings whose messages go to an e-mail address, see message_address; the earliest first. p_email is
-- folded.
CREATE OR REPLACE FUNCTION upcoming_orders_of_email(p_tenant uuid, p_email text, p_limit integer) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    SELECT o.id FROM (
        SELECT id FROM orders WHERE tenant_id = p_tenant AND lower(contact_email) = p_email
        UNION
        SELECT r.id FROM customers k JOIN orders r ON r.tenant_id = p_tenant AND r.customer_id = k.id
            AND r.created_by_type <> 'customer'
        WHERE k.tenant_id = p_tenant AND lower(k.email) = p_email
    ) f
    JOIN orders o ON o.tenant_id = p_tenant AND o.id = f.id AND o.parent_id IS NULL
        AND o.starts_at > statement_timestamp()
        AND o.status IN ('confirmed', 'in-progress')
    JOIN customers c ON c.tenant_id = p_tenant AND c.id = o.customer_id AND NOT c.blocked
    ORDER BY o.starts_at LIMIT p_limit
$$;
