-- The dashboard: who is signed in and where, who is invited, and what the callers of both interfaces did.

-- A session belongs to a person, who may work for several businesses; so, like users, it belongs to no business.
-- Only the hash of its token is kept. An ended session stays a while, so that its owner can look back.
CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    business_id uuid REFERENCES tenants ON DELETE SET NULL, -- the one they work for at the moment
    kept boolean NOT NULL, -- stays signed in on this device; else it ends when it is left alone
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT sessions_token_taken UNIQUE (token_hash)
);
CREATE INDEX sessions_of_user ON sessions (user_id, last_seen_at);

-- The link is a secret that names its business; only its hash is kept. It is good once, for one e-mail address.
CREATE TABLE invitations (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    email text NOT NULL CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'manager', 'staff', 'cashier')),
    invited_by uuid REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    accepted_by uuid REFERENCES users ON DELETE SET NULL,
    withdrawn_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT invitations_token_taken UNIQUE (tenant_id, token_hash)
);

-- The last four characters, so that people can tell their keys apart.
ALTER TABLE api_keys ADD COLUMN ending text;

-- What a client or key asked for, written in batches beside the requests. The caller is no reference: a line may be
-- written a second after its caller was deleted. Thrown away by age, which the brin index finds for next to nothing.
CREATE TABLE request_log (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    caller_id uuid NOT NULL, -- the API client or the API key
    at timestamptz NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    request_id text NOT NULL,
    route text NOT NULL,
    status smallint NOT NULL,
    microseconds integer NOT NULL,
    error text,
    PRIMARY KEY (tenant_id, caller_id, at, id)
);
CREATE INDEX request_log_by_age ON request_log USING brin (at);

-- How often a caller used a scope, and when last; an empty scope stands for requests that need none. The latest of a
-- caller's rows says when it was last used at all.
CREATE TABLE caller_use (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    caller_id uuid NOT NULL,
    scope text NOT NULL,
    uses bigint NOT NULL,
    first_used_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, caller_id, scope)
) WITH (fillfactor = 70);
