-- Ends a write that would take more than there is in stock.
CREATE OR REPLACE FUNCTION raise_out_of_stock() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the quantity exceeds the stock' USING ERRCODE = 'FD002';
END $$;
