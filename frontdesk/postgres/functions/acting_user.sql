-- The user who makes a change; null where an application, a key, a customer or the service makes it. For columns that
-- refer to users.
CREATE OR REPLACE FUNCTION acting_user(p_actor jsonb) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN p_actor ->> 'type' = 'user' THEN (p_actor ->> 'id')::uuid END;
END $$;
