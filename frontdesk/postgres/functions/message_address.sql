-- The address for messages about an order. A booking online verifies no phone number, so a customer who
-- is known by it may have been entered by another person: the address of the order itself counts, and no other.
CREATE OR REPLACE FUNCTION message_address(p_created_by_type text, p_entered text, p_known text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN p_created_by_type = 'customer' THEN p_entered ELSE p_known END
$$;
