-- A version 7 UUID for a given time, where the number of rows is not known before the statement runs.
CREATE OR REPLACE FUNCTION uuid_v7(ts timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM ts) * 1000)::bigint), 12, '0') || '7'
        || substring(replace(gen_random_uuid()::text, '-', '') FROM 14))::uuid
$$;
