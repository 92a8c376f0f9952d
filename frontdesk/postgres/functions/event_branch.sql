-- The branch that an event is about, as its data says it; null if it is about none, such as that of a customer, or only
-- its order has one.
CREATE OR REPLACE FUNCTION event_branch(p_type text, p_data json) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_kind text := split_part(p_type, '.', 1);
    v_record json := p_data -> v_kind;
BEGIN
    RETURN coalesce(v_record -> 'branch' ->> 'id', v_record ->> 'branch_id', p_data ->> 'branch_id',
        CASE WHEN v_kind = 'branch' THEN v_record ->> 'id' END)::uuid;
END $$;
