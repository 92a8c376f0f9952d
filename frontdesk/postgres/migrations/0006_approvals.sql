-- migration: expand
-- The PIN with which an owner or a manager allows one act of another person, and who allowed what. See
-- accounts/approval_pins.py.
ALTER TABLE users
    ADD COLUMN pin_hash text,
    ADD COLUMN pin_failures smallint NOT NULL DEFAULT 0, -- wrong ones; each right one takes one of them back
    ADD COLUMN pin_tried_at timestamptz;
ALTER TABLE activity
    ADD COLUMN approved_by uuid, -- the owner or manager who allowed what the actor alone may not do
    ADD COLUMN approval_reason text;

CREATE OR REPLACE FUNCTION forbid_activity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.subject IS NULL AND NEW.before IS NULL AND NEW.after IS NULL
        AND (NEW.tenant_id, NEW.id, NEW.created_at, NEW.actor_type, NEW.action)
            = (OLD.tenant_id, OLD.id, OLD.created_at, OLD.actor_type, OLD.action)
        AND (NEW.actor_id, NEW.address, NEW.subject_id, NEW.approved_by, NEW.approval_reason)
            IS NOT DISTINCT FROM (OLD.actor_id, OLD.address, OLD.subject_id, OLD.approved_by, OLD.approval_reason)
    THEN
        RETURN NEW;
    END IF;
    IF NEW IS NULL AND (OLD.created_at < now() - interval '400 days'
        OR NOT EXISTS (SELECT FROM tenants WHERE id = OLD.tenant_id)) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of activity are never changed' USING ERRCODE = 'restrict_violation';
END $$;
