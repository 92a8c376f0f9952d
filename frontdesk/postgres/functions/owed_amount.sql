-- What the customer owes for an order: the rest of one that is on account, also after a refund of what was paid of it.
CREATE OR REPLACE FUNCTION owed_amount(on_account boolean, parent uuid, status text, total numeric, paid numeric)
RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN on_account AND parent IS NULL AND status NOT IN ('draft', 'canceled') AND total > paid
    THEN total - paid ELSE 0 END;
