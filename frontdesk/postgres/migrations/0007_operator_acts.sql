-- migration: expand
-- What operators did, in the console and on the command line. It belongs to no tenant: an act may be about a user or
-- about the whole installation, and the deletion of a business must stay readable.
CREATE TABLE operator_acts (
    id uuid PRIMARY KEY, -- begins with its time
    created_at timestamptz NOT NULL DEFAULT now(),
    operator_id uuid, -- a user; null: on the command line
    operator_name text NOT NULL, -- at that time: of the user, or of the user of the machine
    address text, -- of the network, or the name of the machine
    action action_name NOT NULL,
    business_id uuid,
    user_id uuid, -- whose account it is about
    subject text, -- the name of the business, account or application at that time
    detail text -- a plan, a role, a reason
);
CREATE INDEX operator_acts_by_age ON operator_acts USING brin (created_at);
CREATE TRIGGER operator_acts_are_final BEFORE UPDATE ON operator_acts FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER operator_acts_are_kept BEFORE DELETE ON operator_acts
    FOR EACH ROW WHEN (OLD.created_at >= now() - interval '400 days') EXECUTE FUNCTION forbid_change();
