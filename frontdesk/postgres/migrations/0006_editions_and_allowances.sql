-- Editions, and requests that are taken from a minute in advance.

-- Editions: a business's row names the state of its books (what is sold, by whom, when, paid how). Every request reads
-- that row anyway, so a process may keep what it read from the books for as long as their edition stays the same.

-- The same edition tells whether anything about those who may call has changed: tokens, keys, clients, the business.

-- Random, so that no edition ever comes back, not even after an older dump was restored under a running process.
CREATE FUNCTION new_edition() RETURNS bigint LANGUAGE sql VOLATILE
RETURN (random() * 9e18)::bigint;

ALTER TABLE tenants ADD COLUMN edition bigint NOT NULL DEFAULT new_edition();

-- Once in a transaction is enough: nobody sees what lies between. The setting ends with the transaction, and is taken
-- back with the part of it that is rolled back.
CREATE FUNCTION publish_edition(tenant uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('frontdesk.published', true) IS DISTINCT FROM tenant::text THEN
        UPDATE tenants SET edition = new_edition() WHERE id = tenant;
        PERFORM set_config('frontdesk.published', tenant::text, true);
    END IF;
END $$;

CREATE FUNCTION publish_changed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM publish_edition(c.tenant_id) FROM (SELECT DISTINCT tenant_id FROM changed ORDER BY tenant_id) c;
    RETURN NULL;
END $$;

CREATE FUNCTION publish_changed_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM publish_edition(coalesce(NEW.tenant_id, OLD.tenant_id)); -- one that was deleted has only what it was
    RETURN NULL;
END $$;

DO $$
DECLARE
    book text;
    changed text;
BEGIN
    FOREACH book IN ARRAY ARRAY['branches', 'staff', 'staff_services', 'working_hours', 'working_intervals', 'closed_days', 'time_off',
        'items', 'item_options', 'packages', 'package_items', 'payment_methods', 'installs']
    LOOP
        -- Selling changes stock every minute, and nobody keeps that.
        changed := CASE book
            WHEN 'items' THEN '(OLD.branch_id, OLD.type, OLD.name, OLD.status, OLD.price, OLD.offer_price, OLD.duration)
                IS DISTINCT FROM (NEW.branch_id, NEW.type, NEW.name, NEW.status, NEW.price, NEW.offer_price, NEW.duration)'
            WHEN 'item_options' THEN '(OLD.item_id, OLD.is_active, OLD.price, OLD.offer_price, OLD.duration)
                IS DISTINCT FROM (NEW.item_id, NEW.is_active, NEW.price, NEW.offer_price, NEW.duration)'
            WHEN 'staff' THEN '(OLD.branch_id, OLD.active) IS DISTINCT FROM (NEW.branch_id, NEW.active)'
            ELSE 'OLD.* IS DISTINCT FROM NEW.*' END;
        EXECUTE format('CREATE TRIGGER publish_inserted AFTER INSERT ON %I
            REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION publish_changed_rows()', book);
        EXECUTE format('CREATE TRIGGER publish_deleted AFTER DELETE ON %I
            REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION publish_changed_rows()', book);
        EXECUTE format('CREATE TRIGGER publish_updated AFTER UPDATE ON %I
            FOR EACH ROW WHEN (%s) EXECUTE FUNCTION publish_changed_row()', book, changed);
    END LOOP;
END $$;

CREATE TRIGGER publish_updated AFTER UPDATE ON access_tokens FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION publish_changed_row();
CREATE TRIGGER publish_deleted AFTER DELETE ON access_tokens FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND OLD.expires_at > now()) -- dead ones are swept away, and nobody misses them
    EXECUTE FUNCTION publish_changed_row();
CREATE TRIGGER publish_updated AFTER UPDATE ON api_clients FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION publish_changed_row();
CREATE TRIGGER publish_deleted AFTER DELETE ON api_clients FOR EACH ROW EXECUTE FUNCTION publish_changed_row();
CREATE TRIGGER publish_updated AFTER UPDATE ON api_keys FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION publish_changed_row();
CREATE TRIGGER publish_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION publish_changed_row();

CREATE FUNCTION publish_business() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.edition := new_edition();
    RETURN NEW;
END $$;
CREATE TRIGGER tenants_publish BEFORE UPDATE ON tenants FOR EACH ROW
    WHEN ((OLD.timezone, OLD.currency, OLD.currency_decimals, OLD.languages, OLD.grid_minutes, OLD.open_api, OLD.suspended_at)
        IS DISTINCT FROM
        (NEW.timezone, NEW.currency, NEW.currency_decimals, NEW.languages, NEW.grid_minutes, NEW.open_api, NEW.suspended_at))
    EXECUTE FUNCTION publish_business(); -- fires after tenants_follow_plan, which comes before it by name

-- What a provider has booked changes far more often than the books, so it has an edition of its own. Whoever books or
-- frees somebody's time holds their row already.
ALTER TABLE staff ADD COLUMN calendar bigint NOT NULL DEFAULT new_edition();
ALTER TABLE staff SET (fillfactor = 70);

CREATE OR REPLACE FUNCTION follow_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.live THEN
        PERFORM mark_busy(OLD.tenant_id, OLD.staff_id, OLD.during, false);
        UPDATE staff SET calendar = new_edition() WHERE tenant_id = OLD.tenant_id AND id = OLD.staff_id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.live THEN
        PERFORM mark_busy(NEW.tenant_id, NEW.staff_id, NEW.during, true);
        UPDATE staff SET calendar = new_edition() WHERE tenant_id = NEW.tenant_id AND id = NEW.staff_id;
    END IF;
    RETURN NULL;
END $$;

-- Whoever has written something for a caller, and only then learns that the caller's minute is used up, takes it back.
CREATE FUNCTION refuse_late() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the minute is used up' USING ERRCODE = 'FD429';
END $$;

-- A busy caller with a high limit takes several requests from its minute at once. They may be used within a second from
-- then, so the run that they are part of ends a second later: a request still counts until a minute after it was made.
CREATE TYPE rate_grant AS (run_ends timestamptz[], run_sizes integer[], used integer, refused_until timestamptz, granted integer);

-- Takes `many` if so many are left, else one, if one is left. It reads the clock itself, when the row's lock is already
-- held, so that two callers can never both see the last request free.
CREATE FUNCTION spend_rate(state rate_state, most integer, many integer) RETURNS rate_grant LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    over timestamptz := moment - interval '1 minute';
    last integer;
    granted integer := 1;
BEGIN
    WHILE state.run_ends[1] <= over LOOP
        state.used := state.used - state.run_sizes[1];
        state.run_ends := state.run_ends[2:];
        state.run_sizes := state.run_sizes[2:];
    END LOOP;
    IF state.used >= most THEN
        state.refused_until := state.run_ends[1] + interval '1 minute';
        RETURN (state.run_ends, state.run_sizes, state.used, state.refused_until, 0)::rate_grant;
    END IF;
    last := cardinality(state.run_ends);
    IF many > 1 AND state.used + many <= most THEN
        granted := many;
        moment := moment + interval '1 second';
    END IF;
    IF date_trunc('second', moment) <= date_trunc('second', state.run_ends[last]) THEN
        state.run_ends[last] := greatest(moment, state.run_ends[last]);
        state.run_sizes[last] := state.run_sizes[last] + granted;
    ELSE
        state.run_ends[last + 1] := moment;
        state.run_sizes[last + 1] := granted;
    END IF;
    RETURN (state.run_ends, state.run_sizes, state.used + granted, NULL, granted)::rate_grant;
END $$;

-- One at a time, for guesses at secrets.
CREATE OR REPLACE FUNCTION spend_rate(state rate_state, most integer) RETURNS rate_state LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    after rate_grant := spend_rate(state, most, 1);
BEGIN
    RETURN (after.run_ends, after.run_sizes, after.used, after.refused_until)::rate_state;
END $$;

ALTER TABLE rate_windows ADD COLUMN granted integer NOT NULL DEFAULT 1; -- by the last request that took some

-- A line may be written a second after its business was deleted, and goes by age like all the others.
ALTER TABLE request_log DROP CONSTRAINT request_log_tenant_id_fkey;
