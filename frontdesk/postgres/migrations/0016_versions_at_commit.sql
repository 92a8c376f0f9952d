-- A change of configuration writes the business's row when its transaction commits, after every other lock.
--
-- Before, the row was written by the first statement that changed anything. Transactions then took it in the middle of
-- their locks, in different orders, and deadlocked: two applications suspended at once, an install beside the deletion
-- of an API client. At commit nothing else is waited for, so the row is always the last lock.

DO $$
DECLARE
    book text;
    changed text;
BEGIN
    FOREACH book IN ARRAY ARRAY['branches', 'staff', 'staff_services', 'working_hours', 'working_intervals', 'closed_days', 'time_off',
        'items', 'item_options', 'packages', 'package_items', 'payment_methods', 'installs']
    LOOP
        changed := CASE book
            WHEN 'items' THEN '(OLD.branch_id, OLD.type, OLD.name, OLD.status, OLD.price, OLD.offer_price, OLD.duration)
                IS DISTINCT FROM (NEW.branch_id, NEW.type, NEW.name, NEW.status, NEW.price, NEW.offer_price, NEW.duration)'
            WHEN 'item_options' THEN '(OLD.item_id, OLD.is_active, OLD.price, OLD.offer_price, OLD.duration)
                IS DISTINCT FROM (NEW.item_id, NEW.is_active, NEW.price, NEW.offer_price, NEW.duration)'
            WHEN 'staff' THEN '(OLD.branch_id, OLD.active) IS DISTINCT FROM (NEW.branch_id, NEW.active)'
            ELSE 'OLD.* IS DISTINCT FROM NEW.*' END;
        EXECUTE format('DROP TRIGGER publish_inserted ON %I', book);
        EXECUTE format('DROP TRIGGER publish_deleted ON %I', book);
        EXECUTE format('DROP TRIGGER publish_updated ON %I', book);
        EXECUTE format('CREATE CONSTRAINT TRIGGER publish_inserted_or_deleted AFTER INSERT OR DELETE ON %I
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION publish_changed_row()', book);
        EXECUTE format('CREATE CONSTRAINT TRIGGER publish_updated AFTER UPDATE ON %I
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%s) EXECUTE FUNCTION publish_changed_row()', book, changed);
    END LOOP;
    FOREACH book IN ARRAY ARRAY['access_tokens', 'api_clients', 'api_keys']
    LOOP
        changed := CASE book WHEN 'access_tokens' THEN 'OLD.revoked_at IS NULL AND OLD.expires_at > now()' ELSE 'true' END;
        EXECUTE format('DROP TRIGGER publish_deleted ON %I', book);
        EXECUTE format('DROP TRIGGER publish_updated ON %I', book);
        EXECUTE format('CREATE CONSTRAINT TRIGGER publish_deleted AFTER DELETE ON %I
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%s) EXECUTE FUNCTION publish_changed_row()', book, changed);
        changed := CASE book
            -- When a token was last used decides nothing about it.
            WHEN 'access_tokens' THEN '(OLD.client_id, OLD.secret_version, OLD.scopes, OLD.expires_at, OLD.revoked_at)
                IS DISTINCT FROM (NEW.client_id, NEW.secret_version, NEW.scopes, NEW.expires_at, NEW.revoked_at)'
            ELSE 'OLD.* IS DISTINCT FROM NEW.*' END;
        EXECUTE format('CREATE CONSTRAINT TRIGGER publish_updated AFTER UPDATE ON %I
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%s) EXECUTE FUNCTION publish_changed_row()', book, changed);
    END LOOP;
END $$;

DROP FUNCTION publish_changed_rows();
