-- Every request is authenticated by the database, in the statement that reads what was asked for. Processes cache no
-- callers and no configuration, so nothing has to tell them that either has changed.

DO $$
DECLARE
    name text;
    event text;
BEGIN
    FOREACH name IN ARRAY ARRAY['branches', 'staff', 'staff_services', 'working_hours', 'working_intervals', 'closed_days',
        'time_off', 'items', 'item_options', 'packages', 'package_items', 'payment_methods', 'installs',
        'access_tokens', 'api_clients', 'api_keys']
    LOOP
        FOREACH event IN ARRAY ARRAY['inserted_or_deleted', 'updated', 'deleted'] LOOP
            EXECUTE format('DROP TRIGGER IF EXISTS publish_%s ON %I', event, name);
        END LOOP;
    END LOOP;
END $$;
DROP TRIGGER tenants_publish ON tenants;
DROP FUNCTION publish_business(), publish_changed_row(), publish_edition(uuid), refuse_late();
ALTER TABLE tenants DROP COLUMN edition;

CREATE OR REPLACE FUNCTION follow_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.live THEN
        PERFORM mark_busy(OLD.tenant_id, OLD.staff_id, OLD.during, false);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.live THEN
        PERFORM mark_busy(NEW.tenant_id, NEW.staff_id, NEW.during, true);
    END IF;
    RETURN NULL;
END $$;
ALTER TABLE staff DROP COLUMN calendar;
DROP FUNCTION new_edition();

-- A sliding minute, exact: the requests of one clock second are one bucket, which counts until sixty seconds after its
-- last request.
DROP FUNCTION spend_rate(rate_state, integer), spend_rate(rate_state, integer, integer);
DROP TYPE rate_state, rate_grant;
ALTER TABLE rate_windows DROP COLUMN granted;
ALTER TABLE rate_windows RENAME COLUMN run_ends TO bucket_ends;
ALTER TABLE rate_windows RENAME COLUMN run_sizes TO bucket_counts;
ALTER TABLE rate_windows RENAME COLUMN used TO total;
ALTER TABLE rate_windows RENAME COLUMN refused_until TO blocked_until;
ALTER TABLE throttles RENAME COLUMN run_ends TO bucket_ends;
ALTER TABLE throttles RENAME COLUMN run_sizes TO bucket_counts;
ALTER TABLE throttles RENAME COLUMN used TO total;
ALTER TABLE throttles RENAME COLUMN refused_until TO blocked_until;
CREATE TYPE rate_window AS (bucket_ends timestamptz[], bucket_counts integer[], total integer, blocked_until timestamptz);

-- The caller of a request, with the tenant's settings that statements need. Null throughout: unknown credentials.
CREATE TYPE caller_context AS (
    tenant_id uuid, timezone text, currency text, currency_decimals integer, languages text[], grid_minutes integer,
    caller_id uuid, approved_scopes text[], requested_scopes text[], branch_id uuid, is_suspended boolean,
    has_open_api boolean, rate_limit integer, allowed boolean
);

-- The files of frontdesk/postgres/functions that this database has, each with the digest of its text.
CREATE TABLE schema_functions (name text PRIMARY KEY, digest bytea NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
