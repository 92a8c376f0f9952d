-- Gives stock back and takes other stock, of which only the difference moves, and returns the data of the events. Both
-- changes are arguments of change_stock; p_why has no reason. The products are already locked by id.
CREATE OR REPLACE FUNCTION exchange_stock(p_tenant uuid, p_given_back jsonb, p_taken jsonb, p_why jsonb) RETURNS json[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_returned jsonb;
    v_sold jsonb;
BEGIN
    SELECT coalesce(jsonb_agg(to_jsonb(d)) FILTER (WHERE d.units > 0), '[]'),
        coalesce(jsonb_agg(to_jsonb(d)) FILTER (WHERE d.units < 0), '[]') INTO v_returned, v_sold
    FROM (
        SELECT c.item_id, c.option_id, sum(c.units)::integer AS units
        FROM jsonb_to_recordset(p_given_back || p_taken) AS c (item_id uuid, option_id uuid, units integer)
        GROUP BY c.item_id, c.option_id) d;
    -- What comes back first can be taken again.
    RETURN change_stock(p_tenant, v_returned, p_why || '{"reason": "return"}')
        || change_stock(p_tenant, v_sold, p_why || '{"reason": "sale"}');
END $$;
