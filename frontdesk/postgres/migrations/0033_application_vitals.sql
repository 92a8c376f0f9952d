-- migration: expand
-- What each application really does, over all businesses. Requests and errors (4xx and 5xx) are counted by day, with
-- the request log; `application_vitals` is what the directory shows, computed from them and from the installs.
CREATE TABLE application_days (
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    day date NOT NULL, -- in UTC
    requests bigint NOT NULL,
    errors bigint NOT NULL,
    PRIMARY KEY (application_id, day)
) WITH (fillfactor = 50);

CREATE TABLE application_vitals (
    application_id uuid PRIMARY KEY REFERENCES applications ON DELETE CASCADE,
    used_scopes text[] NOT NULL, -- by some business in the last 90 days
    requests bigint NOT NULL, -- of the last 30 days
    errors bigint NOT NULL,
    webhooks bigint NOT NULL, -- of businesses that have it installed
    failing_webhooks bigint NOT NULL, -- of these: switched off, or without a delivery that arrived
    computed_at timestamptz NOT NULL
);

-- What businesses say about an application to the operator.
CREATE TABLE application_reports (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    business text NOT NULL, -- as it was called, because a business may be deleted
    reporter text NOT NULL,
    words text NOT NULL,
    created_at timestamptz NOT NULL,
    closed_at timestamptz
);
CREATE INDEX application_reports_of_application ON application_reports (application_id, created_at);
CREATE INDEX application_reports_open ON application_reports (created_at) WHERE closed_at IS NULL;
