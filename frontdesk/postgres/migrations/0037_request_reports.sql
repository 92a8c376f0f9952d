-- migration: expand
-- What became of a request, for its caller. `path` is null where it is that of the route; `answered` has the messages
-- of an error. Of requests before this, and of programs of the version before, only what the other columns say.
ALTER TABLE request_log ADD path text, ADD idempotency_key text, ADD statements integer,
    ADD database_microseconds integer, ADD created_type text, ADD created_id uuid, ADD is_replayed boolean,
    ADD is_dry_run boolean, ADD answered jsonb;
