-- Editions: a business's row names the state of its books (what is sold, by whom, when, paid how). Every request reads
-- that row anyway, so a process may keep what it read from the books for as long as their edition stays the same.

-- Random, so that no edition ever comes back, not even after an older dump was restored under a running process.
CREATE FUNCTION new_edition() RETURNS bigint LANGUAGE sql VOLATILE
RETURN ('x' || substr(md5(gen_random_uuid()::text), 1, 16))::bit(64)::bigint;

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
    PERFORM publish_edition(NEW.tenant_id);
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
            ELSE 'OLD.* IS DISTINCT FROM NEW.*' END;
        EXECUTE format('CREATE TRIGGER publish_inserted AFTER INSERT ON %I
            REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION publish_changed_rows()', book);
        EXECUTE format('CREATE TRIGGER publish_deleted AFTER DELETE ON %I
            REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION publish_changed_rows()', book);
        EXECUTE format('CREATE TRIGGER publish_updated AFTER UPDATE ON %I
            FOR EACH ROW WHEN (%s) EXECUTE FUNCTION publish_changed_row()', book, changed);
    END LOOP;
END $$;

-- Whoever has written something for a caller, and only then learns that the caller's minute is used up, takes it back.
CREATE FUNCTION refuse_late() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the minute is used up' USING ERRCODE = 'FD429';
END $$;
