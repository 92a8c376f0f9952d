-- Whether this is the code of the form and of its e-mail address. A code may be tried five times. A right one stays
-- valid until it expires, because the booking itself may be refused, and is sent again.
CREATE OR REPLACE FUNCTION check_contact_code(p_tenant uuid, p jsonb) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := clock_timestamp();
    v_hash bytea;
BEGIN
    UPDATE contact_codes SET tries = tries + 1
    WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid AND email = p ->> 'email' AND tries < 5
        AND expires_at > v_now
    RETURNING code_hash INTO v_hash;
    RETURN coalesce(v_hash = decode(p ->> 'code_hash', 'hex'), false);
END $$;
