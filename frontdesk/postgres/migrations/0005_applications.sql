-- Applications: who develops them, what they bring, how they were judged, and what an operator's suspension does.

-- A person who writes applications, with the sandbox that was made for them at sign-up. Like users, of no business.
CREATE TABLE developers (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    name text NOT NULL, -- as businesses read it
    sandbox_id uuid NOT NULL REFERENCES tenants,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX developers_of_sandbox ON developers (sandbox_id);

-- One receiver an application, for all of its businesses, and one secret that signs for all of them: its developer
-- holds that, and no business has to pass it on. reviewed_scopes is what was asked for when it was last approved: what
-- a developer changes afterwards reaches no business before it is approved too.
ALTER TABLE applications
    ADD COLUMN webhook_url text,
    ADD COLUMN webhook_events text[] NOT NULL DEFAULT '{}',
    ADD COLUMN webhook_secret bytea, -- encrypted
    ADD COLUMN payment_methods jsonb NOT NULL DEFAULT '[]', -- names by language, one object a method
    ADD COLUMN reviewed_scopes jsonb,
    ADD COLUMN submitted_at timestamptz,
    ADD COLUMN approved_at timestamptz;
CREATE INDEX applications_of_developer ON applications (developer_id, created_at);
CREATE INDEX applications_by_status ON applications (status, submitted_at);

-- Kept here, so that a page that shows them asks no other host.
CREATE TABLE application_pictures (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('mark', 'view')),
    media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg')),
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    alternative text NOT NULL, -- what it shows, for whoever cannot see it
    content bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE application_pictures ALTER COLUMN content SET STORAGE EXTERNAL; -- compressed already
CREATE INDEX application_pictures_of_application ON application_pictures (application_id, created_at);

-- Every step of an application's way, who took it and why. Nobody is named where it was done by command.
CREATE TABLE application_reviews (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    step text NOT NULL CHECK (step IN ('submitted', 'withdrawn', 'approved', 'rejected', 'suspended')),
    reason text,
    taken_by uuid REFERENCES users ON DELETE SET NULL,
    taken_at timestamptz NOT NULL DEFAULT now(),
    CHECK (step NOT IN ('rejected', 'suspended') OR reason <> '')
);
CREATE INDEX application_reviews_of_application ON application_reviews (application_id, taken_at);

-- An install whose application is suspended is disconnected until that is lifted: whatever asks whether an install is
-- living asks for disconnected_at alone. suspended_at tells which ones come back by themselves.
ALTER TABLE installs
    ADD COLUMN suspended_at timestamptz,
    ADD CHECK (suspended_at IS NULL OR disconnected_at IS NOT NULL);
CREATE INDEX installs_of_application ON installs (application_id);
