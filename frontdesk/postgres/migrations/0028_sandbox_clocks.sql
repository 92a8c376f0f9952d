-- migration: expand
-- The clock of a sandbox: seconds that it is ahead of the real one. Null where it was never moved, as in every other
-- business. Sessions that work for such a business set `frontdesk.clock`, see frontdesk/postgres/session_clock.py.
ALTER TABLE tenants ADD clock_ahead bigint, ADD has_faults boolean NOT NULL DEFAULT false; -- of a sandbox, on purpose

CREATE FUNCTION session_clock() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT nullif(current_setting('frontdesk.clock', true), '')::bigint
$$;
CREATE FUNCTION business_time() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.now() + make_interval(secs => coalesce(session_clock(), 0))
$$;

-- The time of a sandbox whose clock was moved: found instead of PostgreSQL's own functions of these names in sessions
-- whose search_path names pg_catalog last. In all others nothing calls them. They have no files, because no other
-- function of ours has the name of one of PostgreSQL.
CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.now() + make_interval(secs => current_setting('frontdesk.clock')::float8)
$$;
CREATE FUNCTION statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.statement_timestamp() + make_interval(secs => current_setting('frontdesk.clock')::float8)
$$;
CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT pg_catalog.clock_timestamp() + make_interval(secs => current_setting('frontdesk.clock')::float8)
$$;

-- Defaults refer to a function by its identity, so the name now() would always be the real clock.
ALTER TABLE branches ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE pictures ALTER created_at SET DEFAULT business_time();
ALTER TABLE booking_page_settings ALTER updated_at SET DEFAULT business_time();
ALTER TABLE staff ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE working_hours ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE hour_exceptions ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE time_off ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE calendar_feeds ALTER created_at SET DEFAULT business_time();
ALTER TABLE calendar_settings ALTER updated_at SET DEFAULT business_time();
ALTER TABLE external_calendars ALTER created_at SET DEFAULT business_time();
ALTER TABLE cashiers ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE tax_classes ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE categories ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE items ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE packages ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE customers ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE customer_notes ALTER created_at SET DEFAULT business_time();
ALTER TABLE customer_consents ALTER given_at SET DEFAULT business_time();
ALTER TABLE tags ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE installs ALTER installed_at SET DEFAULT business_time();
ALTER TABLE api_clients ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE access_tokens ALTER created_at SET DEFAULT business_time();
ALTER TABLE authorization_codes ALTER created_at SET DEFAULT business_time();
ALTER TABLE api_keys ALTER created_at SET DEFAULT business_time();
ALTER TABLE payment_methods ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE order_series ALTER created_at SET DEFAULT business_time();
ALTER TABLE orders ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE waiting_list ALTER created_at SET DEFAULT business_time();
ALTER TABLE order_views ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE stock_movements ALTER created_at SET DEFAULT business_time();
ALTER TABLE order_status_history ALTER created_at SET DEFAULT business_time();
ALTER TABLE refunds ALTER created_at SET DEFAULT business_time();
ALTER TABLE bookings ALTER created_at SET DEFAULT business_time();
ALTER TABLE transactions ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE tips ALTER created_at SET DEFAULT business_time();
ALTER TABLE receipt_links ALTER created_at SET DEFAULT business_time();
ALTER TABLE booking_links ALTER created_at SET DEFAULT business_time();
ALTER TABLE booking_list_links ALTER created_at SET DEFAULT business_time();
ALTER TABLE invoices ALTER issued_at SET DEFAULT business_time();
ALTER TABLE credit_notes ALTER issued_at SET DEFAULT business_time();
ALTER TABLE commission_rates ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE events ALTER created_at SET DEFAULT business_time();
ALTER TABLE webhooks ALTER created_at SET DEFAULT business_time(), ALTER updated_at SET DEFAULT business_time();
ALTER TABLE webhook_deliveries ALTER due_at SET DEFAULT business_time(), ALTER created_at SET DEFAULT business_time();
ALTER TABLE webhook_attempts ALTER attempted_at SET DEFAULT business_time();
ALTER TABLE message_settings ALTER updated_at SET DEFAULT business_time();
ALTER TABLE messages ALTER due_at SET DEFAULT business_time(), ALTER created_at SET DEFAULT business_time();
ALTER TABLE reminder_progress ALTER checked_at SET DEFAULT business_time();
ALTER TABLE imports ALTER created_at SET DEFAULT business_time();
ALTER TABLE idempotency_records ALTER created_at SET DEFAULT business_time();
ALTER TABLE photo_consents ALTER given_at SET DEFAULT business_time();
ALTER TABLE customer_photos ALTER created_at SET DEFAULT business_time();
ALTER TABLE report_mails ALTER due_at SET DEFAULT business_time(), ALTER created_at SET DEFAULT business_time();

-- The caller of a request, with the settings of the tenant that statements need. Follows caller_context, which programs
-- of the version before read.
CREATE TYPE api_caller AS (
    tenant_id uuid, timezone text, currency text, currency_decimals integer, languages text[], grid_minutes integer,
    caller_id uuid, approved_scopes text[], requested_scopes text[], branch_id uuid, is_suspended boolean,
    has_open_api boolean, rate_limit integer, allowed boolean, prices_include_tax boolean, clock_ahead bigint,
    has_faults boolean
);
