-- migration: expand
-- The whole schema. A later change is a new migration; functions are in frontdesk/postgres/functions, one file each.
--
-- Every table of a tenant has tenant_id in its primary key, foreign keys and unique constraints, so a row can never
-- refer to a row of another tenant and the tables can be distributed by tenant. The tables under "Platform" and
-- "Developers and applications" belong to no tenant.


-- Types

-- A range over uuid gives GiST an equality operator for uuid without the btree_gist extension.
CREATE TYPE uuidrange AS RANGE (subtype = uuid);

-- At most twelve digits before the decimal point and three after it, never NaN or infinite.
CREATE DOMAIN money_amount AS numeric(15, 3) CHECK (VALUE <> 'NaN');

-- Values of the sums of reports, of the activity and of the counters. PostgreSQL prepares the check of a domain once in
-- a session, and the check of a table for every statement.
CREATE DOMAIN report_amount AS numeric(18, 3) CHECK (VALUE <> 'NaN');
CREATE DOMAIN tax_percent AS numeric(5, 2) CHECK (VALUE <> 'NaN' AND VALUE BETWEEN 0 AND 100);
CREATE DOMAIN sale_kind AS text CHECK (VALUE IN ('sale', 'cancellation', 'refund', 'canceled_refund', 'change'));
CREATE DOMAIN payment_kind AS text CHECK (VALUE IN ('payment', 'refund', 'tip'));
CREATE DOMAIN actor_type AS text CHECK (VALUE IN ('app', 'key', 'user', 'customer', 'system'));
CREATE DOMAIN notification_choice AS text CHECK (VALUE IN ('none', 'online', 'all'));
CREATE DOMAIN action_name AS text CHECK (VALUE ~ '^[a-z_]+[.][a-z_]+$'); -- noun and verb: item.updated
CREATE DOMAIN counter_value AS bigint CHECK (VALUE >= 0);


-- Platform

-- The files of frontdesk/postgres/functions that were applied, each with the SHA-256 of its text.
CREATE TABLE schema_functions (
    name text PRIMARY KEY,
    digest bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- The key that encrypts stored secrets, where several servers share a database and no key is configured.
CREATE TABLE encryption_keys (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- While it has a row, no mail and no webhook is sent: the database is a restored copy, or an operator has switched it
-- off.
CREATE TABLE held_sending (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    since timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE plans (
    code text PRIMARY KEY,
    name text NOT NULL,
    open_api boolean NOT NULL,
    UNIQUE (code, open_api)
);
INSERT INTO plans (code, name, open_api) VALUES
    ('starter', 'Starter', false),
    ('professional', 'Professional', true);

-- Time-zone rules, copied from the Python package tzdata. No statement uses PostgreSQL's own rules: those are as old as
-- the server's packages, and offered times would differ from displayed times.

-- The zones in use. `release` is the tzdata release that the offsets were copied from; empty until they are.
CREATE TABLE time_zones (
    name text COLLATE "C" PRIMARY KEY,
    release text COLLATE "C" NOT NULL
);

-- From `starts` until the zone's next row, local time is UTC plus `shift`. The first and the last row lie outside the
-- range that a request can name. `form` is a to_char() format that ends with the offset.
CREATE TABLE time_zone_offsets (
    zone text COLLATE "C" NOT NULL REFERENCES time_zones ON DELETE CASCADE,
    starts timestamptz NOT NULL,
    shift interval NOT NULL,
    form text NOT NULL,
    PRIMARY KEY (zone, starts) INCLUDE (shift, form)
);

CREATE TABLE payment_method_types (
    slug text PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    name text NOT NULL
);
INSERT INTO payment_method_types (slug, id, name) VALUES
    ('cash', '01920000-0000-7000-8000-000000000001', 'Cash'),
    ('card', '01920000-0000-7000-8000-000000000002', 'Card'),
    ('bank_transfer', '01920000-0000-7000-8000-000000000003', 'Bank transfer'),
    ('other', '01920000-0000-7000-8000-000000000004', 'Other'),
    ('third-party', '01920000-0000-7000-8000-000000000005', 'Third party'),
    ('voucher', '01920000-0000-7000-8000-000000000006', 'Voucher');

-- Users sign in to the dashboard. An e-mail address identifies an account once it is verified, by a link sent to it. An
-- unverified address does not prevent another account from verifying it. The service stores one canonical spelling
-- (NFKC, local part case-folded); the database changes no case, because the two would differ.
CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    email_verified_at timestamptz,
    new_email text, -- replaces the address once its link is opened
    email_proof_hash bytea, -- of the link that verifies the address, or the new one, while one is open
    email_proof_until timestamptz,
    reset_hash bytea, -- of the link that sets a new password, while one is open
    reset_until timestamptz,
    name text NOT NULL,
    password_hash text,
    -- Raised with the password and the second factors: ends remembered devices.
    security_version integer NOT NULL DEFAULT 1,
    code_failures smallint NOT NULL DEFAULT 0, -- wrong one-time codes in a row, from devices that are not known
    code_failed_at timestamptz,
    language text NOT NULL DEFAULT 'en',
    is_operator boolean NOT NULL DEFAULT false,
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_proven_email ON users (email) WHERE email_verified_at IS NOT NULL;
CREATE UNIQUE INDEX users_claimed_email ON users (email) WHERE email_verified_at IS NULL;
CREATE UNIQUE INDEX users_reset ON users (reset_hash) WHERE reset_hash IS NOT NULL;
CREATE UNIQUE INDEX users_email_proof ON users (email_proof_hash) WHERE email_proof_hash IS NOT NULL;

-- What a user signs in with besides the password: a passkey, which also signs in alone, or an app that shows codes.
CREATE TABLE second_factors (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('passkey', 'app')),
    name text NOT NULL,
    -- Of an app
    secret bytea, -- encrypted
    last_step bigint, -- the half minute of the last accepted code: no code is accepted twice
    -- Of a passkey
    credential_id bytea,
    rp_id text, -- the host that it was made for
    public_key bytea,
    sign_count bigint,
    last_used_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK (num_nonnulls(secret, last_step) = CASE kind WHEN 'app' THEN 2 ELSE 0 END),
    CHECK (num_nonnulls(credential_id, rp_id, public_key, sign_count) = CASE kind WHEN 'passkey' THEN 4 ELSE 0 END)
);
CREATE INDEX second_factors_of_user ON second_factors (user_id);
CREATE UNIQUE INDEX second_factors_credential ON second_factors (credential_id) WHERE credential_id IS NOT NULL;

-- For a user who has lost the second factor. A code has 80 random bits, so a plain hash is enough.
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, code_hash)
);

-- Between the password and the second factor, or until a passkey is used. It opens no page, lasts minutes and is
-- deleted when the session begins.
CREATE TABLE pending_sign_ins (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL,
    user_id uuid REFERENCES users ON DELETE CASCADE, -- null: the passkey says who it is
    challenge bytea NOT NULL, -- that the passkey signs
    failures smallint NOT NULL DEFAULT 0,
    tenant_id uuid, -- whose invitation was accepted; without a foreign key, because tenants can be on other nodes
    remember_me boolean NOT NULL,
    next_path text NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT pending_sign_ins_token_unique UNIQUE (token_hash)
);


-- Tenants

CREATE TABLE tenants (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    open_api boolean NOT NULL, -- of the plan, because every request reads it; the foreign key keeps it equal
    country text CHECK (country ~ '^[A-Z]{2}$'),
    timezone text NOT NULL CONSTRAINT tenants_timezone_known REFERENCES time_zones,
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    currency_decimals smallint NOT NULL CHECK (currency_decimals BETWEEN 0 AND 3),
    languages text[] NOT NULL CHECK (cardinality(languages) > 0),
    grid_minutes smallint NOT NULL DEFAULT 15 CHECK (grid_minutes BETWEEN 1 AND 1440),
    -- Rules for bookings that customers make themselves
    -- Between booking and start, at least.
    notice_hours smallint NOT NULL DEFAULT 0 CHECK (notice_hours BETWEEN 0 AND 8760),
    horizon_days smallint NOT NULL DEFAULT 90 CHECK (horizon_days BETWEEN 1 AND 730), -- how far ahead
    cancellation_hours smallint NOT NULL DEFAULT 24 CHECK (cancellation_hours BETWEEN 0 AND 8760), -- before the start
    deposit_percent smallint NOT NULL DEFAULT 0 CHECK (deposit_percent BETWEEN 0 AND 100), -- of the total
    prices_include_tax boolean NOT NULL DEFAULT true, -- otherwise tax is added to the prices of the catalog
    -- When a sale earns it.
    commission_basis text NOT NULL DEFAULT 'done' CHECK (commission_basis IN ('done', 'booked')),
    -- The owner has said so; without it and a default tax class the overview asks.
    charges_no_tax boolean NOT NULL DEFAULT false,
    tax_registration_number text CHECK (tax_registration_number ~ '^[0-9]{15}$'),
    invoice_note jsonb NOT NULL DEFAULT '{}', -- printed on invoices, by language
    logo_id uuid, -- a picture; without a foreign key, because no platform table has one to a tenant's
    accent text CHECK (accent ~ '^#[0-9a-f]{6}$'), -- the colour of pages for customers
    is_sandbox boolean NOT NULL DEFAULT false,
    signed_up boolean NOT NULL DEFAULT false, -- by its owner, who is not verified: its invitations prove no address
    suspended_at timestamptz,
    suspended_reason text, -- for operators
    deleted_at timestamptz, -- what the law requires is kept, see delete_tenant
    requires_second_factor boolean NOT NULL DEFAULT false, -- of all members
    setup_hidden_at timestamptz, -- the set-up checklist is not shown any more
    -- Its optional steps that a member does not want to see on the overview.
    setup_dismissed text[] NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (plan, open_api) REFERENCES plans (code, open_api) ON UPDATE CASCADE
);

-- How far the erasure of a deleted business is. It goes on in short transactions, see erase_tenant_batch.
CREATE TABLE tenant_erasures (
    tenant_id uuid PRIMARY KEY REFERENCES tenants,
    step integer NOT NULL DEFAULT 1,
    last_id uuid, -- of the step that goes by id
    erased_rows bigint NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);

-- The name of a business in the address of its public page: unique over all tenants, which a constraint on tenants
-- could not be when these are distributed. Earlier names stay, because links and printed codes have them.
CREATE TABLE tenant_slugs (
    slug text PRIMARY KEY CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])$'),
    tenant_id uuid, -- null: of a deleted business, so that its links lead to no other; without a foreign key, because
                    -- tenants can be on other nodes
    is_current boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX tenant_slugs_current ON tenant_slugs (tenant_id) WHERE is_current;
CREATE INDEX tenant_slugs_of_tenant ON tenant_slugs (tenant_id);

-- Gap-free numbers (orders, transactions, invoices, events) and the row counts of lists (`rows:items`, see
-- add_row_count), so that a list's `total` is one row read. `assigned_at` is when the last number was assigned. It
-- never decreases, so numbers and creation times sort alike even when the server's clock is set back.
CREATE TABLE tenant_counters (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name text NOT NULL,
    value counter_value NOT NULL,
    assigned_at timestamptz,
    -- Of orders and transactions: the last number that the sums of the reports contain.
    summed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 50);

CREATE TABLE memberships (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'manager', 'receptionist', 'cashier', 'provider')),
    staff_id uuid, -- the staff member that this user is; a provider sees only their bookings and customers
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

-- Like users, a session belongs to no tenant: a user may be a member of several. Only the hash of its token is stored.
-- An ended session is listed for a while, then deleted.
CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    tenant_id uuid, -- the tenant whose dashboard is open; without a foreign key, because tenants can be on other nodes
    remember_me boolean NOT NULL, -- stays signed in on this device; otherwise it ends when idle
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    -- When the user last proved who they are: security settings ask again.
    authenticated_at timestamptz NOT NULL DEFAULT now(),
    challenge bytea, -- that a passkey signs next
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT sessions_token_unique UNIQUE (token_hash)
);
CREATE INDEX sessions_of_user ON sessions (user_id, last_seen_at);

-- The link contains a secret, of which only the hash is stored. It can be used once, by the owner of one e-mail
-- address.
CREATE TABLE invitations (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'manager', 'receptionist', 'cashier', 'provider')),
    invited_by uuid REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    withdrawn_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT invitations_token_unique UNIQUE (tenant_id, token_hash)
);
CREATE INDEX invitations_of_sender ON invitations (tenant_id, invited_by)
    WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

CREATE TABLE branches (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    phone text,
    phone_country text CHECK (phone_country ~ '^[A-Z]{2}$'),
    address text,
    latitude numeric(9, 6) CHECK (latitude BETWEEN -90 AND 90),
    longitude numeric(9, 6) CHECK (longitude BETWEEN -180 AND 180),
    location text,
    status boolean NOT NULL DEFAULT true,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT branches_slug_unique UNIQUE (tenant_id, slug)
);

-- Pictures of items, packages and staff, and the logo: re-encoded when they are uploaded. The id is in the URL, which
-- is public. A picture that nothing shows has `expires_at`; swap_picture keeps it so.
CREATE TABLE pictures (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg')),
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    content bytea NOT NULL,
    thumbnail bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX pictures_expiring ON pictures (expires_at) WHERE expires_at IS NOT NULL;
ALTER TABLE pictures ALTER COLUMN content SET STORAGE EXTERNAL; -- the formats are already compressed
ALTER TABLE pictures ALTER COLUMN thumbnail SET STORAGE EXTERNAL;

-- The page on which customers book. A business without a row has the defaults.
CREATE TABLE booking_page_settings (
    tenant_id uuid PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
    shown boolean NOT NULL DEFAULT true,
    about jsonb NOT NULL DEFAULT '{}', -- by language
    cover_id uuid, -- a picture
    asks_for_code boolean NOT NULL DEFAULT false, -- sent to the e-mail address of the customer who books, to verify it
    customers_move boolean NOT NULL DEFAULT true, -- their bookings, until the cancellation limit
    customers_cancel boolean NOT NULL DEFAULT true,
    payment_instructions jsonb NOT NULL DEFAULT '{}', -- by language
    -- Sites that may show the page in a frame. They become part of a header.
    embedding_origins text[] NOT NULL DEFAULT '{}' CHECK (array_position(embedding_origins, NULL) IS NULL
        AND array_to_string(embedding_origins, ' ') ~ '^(https?://[a-z0-9.:-]+( https?://[a-z0-9.:-]+)*)?$'
        AND cardinality(embedding_origins) <= 10),
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (tenant_id, cover_id) REFERENCES pictures
);


-- Staff

CREATE TABLE staff (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name text NOT NULL,
    name_search text NOT NULL,
    phone text,
    phone_country text CHECK (phone_country ~ '^[A-Z]{2}$'),
    email text,
    image text, -- a URL, or a path of this server; a picture takes precedence
    picture_id uuid,
    active boolean NOT NULL DEFAULT true,
    sort_order integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    -- Of the hours, time off and services that bookings are checked against.
    schedule_version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, picture_id) REFERENCES pictures
);
CREATE INDEX staff_by_name ON staff (tenant_id, name_search COLLATE "C", id);
CREATE INDEX staff_by_branch ON staff (tenant_id, branch_id);
ALTER TABLE memberships
    ADD FOREIGN KEY (tenant_id, staff_id) REFERENCES staff,
    ADD CONSTRAINT memberships_one_per_staff UNIQUE (tenant_id, staff_id);

-- Working hours of a branch or of one staff member. Of several the default one applies.
CREATE TABLE working_hours (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    branch_id uuid,
    staff_id uuid,
    is_default boolean NOT NULL DEFAULT true,
    all_time boolean NOT NULL DEFAULT false,
    active boolean NOT NULL DEFAULT true,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    CHECK (num_nonnulls(branch_id, staff_id) = 1)
);
CREATE UNIQUE INDEX working_hours_of_branch ON working_hours (tenant_id, branch_id)
    WHERE is_default AND branch_id IS NOT NULL;
CREATE UNIQUE INDEX working_hours_of_staff ON working_hours (tenant_id, staff_id)
    WHERE is_default AND staff_id IS NOT NULL;

-- Minutes of the local day. When `closes` is not after `opens`, the interval ends on the next day; midnight is minute
-- 0.
CREATE TABLE working_intervals (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    working_hour_id uuid NOT NULL,
    day smallint NOT NULL CHECK (day BETWEEN 0 AND 6), -- 0 is Sunday
    opens smallint NOT NULL CHECK (opens BETWEEN 0 AND 1439),
    closes smallint NOT NULL CHECK (closes BETWEEN 0 AND 1439),
    active boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, working_hour_id) REFERENCES working_hours ON DELETE CASCADE
);
CREATE INDEX working_intervals_of_hour ON working_intervals (tenant_id, working_hour_id, day, opens);

-- Other hours on one day, of a branch or of one staff member: the minutes from midnight on which it is open, beyond
-- 1440 on the next day. No minutes mean closed.
CREATE TABLE hour_exceptions (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    branch_id uuid,
    staff_id uuid,
    day date NOT NULL,
    minutes int4multirange NOT NULL CHECK (minutes <@ int4multirange(int4range(0, 2880))),
    note text,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    CHECK (num_nonnulls(branch_id, staff_id) = 1),
    CONSTRAINT hour_exceptions_of_branch UNIQUE (tenant_id, branch_id, day),
    CONSTRAINT hour_exceptions_of_staff UNIQUE (tenant_id, staff_id, day)
);

CREATE TABLE closed_days (
    tenant_id uuid NOT NULL,
    branch_id uuid NOT NULL,
    day date NOT NULL,
    note text,
    PRIMARY KEY (tenant_id, branch_id, day),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE
);

-- Only approved time off takes time, and the busy times of a calendar elsewhere (`outside`), which need no approval:
-- they are here so that the search of free times reads no other table for them.
CREATE TABLE time_off (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    staff_id uuid NOT NULL,
    during tstzrange NOT NULL CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during)),
    note text,
    status text NOT NULL DEFAULT 'approved' CHECK (status IN ('requested', 'approved', 'declined', 'outside')),
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE
);
CREATE INDEX time_off_of_staff ON time_off (tenant_id, staff_id, upper(during));

-- Private addresses at which calendar programs read the bookings of a staff member or of a branch. The secret in the
-- address is stored twice: its hash to find the feed, and encrypted to show the address again.
CREATE TABLE calendar_feeds (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    staff_id uuid,
    branch_id uuid,
    secret_hash bytea NOT NULL,
    secret bytea NOT NULL,
    language text NOT NULL, -- of the user who created it, for the words in the feed
    read_at timestamptz, -- by a calendar program; updated once an hour at most
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    CONSTRAINT calendar_feeds_secret_unique UNIQUE (tenant_id, secret_hash),
    CONSTRAINT calendar_feeds_one_per_staff UNIQUE (tenant_id, staff_id),
    CONSTRAINT calendar_feeds_one_per_branch UNIQUE (tenant_id, branch_id),
    CHECK (num_nonnulls(staff_id, branch_id) = 1)
);

-- What the feeds of a business show. A business without a row has the defaults.
CREATE TABLE calendar_settings (
    tenant_id uuid PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
    customer_names text NOT NULL DEFAULT 'short' CHECK (customer_names IN ('full', 'short', 'none')),
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- A calendar elsewhere, whose events make a staff member busy. A worker fetches it when `next_fetch_at` has come, which
-- claiming it moves on. The address is a secret of its owner.
CREATE TABLE outside_calendars (
    tenant_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    url_secret bytea NOT NULL, -- encrypted
    host text NOT NULL,
    next_fetch_at timestamptz NOT NULL DEFAULT now(),
    tried_at timestamptz, -- when the last fetch began: another one can be requested after a minute
    fetched_at timestamptz, -- the last time it could be read
    -- Repeated events are expanded for some time ahead, so once a day also if nothing has changed.
    parsed_at timestamptz,
    content_hash bytea,
    etag text,
    last_modified text,
    failing_since timestamptz,
    failures integer NOT NULL DEFAULT 0,
    error jsonb, -- why it could not be read: a kind of calendars/problems.py with its values
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, staff_id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE
);
CREATE INDEX outside_calendars_due ON outside_calendars (next_fetch_at);

-- Cashiers sell at the POS under a name and a code; they have no account.
CREATE TABLE cashiers (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    CONSTRAINT cashiers_code_unique UNIQUE (tenant_id, code)
);


-- Catalog

-- What is sold belongs to a tax class, by default to the default one. Without a default class its tax is 0.
CREATE TABLE tax_classes (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    name jsonb NOT NULL,
    is_default boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX tax_classes_one_default ON tax_classes (tenant_id) WHERE is_default;

-- The rate of a class from a local date on, in percent; 0 before its first one.
CREATE TABLE tax_rates (
    tenant_id uuid NOT NULL,
    class_id uuid NOT NULL,
    starts_on date NOT NULL,
    rate numeric(5, 2) NOT NULL CHECK (rate BETWEEN 0 AND 100),
    PRIMARY KEY (tenant_id, class_id, starts_on),
    FOREIGN KEY (tenant_id, class_id) REFERENCES tax_classes ON DELETE CASCADE
);

CREATE TABLE categories (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name jsonb NOT NULL,
    slug text NOT NULL,
    description jsonb,
    status boolean NOT NULL DEFAULT true,
    sort_order integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    CONSTRAINT categories_slug_unique UNIQUE (tenant_id, slug)
);
CREATE INDEX categories_in_order ON categories (tenant_id, sort_order, id);

CREATE TABLE items (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    category_id uuid,
    type text NOT NULL CHECK (type IN ('service', 'product')),
    sku text,
    barcode text,
    name jsonb NOT NULL,
    name_search text NOT NULL,
    slug text NOT NULL,
    description jsonb,
    html_description jsonb,
    picture_id uuid,
    status boolean NOT NULL DEFAULT true,
    price money_amount NOT NULL CHECK (price >= 0),
    offer_price money_amount CHECK (offer_price >= 0),
    -- The first and the last day of the offers, also of those of the options, in the tenant's time zone. Null: open.
    offer_from date,
    offer_until date,
    base_sellable boolean NOT NULL DEFAULT false, -- whether an item with options is also sold without one
    tax_class_id uuid, -- null: the default class
    duration integer CHECK (duration BETWEEN 1 AND 1440),
    buffer_before integer NOT NULL DEFAULT 0 CHECK (buffer_before BETWEEN 0 AND 240), -- minutes of the provider
    buffer_after integer NOT NULL DEFAULT 0 CHECK (buffer_after BETWEEN 0 AND 240),
    cost money_amount CHECK (cost >= 0),
    supplier text, -- of a product: who delivers it
    -- Of a product; null: not counted, never sold out.
    stock integer CONSTRAINT items_stock_non_negative CHECK (stock >= 0),
    low_stock integer CHECK (low_stock >= 0), -- at or below it the stock is reported as low; null: never
    sort_order integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tax_class_id) REFERENCES tax_classes,
    FOREIGN KEY (tenant_id, category_id) REFERENCES categories,
    CONSTRAINT items_slug_unique UNIQUE (tenant_id, slug),
    CONSTRAINT items_sku_unique UNIQUE (tenant_id, sku),
    CONSTRAINT items_barcode_unique UNIQUE (tenant_id, barcode),
    FOREIGN KEY (tenant_id, picture_id) REFERENCES pictures,
    CHECK (offer_from <= offer_until),
    CHECK (type = 'service' OR (buffer_before = 0 AND buffer_after = 0)),
    CHECK ((type = 'service') = (duration IS NOT NULL)),
    CHECK (type = 'product' OR stock IS NULL),
    CHECK (type = 'product' OR (cost IS NULL AND supplier IS NULL))
);
CREATE INDEX items_in_order ON items (tenant_id, sort_order, id);
CREATE INDEX items_by_category ON items (tenant_id, category_id, sort_order, id) INCLUDE (type, status);

-- An option is a variant of an item; its values describe it ("Size: large"). If all options of a product have a
-- quantity, the product's stock is their sum. An option without a quantity is not counted.
CREATE TABLE item_options (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    name jsonb NOT NULL, -- by language, as the texts of its values
    sku text,
    barcode text,
    price money_amount NOT NULL CHECK (price >= 0),
    offer_price money_amount CHECK (offer_price >= 0),
    is_active boolean NOT NULL DEFAULT true,
    duration integer CHECK (duration BETWEEN 1 AND 1440),
    quantity integer CONSTRAINT item_options_stock_non_negative CHECK (quantity >= 0),
    low_stock integer CHECK (low_stock >= 0),
    sort_order integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT item_options_sku_unique UNIQUE (tenant_id, sku),
    CONSTRAINT item_options_barcode_unique UNIQUE (tenant_id, barcode)
);
CREATE INDEX item_options_of_item ON item_options (tenant_id, item_id, sort_order, id);

CREATE TABLE option_values (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    option_name jsonb NOT NULL,
    value jsonb NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT option_values_unique UNIQUE (tenant_id, item_id, option_name, value)
);

CREATE TABLE item_option_values (
    tenant_id uuid NOT NULL,
    option_id uuid NOT NULL,
    option_value_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, option_id, option_value_id),
    FOREIGN KEY (tenant_id, option_id) REFERENCES item_options ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, option_value_id) REFERENCES option_values ON DELETE CASCADE
);

CREATE TABLE packages (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name jsonb NOT NULL,
    slug text NOT NULL,
    sku text,
    description jsonb,
    picture_id uuid,
    status boolean NOT NULL DEFAULT true,
    price money_amount NOT NULL CHECK (price >= 0),
    offer_price money_amount CHECK (offer_price >= 0),
    offer_from date, -- as in items
    offer_until date,
    version integer NOT NULL DEFAULT 1,
    tax_class_id uuid, -- null: the default class
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, picture_id) REFERENCES pictures,
    FOREIGN KEY (tenant_id, tax_class_id) REFERENCES tax_classes,
    CONSTRAINT packages_slug_unique UNIQUE (tenant_id, slug),
    CHECK (offer_from <= offer_until)
);
CREATE INDEX packages_in_order ON packages (tenant_id, created_at, id);

CREATE TABLE package_items (
    tenant_id uuid NOT NULL,
    package_id uuid NOT NULL,
    item_id uuid NOT NULL,
    quantity integer NOT NULL CHECK (quantity >= 1),
    sort_order integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, package_id, item_id),
    FOREIGN KEY (tenant_id, package_id) REFERENCES packages ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE
);
CREATE INDEX package_items_of_item ON package_items (tenant_id, item_id);

-- Which staff perform which service. Null price and duration mean those of the service.
CREATE TABLE staff_services (
    tenant_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    item_id uuid NOT NULL,
    price money_amount CHECK (price >= 0),
    duration integer CHECK (duration BETWEEN 1 AND 1440),
    PRIMARY KEY (tenant_id, staff_id, item_id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE
);
CREATE INDEX staff_services_of_item ON staff_services (tenant_id, item_id);


-- Customers

-- Text as the search of the dashboard compares it: without accents, vowel marks, tatweel and invisible characters;
-- letters that people exchange in Arabic are one. The input is case-folded. `values/text.py` has the same function for
-- pages.
CREATE FUNCTION fold_text(p text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN translate(
    regexp_replace(normalize(p, NFKD),
        U&'[\0300-\036F\0610-\061A\0621\0640\064B-\065F\0670\06D6-\06ED\200B-\200F\202A-\202E\2060-\2069\061C]',
        '', 'g'),
    U&'\0671\0649\06CC\06A9\0629\00F8\0142\0111\0131', U&'\0627\064A\064A\0643\0647oldi');

CREATE TABLE customers (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    first_name text NOT NULL,
    last_name text,
    name_search text NOT NULL, -- "first last", case-folded by the service, so that it depends on no collation
    email text,
    phone text,
    phone_country text CHECK (phone_country ~ '^[A-Z]{2}$'),
    phone_digits text GENERATED ALWAYS AS (regexp_replace(phone, '[^0-9]', '', 'g')) STORED,
    type text NOT NULL DEFAULT 'individual' CHECK (type IN ('individual', 'company')),
    city text,
    address text,
    note text,
    blocked boolean NOT NULL DEFAULT false,
    blocked_reason text,
    tax_registration_number text CHECK (tax_registration_number ~ '^[0-9]{15}$'),
    language text, -- that they read, where it is known; otherwise the first of the business
    reminders_stopped_at timestamptz, -- by the link in a reminder
    erased_at timestamptz, -- the personal data was removed on request
    -- What the dashboard searches: name, e-mail and phone. The length is limited because folding can make text longer.
    search_text text GENERATED ALWAYS AS (
        left(fold_text(name_search), 600)
        || ' ' || coalesce(fold_text(lower(email)), '')
        || ' ' || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), '')) STORED,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT customers_phone_unique UNIQUE (tenant_id, phone_digits)
);
CREATE INDEX customers_newest ON customers (tenant_id, created_at, id);
CREATE INDEX customers_by_email ON customers (tenant_id, lower(email));
CREATE INDEX customers_by_name ON customers (tenant_id, left(fold_text(name_search), 600), id);
CREATE INDEX customers_by_phone_end ON customers (tenant_id, right(phone_digits, 7));
CREATE INDEX customers_blocked ON customers (tenant_id, created_at, id) WHERE blocked;

-- The ids of customers that were merged into another one, so that old links lead to it.
CREATE TABLE merged_customers (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    into_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, into_id) REFERENCES customers ON DELETE CASCADE
);
CREATE INDEX merged_customers_of_customer ON merged_customers (tenant_id, into_id);

-- Pairs of customers that look like one person and are two.
CREATE TABLE distinct_customers (
    tenant_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    other_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, customer_id, other_id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, other_id) REFERENCES customers ON DELETE CASCADE,
    CHECK (customer_id < other_id)
);
CREATE INDEX distinct_customers_of_other ON distinct_customers (tenant_id, other_id);

-- What people write about a customer. Only they see it; the APIs have the field `note`.
CREATE TABLE customer_notes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    text text NOT NULL,
    is_warning boolean NOT NULL DEFAULT false, -- shown above everything else
    author_id uuid REFERENCES users ON DELETE SET NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE
);
CREATE INDEX customer_notes_of_customer ON customer_notes (tenant_id, customer_id, created_at);

-- Consent to marketing. A customer has given it if a row is not withdrawn.
CREATE TABLE customer_consents (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    how text NOT NULL CHECK (how IN ('in_person', 'phone', 'written', 'online')),
    given_at timestamptz NOT NULL DEFAULT now(),
    recorded_by uuid REFERENCES users ON DELETE SET NULL,
    withdrawn_at timestamptz,
    withdrawn_by uuid REFERENCES users ON DELETE SET NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE
);
CREATE INDEX customer_consents_of_customer ON customer_consents (tenant_id, customer_id, given_at);

CREATE TABLE tags (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    model text NOT NULL CHECK (model = 'customers'),
    name text NOT NULL,
    name_folded text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT tags_name_unique UNIQUE (tenant_id, model, name_folded)
);

CREATE TABLE customer_tags (
    tenant_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    tag_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, customer_id, tag_id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tag_id) REFERENCES tags ON DELETE CASCADE
);
-- With the customer, so that it is no smaller than the primary key: while statistics say that there are few tags, as
-- after an import that was undone, the planner takes the smaller index, and reads all tags of the tenant for each
-- customer.
CREATE INDEX customer_tags_of_tag ON customer_tags (tenant_id, tag_id, customer_id);


-- Developers and applications

-- A developer has one sandbox tenant, created at sign-up.
CREATE TABLE developers (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    name text NOT NULL, -- shown to tenants
    sandbox_id uuid NOT NULL, -- a tenant; without a foreign key, because tenants can be on other nodes
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX developers_of_sandbox ON developers (sandbox_id);

-- The row is what the developer edits. Submitting it creates a version; an operator reviews that version, and tenants
-- see and install the last approved one. An application has one webhook for all its installs, signed with one secret.
-- The application `for_sandboxes` is offered only in sandboxes and is not reviewed; there is at most one.
CREATE TABLE applications (
    id uuid PRIMARY KEY,
    developer_id uuid NOT NULL REFERENCES users,
    name text NOT NULL,
    slug text NOT NULL,
    description jsonb NOT NULL DEFAULT '{}',
    links jsonb NOT NULL DEFAULT '{}',
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'in_review', 'approved', 'rejected', 'suspended')),
    review_reason text,
    commission_note text,
    webhook_url text,
    webhook_events text[] NOT NULL DEFAULT '{}',
    webhook_secret bytea, -- encrypted
    payment_methods jsonb NOT NULL DEFAULT '[]', -- of each method its name by language
    redirect_uris text[] NOT NULL DEFAULT '{}', -- where a business returns to after it approved the application
    submitted_at timestamptz,
    submitted_version integer, -- under review
    approved_at timestamptz,
    approved_version integer, -- what tenants see
    for_sandboxes boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT applications_slug_unique UNIQUE (slug)
);
CREATE INDEX applications_of_developer ON applications (developer_id, created_at);
CREATE INDEX applications_by_status ON applications (status, submitted_at);
CREATE UNIQUE INDEX applications_one_for_sandboxes ON applications (for_sandboxes) WHERE for_sandboxes;

CREATE TABLE application_versions (
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    version integer NOT NULL CHECK (version > 0),
    listing jsonb NOT NULL, -- name, description, links, scopes, webhook, payment methods, redirect addresses, pictures
    submitted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (application_id, version)
);
ALTER TABLE applications
    ADD FOREIGN KEY (id, submitted_version) REFERENCES application_versions (application_id, version),
    ADD FOREIGN KEY (id, approved_version) REFERENCES application_versions (application_id, version);

CREATE TABLE application_scopes (
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    scope text NOT NULL,
    reason text NOT NULL,
    required boolean NOT NULL,
    PRIMARY KEY (application_id, scope)
);

-- Stored here, so that pages load no image from another host. A removed picture stays while a visible version shows it.
CREATE TABLE application_pictures (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('icon', 'screenshot')),
    media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg')),
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    alt_text text NOT NULL,
    content bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz
);
CREATE INDEX application_pictures_of_application ON application_pictures (application_id, created_at);
ALTER TABLE application_pictures ALTER COLUMN content SET STORAGE EXTERNAL; -- the formats are already compressed

-- The review history. performed_by is null when a command did it.
CREATE TABLE application_reviews (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    version integer,
    step text NOT NULL CHECK (step IN ('submitted', 'withdrawn', 'approved', 'rejected', 'suspended')),
    reason text,
    performed_by uuid REFERENCES users ON DELETE SET NULL,
    performed_at timestamptz NOT NULL DEFAULT now(),
    CHECK (step NOT IN ('rejected', 'suspended') OR reason <> '')
);
CREATE INDEX application_reviews_of_application ON application_reviews (application_id, performed_at);


-- Auth

-- While an application is suspended its installs are disconnected, so that queries test disconnected_at alone;
-- suspended_at marks those to reconnect afterwards.
CREATE TABLE installs (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    application_id uuid NOT NULL REFERENCES applications,
    version integer, -- that the tenant accepted; null in the developer's sandbox, which runs the row being edited
    installed_by uuid REFERENCES users,
    installed_at timestamptz NOT NULL DEFAULT now(),
    disconnected_at timestamptz,
    suspended_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CHECK (suspended_at IS NULL OR disconnected_at IS NOT NULL)
);
CREATE UNIQUE INDEX installs_one_active ON installs (tenant_id, application_id) WHERE disconnected_at IS NULL;
CREATE INDEX installs_of_application ON installs (application_id);

-- `scopes` is what the tenant approves now: a token grants nothing beyond it. Rotating the secret invalidates tokens
-- that were issued with the old one, unless that stays valid until previous_secret_until.
CREATE TABLE api_clients (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    install_id uuid,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    secret_version integer NOT NULL DEFAULT 1,
    previous_secret_hash bytea,
    previous_secret_until timestamptz,
    scopes text[] NOT NULL,
    rate_limit integer CHECK (rate_limit >= 1),
    disabled_at timestamptz,
    disconnected_at timestamptz, -- of the install, because every request reads it; written together with the install's
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, install_id) REFERENCES installs ON DELETE CASCADE
);

-- `scopes` is the requested subset, null for everything approved.
CREATE TABLE access_tokens (
    tenant_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    client_id uuid NOT NULL,
    secret_version integer NOT NULL,
    scopes text[],
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    last_used_at timestamptz, -- to the minute
    PRIMARY KEY (tenant_id, token_hash),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
);
CREATE INDEX access_tokens_of_client ON access_tokens (tenant_id, client_id);

-- The code that an application gets after a business approved it, and exchanges once for the credentials of its
-- install. A used code is kept for a day: who sends it again has copied it, and what it issued is revoked.
CREATE TABLE authorization_codes (
    tenant_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    install_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    code_challenge text NOT NULL, -- the SHA-256 hash of a secret that only the application knows (PKCE)
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    secret_version integer, -- of the secret that it issued
    PRIMARY KEY (tenant_id, code_hash),
    FOREIGN KEY (tenant_id, install_id) REFERENCES installs ON DELETE CASCADE
);
CREATE INDEX authorization_codes_of_install ON authorization_codes (tenant_id, install_id);

CREATE TABLE api_keys (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    key_hash bytea NOT NULL,
    last_four text, -- of the key, to distinguish keys in the list
    name text NOT NULL,
    branch_id uuid,
    rate_limit integer CHECK (rate_limit >= 1),
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    CONSTRAINT api_keys_hash_unique UNIQUE (tenant_id, key_hash)
);

-- The requests of API clients and API keys, inserted in batches. No foreign keys: an entry may be inserted a second
-- after its caller or tenant was deleted. Old rows are found through the BRIN index and deleted.
CREATE TABLE request_log (
    tenant_id uuid NOT NULL,
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

-- How often a caller used each scope; '' counts requests that need no scope.
CREATE TABLE scope_usage (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    caller_id uuid NOT NULL,
    scope text NOT NULL,
    uses bigint NOT NULL,
    first_used_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, caller_id, scope)
) WITH (fillfactor = 70);


-- Rate limit

-- A sliding minute of one caller, exact: the requests of one clock second are one bucket, which counts until sixty
-- seconds after its last request. Unlogged: a crash loses at most one minute of counting.
CREATE UNLOGGED TABLE rate_windows (
    tenant_id uuid NOT NULL,
    caller_id uuid NOT NULL,
    bucket_ends timestamptz[] NOT NULL,
    bucket_counts integer[] NOT NULL,
    total integer NOT NULL,
    blocked_until timestamptz,
    PRIMARY KEY (tenant_id, caller_id)
) WITH (fillfactor = 40);

-- The same window for attempts without a known tenant (passwords, client secrets), by client id, account or address.
CREATE UNLOGGED TABLE throttles (
    subject bytea PRIMARY KEY,
    bucket_ends timestamptz[] NOT NULL,
    bucket_counts integer[] NOT NULL,
    total integer NOT NULL,
    blocked_until timestamptz
) WITH (fillfactor = 40);

CREATE TYPE rate_window AS (
    bucket_ends timestamptz[],
    bucket_counts integer[],
    total integer,
    blocked_until timestamptz
);

-- The caller of a request, with the settings of the tenant that statements need.
CREATE TYPE caller_context AS (
    tenant_id uuid, timezone text, currency text, currency_decimals integer, languages text[], grid_minutes integer,
    caller_id uuid, approved_scopes text[], requested_scopes text[], branch_id uuid, is_suspended boolean,
    has_open_api boolean, rate_limit integer, allowed boolean, prices_include_tax boolean
);


-- Payments

-- A method with an install belongs to that application and cannot be used once it is disconnected.
CREATE TABLE payment_methods (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL REFERENCES payment_method_types,
    install_id uuid,
    name jsonb NOT NULL,
    slug text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    sort_order integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, install_id) REFERENCES installs,
    CONSTRAINT payment_methods_slug_unique UNIQUE (tenant_id, slug)
);


-- Orders

-- The only definition of an order's payment status. orders.payment_status is generated from it.
CREATE FUNCTION payment_status(total numeric, paid numeric, refunded numeric) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN refunded > 0 AND refunded >= paid THEN 'refunded'
    WHEN refunded > 0 THEN 'partially_refunded'
    WHEN paid >= total THEN 'paid'
    WHEN paid > 0 THEN 'partially_paid'
    ELSE 'unpaid'
END;

-- A refund is an order of its own under the sale, with negative amounts and its own number.
-- Each equality filter of the order list has an index that ends with the number it is sorted by; each range filter has
-- one that contains the numbers of a page.
-- Bookings that repeat. Each of them is an order.
CREATE TABLE order_series (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    every_weeks smallint NOT NULL CHECK (every_weeks > 0),
    created_by uuid REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE orders (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    order_number bigint NOT NULL,
    parent_id uuid,
    series_id uuid, -- of a booking that repeats
    branch_id uuid NOT NULL,
    customer_id uuid,
    status text NOT NULL CHECK (status IN ('draft', 'confirmed', 'in-progress', 'completed', 'canceled')),
    version integer NOT NULL DEFAULT 1,
    source text NOT NULL CHECK (source IN ('api', 'pos', 'dashboard', 'online')),
    currency text NOT NULL,
    sub_total money_amount NOT NULL,
    discount_amount money_amount NOT NULL,
    total money_amount NOT NULL,
    tax_amount money_amount NOT NULL DEFAULT 0, -- the part of the total that is tax: the sum of the lines'
    paid_amount money_amount NOT NULL DEFAULT 0,
    refunded_amount money_amount NOT NULL DEFAULT 0,
    payment_status text NOT NULL GENERATED ALWAYS AS (payment_status(total, paid_amount, refunded_amount)) STORED,
    discount jsonb, -- of the POS, as requested
    starts_at timestamptz,
    language text, -- of the page on which the customer booked, for the messages about it
    contact_email text, -- that the customer entered there; messages about the order go there, see message_address
    arrived_at timestamptz, -- the customer has come
    no_show boolean NOT NULL DEFAULT false, -- canceled because the customer did not come
    note text,
    cashier text,
    cashier_code text,
    -- The lines as lists of orders show them; written by whatever writes the lines.
    list_items json NOT NULL DEFAULT '[]',
    created_by_type text NOT NULL CHECK (created_by_type IN ('app', 'key', 'user', 'customer', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES orders,
    FOREIGN KEY (tenant_id, series_id) REFERENCES order_series,
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
    CONSTRAINT orders_number_unique UNIQUE (tenant_id, order_number),
    CHECK (parent_id IS NOT NULL OR (total >= 0 AND discount_amount >= 0 AND paid_amount <= total)),
    CHECK (parent_id IS NULL OR total <= 0),
    CHECK (NOT no_show OR status = 'canceled'),
    CHECK (refunded_amount >= 0 AND refunded_amount <= greatest(paid_amount, 0))
);
CREATE INDEX orders_by_time ON orders (tenant_id, created_at, order_number);
CREATE INDEX orders_by_status ON orders (tenant_id, status, order_number);
CREATE INDEX orders_by_payment_status ON orders (tenant_id, payment_status, order_number);
CREATE INDEX orders_by_customer ON orders (tenant_id, customer_id, order_number);
-- The customers in the order of their last visits.
CREATE INDEX orders_by_visit ON orders (tenant_id, (coalesce(starts_at, created_at)), customer_id)
    WHERE customer_id IS NOT NULL AND parent_id IS NULL AND status NOT IN ('draft', 'canceled');
CREATE INDEX orders_by_branch ON orders (tenant_id, branch_id, order_number);
CREATE INDEX orders_by_start ON orders (tenant_id, starts_at, order_number) WHERE starts_at IS NOT NULL;
CREATE INDEX orders_by_change ON orders (tenant_id, updated_at, order_number);
CREATE INDEX orders_done_unpaid ON orders (tenant_id, order_number)
    WHERE status = 'completed' AND payment_status IN ('unpaid', 'partially_paid') AND parent_id IS NULL;
CREATE INDEX orders_to_refund ON orders (tenant_id, order_number)
    WHERE status = 'canceled' AND paid_amount > 0 AND refunded_amount = 0 AND parent_id IS NULL;
CREATE INDEX orders_by_application ON orders (tenant_id, created_by_id, order_number) WHERE created_by_type = 'app';
CREATE INDEX orders_of_parent ON orders (tenant_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX orders_by_contact_email ON orders (tenant_id, lower(contact_email)) WHERE contact_email IS NOT NULL;
CREATE INDEX orders_of_series ON orders (tenant_id, series_id, starts_at) WHERE series_id IS NOT NULL;
CREATE INDEX orders_not_come ON orders (tenant_id, starts_at) WHERE no_show;

-- Documents of orders as their last act published them, for those who read the order then, see publish_order.
-- `versions` are those of everything that the document shows. Unlogged: a document that is missing is rendered. Up to 8
-- kB it is stored in the row.
CREATE UNLOGGED TABLE order_documents (
    tenant_id uuid NOT NULL,
    order_id uuid NOT NULL,
    versions text NOT NULL,
    document text NOT NULL,
    rendered_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, order_id)
) WITH (toast_tuple_target = 8160);
ALTER TABLE order_documents ALTER COLUMN document SET STORAGE EXTERNAL;
CREATE INDEX order_documents_by_age ON order_documents USING brin (rendered_at);

-- Customers who wait for a time that is not free. An entry is deleted when it is booked.
CREATE TABLE waiting_list (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    item_id uuid NOT NULL, -- the service
    more_item_ids uuid[] NOT NULL DEFAULT '{}', -- services directly after it
    staff_id uuid, -- the provider; NULL: anyone
    first_day date NOT NULL,
    last_day date NOT NULL,
    part_of_day text NOT NULL DEFAULT 'any' CHECK (part_of_day IN ('any', 'morning', 'afternoon', 'evening')),
    note text,
    version integer NOT NULL DEFAULT 1,
    created_by uuid REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    CHECK (last_day >= first_day)
);
CREATE INDEX waiting_list_by_day ON waiting_list (tenant_id, first_day, created_at, id);
CREATE INDEX waiting_list_of_customer ON waiting_list (tenant_id, customer_id);
CREATE INDEX waiting_list_of_item ON waiting_list (tenant_id, item_id);
CREATE INDEX waiting_list_of_staff ON waiting_list (tenant_id, staff_id) WHERE staff_id IS NOT NULL;

-- Filters of the list of orders under a name. A view without a user is for everybody at the business.
CREATE TABLE order_views (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    user_id uuid,
    name text NOT NULL,
    query text NOT NULL, -- of the list's address
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT order_views_name_unique UNIQUE NULLS NOT DISTINCT (tenant_id, user_id, name)
);

CREATE TABLE order_lines (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    position smallint NOT NULL,
    parent_line_id uuid, -- the sold line that a refund line refunds
    type text NOT NULL CHECK (type IN ('service', 'product', 'package')),
    item_id uuid,
    package_id uuid,
    option_ids uuid[] NOT NULL DEFAULT '{}', -- at most one
    option_name text, -- as it was sold, like the name
    staff_id uuid,
    name text NOT NULL,
    price money_amount NOT NULL CHECK (price >= 0),
    quantity integer NOT NULL CHECK (quantity <> 0),
    -- Units that a refund line returns; 0 if it refunds money only.
    returned integer NOT NULL DEFAULT 0 CHECK (returned >= 0),
    discount_amount money_amount NOT NULL,
    -- Of the discount, what was given on this line; the rest is its share of the order's.
    own_discount money_amount NOT NULL DEFAULT 0,
    total money_amount NOT NULL,
    tax_rate numeric(5, 2) NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 100), -- in percent, when it was sold
    tax_amount money_amount NOT NULL DEFAULT 0, -- the part of the total that is tax
    apply_discount boolean NOT NULL DEFAULT false,
    duration integer CHECK (duration >= 1), -- of the whole line, in minutes
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, parent_line_id) REFERENCES order_lines,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items,
    FOREIGN KEY (tenant_id, package_id) REFERENCES packages,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff,
    CONSTRAINT order_lines_position_unique UNIQUE (tenant_id, order_id, position),
    CHECK (num_nonnulls(item_id, package_id) = 1 AND (type = 'package') = (package_id IS NOT NULL)),
    CONSTRAINT order_lines_only_refunds_return CHECK (parent_line_id IS NOT NULL OR returned = 0),
    CHECK (total = price * quantity - discount_amount),
    CHECK ((parent_line_id IS NULL AND quantity >= 1 AND discount_amount >= 0 AND total >= 0
            AND tax_amount BETWEEN 0 AND total)
        OR (parent_line_id IS NOT NULL AND quantity <= -1 AND discount_amount <= 0 AND total <= 0
            AND tax_amount <= 0))
);
CREATE INDEX order_lines_of_staff ON order_lines (tenant_id, staff_id, order_id) WHERE staff_id IS NOT NULL;
CREATE INDEX order_lines_of_parent ON order_lines (tenant_id, parent_line_id) WHERE parent_line_id IS NOT NULL;

-- The stock that each line uses, so that returning it does not depend on what a package contains later.
CREATE TABLE order_line_stock (
    tenant_id uuid NOT NULL,
    order_id uuid NOT NULL,
    line_id uuid NOT NULL,
    item_id uuid NOT NULL,
    units integer NOT NULL CHECK (units >= 1), -- for a line quantity of one
    option_id uuid, -- the option whose quantity was reduced
    PRIMARY KEY (tenant_id, order_id, line_id, item_id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items,
    FOREIGN KEY (tenant_id, option_id) REFERENCES item_options
);

-- Every change of a product's stock, written by the function that changes it. `quantity` is what is left of the option,
-- or of the product where it has no option. The actor is null for what the service did by itself. 'oversold' adds the
-- units that a sale took beyond the stock, so that stock is never negative.
CREATE TABLE stock_movements (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    option_id uuid,
    change integer NOT NULL,
    quantity integer NOT NULL,
    reason text NOT NULL CHECK (reason IN (
        'sale', 'return', 'delivery', 'correction', 'loss', 'opening', 'oversold')),
    note text,
    order_id uuid, -- without a foreign key: products are locked before the order is inserted
    actor_type text,
    actor_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, option_id) REFERENCES item_options ON DELETE CASCADE
);
CREATE INDEX stock_movements_of_item ON stock_movements (tenant_id, item_id, id);
-- For reports, which read nothing but this index.
CREATE INDEX stock_movements_by_time ON stock_movements (tenant_id, created_at) INCLUDE (item_id, reason, change);

-- A row with previous_start and new_start records a rescheduling, one with previous_total and new_total a change of the
-- lines; the status stays the same.
CREATE TABLE order_status_history (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    from_status text,
    to_status text NOT NULL,
    previous_start timestamptz,
    new_start timestamptz,
    -- The bookings that another time replaced, and when the customer had arrived: what the undo of a move restores.
    replaced jsonb,
    previous_total money_amount,
    new_total money_amount,
    note text,
    changed_by_type text NOT NULL CHECK (changed_by_type IN ('app', 'key', 'user', 'customer', 'system')),
    changed_by_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    CHECK ((previous_start IS NULL) = (new_start IS NULL)),
    CHECK ((previous_total IS NULL) = (new_total IS NULL)),
    CHECK ((new_start IS NULL AND new_total IS NULL) OR from_status = to_status)
);
CREATE INDEX order_status_history_of_order ON order_status_history (tenant_id, order_id, created_at);
CREATE INDEX order_status_history_by_time ON order_status_history (tenant_id, created_at);

CREATE TABLE refunds (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    child_order_id uuid NOT NULL,
    amount money_amount NOT NULL CHECK (amount > 0),
    restocked boolean NOT NULL,
    reason text,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    FOREIGN KEY (tenant_id, child_order_id) REFERENCES orders,
    CONSTRAINT refunds_one_per_child UNIQUE (tenant_id, child_order_id)
);
CREATE INDEX refunds_of_order ON refunds (tenant_id, order_id);


-- Bookings

-- One booking per service line. `during` is the time of the service, which is published; `busy` also has the service's
-- buffers before and after it. The exclusion constraint makes double booking impossible; a canceled booking is not
-- active and does not count.
CREATE TABLE bookings (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    line_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    item_id uuid NOT NULL,
    reference text NOT NULL,
    during tstzrange NOT NULL
        CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during)
            AND lower_inc(during) AND NOT upper_inc(during))
        CHECK (extract(second FROM lower(during)) = 0 AND extract(second FROM upper(during)) = 0),
    busy tstzrange NOT NULL CHECK (busy @> during AND NOT lower_inf(busy) AND NOT upper_inf(busy)),
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items,
    CONSTRAINT bookings_one_per_line UNIQUE (tenant_id, line_id),
    CONSTRAINT bookings_reference_unique UNIQUE (tenant_id, reference),
    CONSTRAINT bookings_no_overlap EXCLUDE USING gist ( -- staff first: it selects the fewest rows
        uuidrange(staff_id, staff_id, '[]') WITH =, uuidrange(tenant_id, tenant_id, '[]') WITH =, busy WITH &&
    ) WHERE (is_active)
);
CREATE INDEX bookings_of_order ON bookings (tenant_id, order_id);
CREATE INDEX bookings_of_staff ON bookings (tenant_id, staff_id, lower(during)) WHERE is_active;

-- The busy minutes of each staff member per UTC day, so that availability reads one short row per staff member and day
-- however many bookings there are. Bit 1440 - m is minute m. Every function that writes bookings calls set_busy. The
-- busy times of active bookings never overlap, so releasing one clears exactly its own minutes.
CREATE TABLE staff_busy_days (
    tenant_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    day date NOT NULL,
    minutes bit(1440) NOT NULL,
    PRIMARY KEY (tenant_id, staff_id, day),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE
) WITH (fillfactor = 70);


-- Transactions

-- Times that customers have chosen on the public page, while they type their details. One row for each service; the id
-- is that of the form. A hold hides the time from other customers only, and not from the front desk: the first booking
-- gets it. Unlogged: a crash loses at most some minutes.
CREATE UNLOGGED TABLE holds (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    place smallint NOT NULL,
    staff_id uuid NOT NULL,
    busy tstzrange NOT NULL CHECK (NOT isempty(busy) AND NOT lower_inf(busy) AND NOT upper_inf(busy)),
    network bytea NOT NULL, -- a hash of the network address that chose it
    created_at timestamptz NOT NULL, -- of the first hold of the form
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id, place)
);
CREATE INDEX holds_expiring ON holds (expires_at);
CREATE INDEX holds_of_tenant ON holds (tenant_id, expires_at);

-- Codes that prove an e-mail address on the public page. The id is that of the form.
CREATE TABLE contact_codes (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    email text NOT NULL,
    code_hash bytea NOT NULL,
    tries smallint NOT NULL DEFAULT 0,
    network bytea NOT NULL, -- a hash of the network address that asked for it
    many smallint NOT NULL DEFAULT 1, -- codes that were sent for the form
    sent_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX contact_codes_expiring ON contact_codes (expires_at);

CREATE TABLE transactions (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    transaction_no bigint NOT NULL,
    order_id uuid NOT NULL,
    payment_method_id uuid NOT NULL,
    refund_of_id uuid, -- the payment that is refunded
    returned_order_id uuid, -- the earlier sale whose returned lines pay this one, in an exchange
    amount money_amount NOT NULL CHECK (amount <> 0),
    tendered_amount money_amount,
    currency text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'confirmed', 'refused', 'canceled', 'refunded')),
    is_deposit boolean NOT NULL DEFAULT false,
    note text,
    reference_number text,
    cashier text,
    cashier_code text,
    created_by_type text CHECK (created_by_type IN ('app', 'key', 'user', 'system')),
    created_by_id uuid,
    date timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_methods,
    FOREIGN KEY (tenant_id, refund_of_id) REFERENCES transactions,
    FOREIGN KEY (tenant_id, returned_order_id) REFERENCES orders,
    CONSTRAINT transactions_number_unique UNIQUE (tenant_id, transaction_no),
    CHECK ((refund_of_id IS NULL) = (amount > 0)),
    CHECK (tendered_amount >= amount)
);
CREATE INDEX transactions_by_time ON transactions (tenant_id, created_at, transaction_no);
CREATE INDEX transactions_by_status ON transactions (tenant_id, status, transaction_no);
CREATE INDEX transactions_of_order ON transactions (tenant_id, order_id);

-- A tip is money beside the total of its order. It is counted in the drawer, and belongs to a staff member or to all.
CREATE TABLE tips (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    staff_id uuid, -- null: for all
    payment_method_id uuid NOT NULL,
    amount money_amount NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    cashier text,
    cashier_code text,
    created_by_type text NOT NULL CHECK (created_by_type IN ('app', 'key', 'user', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff,
    FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_methods
);
CREATE INDEX tips_by_time ON tips (tenant_id, created_at);
CREATE INDEX tips_of_order ON tips (tenant_id, order_id);

-- The address at which a customer reads the receipt of an order without an account. Its id is random.
CREATE TABLE receipt_links (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    CONSTRAINT receipt_links_one_per_order UNIQUE (tenant_id, order_id)
);

-- The address at which a customer sees, moves and cancels a booking without an account. The code is random, see
-- booking_code.
CREATE TABLE booking_links (
    tenant_id uuid NOT NULL,
    code text NOT NULL CHECK (code ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
    order_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, code),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    CONSTRAINT booking_links_one_per_order UNIQUE (tenant_id, order_id)
);

-- A mailed link to all coming bookings of an e-mail address. Only the hash of its token is stored.
CREATE TABLE booking_list_links (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    email text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, token_hash)
);
CREATE INDEX booking_list_links_of_email ON booking_list_links (tenant_id, email);
CREATE INDEX booking_list_links_expiring ON booking_list_links (expires_at);


-- Invoices

-- Invoices, credit notes and day closes are never changed once they are written.
CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- An invoice stores a copy of everything it shows, because that must not change when the order's data does.
CREATE TABLE invoices (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    invoice_number bigint NOT NULL,
    order_id uuid NOT NULL,
    seller jsonb NOT NULL,
    buyer jsonb,
    lines jsonb NOT NULL,
    currency text NOT NULL,
    tax_rate numeric(5, 2) NOT NULL, -- of the largest part of the total; each line has its own
    tax_amount money_amount NOT NULL,
    total money_amount NOT NULL,
    qr text NOT NULL,
    issued_by uuid,
    issued_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    CONSTRAINT invoices_number_unique UNIQUE (tenant_id, invoice_number),
    CONSTRAINT invoices_one_per_order UNIQUE (tenant_id, order_id)
);
CREATE TRIGGER invoices_are_final BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- A credit note cancels an invoice in part or in full: one for each refund of an order that has an invoice, and one for
-- what is left of the invoice, paid or not, when the order is canceled.
CREATE TABLE credit_notes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    credit_note_number bigint NOT NULL,
    invoice_id uuid NOT NULL,
    order_id uuid NOT NULL, -- the refund's own order, or the order that was canceled
    seller jsonb NOT NULL,
    buyer jsonb,
    lines jsonb NOT NULL,
    currency text NOT NULL,
    tax_rate numeric(5, 2) NOT NULL,
    tax_amount money_amount NOT NULL CHECK (tax_amount >= 0),
    total money_amount NOT NULL CHECK (total > 0),
    qr text NOT NULL,
    issued_by uuid,
    issued_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoices,
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    CONSTRAINT credit_notes_number_unique UNIQUE (tenant_id, credit_note_number),
    CONSTRAINT credit_notes_one_per_refund UNIQUE (tenant_id, order_id)
);
CREATE INDEX credit_notes_of_invoice ON credit_notes (tenant_id, invoice_id);
CREATE TRIGGER credit_notes_are_final BEFORE UPDATE OR DELETE ON credit_notes
    FOR EACH ROW EXECUTE FUNCTION forbid_change();


-- Day closes

-- The totals of a shift: from the close before it on the same day, or from the start of the day, to the moment of
-- closing, or to the end of the day. A day has one or more. What comes later belongs to the next shift, so a close
-- never changes.
CREATE TABLE day_closes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    close_number bigint NOT NULL,
    branch_id uuid NOT NULL,
    day date NOT NULL, -- in the tenant's time zone
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL, -- the end of the day, or the time of closing if that is earlier
    currency text NOT NULL,
    cashiers jsonb NOT NULL, -- totals of the shift per cashier and payment method
    day_cashiers jsonb NOT NULL, -- those of the day up to the end of the shift, as published
    drawer jsonb, -- what should be in the drawer, and the count; null if the drawer was opened after this day
    methods jsonb, -- what was expected and found by each payment method; null if not compared
    handed_over jsonb, -- what was expected of each cashier and handed over, by payment method; null if not entered
    note text, -- why the count differs
    closed_by_type text NOT NULL CHECK (closed_by_type IN ('app', 'key', 'user', 'system')),
    closed_by_id uuid,
    closed_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    CONSTRAINT day_closes_number_unique UNIQUE (tenant_id, close_number),
    CHECK (starts_at <= ends_at AND ends_at <= closed_at)
);
CREATE INDEX day_closes_of_day ON day_closes (tenant_id, branch_id, day, close_number);
CREATE TRIGGER day_closes_are_final BEFORE UPDATE OR DELETE ON day_closes
    FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- Closes that a manager took back. The close itself stays as it was, with its number, and counts for nothing: its time
-- is open again.
CREATE TABLE day_reopenings (
    tenant_id uuid NOT NULL,
    day_close_id uuid NOT NULL,
    reason text NOT NULL,
    reopened_by_type text NOT NULL CHECK (reopened_by_type IN ('app', 'key', 'user', 'system')),
    reopened_by_id uuid,
    reopened_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, day_close_id),
    FOREIGN KEY (tenant_id, day_close_id) REFERENCES day_closes
);
CREATE TRIGGER day_reopenings_are_final BEFORE UPDATE OR DELETE ON day_reopenings
    FOR EACH ROW EXECUTE FUNCTION forbid_change();

CREATE VIEW standing_day_closes AS
SELECT d.* FROM day_closes d
WHERE NOT EXISTS (SELECT FROM day_reopenings r WHERE r.tenant_id = d.tenant_id AND r.day_close_id = d.id);

-- The cash drawer of a branch, from opening to the close of the day. It holds the float, the cash that was paid and
-- refunded since it was opened, and its movements. A session also covers what is sold after midnight, until it is
-- counted.
CREATE TABLE drawer_sessions (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    float_amount money_amount NOT NULL CHECK (float_amount >= 0),
    left_before money_amount, -- what the last count left in the drawer; null if it was not counted
    float_reason text, -- why the float differs from that
    opened_by_type text NOT NULL CHECK (opened_by_type IN ('app', 'key', 'user', 'system')),
    opened_by_id uuid,
    opened_at timestamptz NOT NULL,
    counts_from timestamptz NOT NULL, -- cash that was taken before the opening lies in the drawer too
    day_close_id uuid,
    closed_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    FOREIGN KEY (tenant_id, day_close_id) REFERENCES day_closes,
    CHECK (float_amount = left_before OR left_before IS NULL OR float_reason IS NOT NULL),
    CHECK ((closed_at IS NULL) = (day_close_id IS NULL)),
    CHECK (counts_from <= opened_at AND opened_at <= closed_at)
);
CREATE UNIQUE INDEX drawer_sessions_one_open ON drawer_sessions (tenant_id, branch_id) WHERE closed_at IS NULL;

-- Cash that was put into an open drawer or taken out of it beside sales, and counts. Never changed.
CREATE TABLE drawer_movements (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    number bigint NOT NULL,
    session_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('in', 'out', 'safe', 'count')),
    amount money_amount NOT NULL,
    reason text,
    counted money_amount CHECK (counted >= 0), -- of a count, with what was expected
    expected money_amount,
    pieces integer[], -- of a count: how many of each note and coin
    created_by_type text NOT NULL CHECK (created_by_type IN ('app', 'key', 'user', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES drawer_sessions,
    CONSTRAINT drawer_movements_number_unique UNIQUE (tenant_id, number),
    CHECK (CASE kind WHEN 'in' THEN amount > 0 WHEN 'count' THEN amount = 0 ELSE amount < 0 END),
    CHECK (kind NOT IN ('in', 'out') OR reason IS NOT NULL),
    CHECK ((kind = 'count') = (counted IS NOT NULL AND expected IS NOT NULL))
);
CREATE INDEX drawer_movements_of_session ON drawer_movements (tenant_id, session_id, number);


-- Reports

-- What was sold and paid, summed by day. New sales and payments are summed some at a time (sum_sales, sum_payments),
-- other acts on orders add to the sums themselves (add_sale_to_reports, add_order_to_reports, add_tips_to_reports).
-- Reports read the views below, which have what is not summed yet too. rebuild_reports computes the same from the
-- ledger. The day is the local day on which it happened (report_day). A row without a staff member or an application
-- has zeros for its id, so that the key has no nulls; no foreign keys, because writers are many. Sums by item and by
-- customer have many rows in a year, so they are kept by month too: months_and_days says which rows a range of days
-- needs.

CREATE TABLE item_sums (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    is_month boolean NOT NULL, -- the sums of the month that begins on the day
    day date NOT NULL,
    branch_id uuid NOT NULL,
    item_id uuid NOT NULL, -- an item or a package
    staff_id uuid NOT NULL,
    quantity bigint NOT NULL,
    total report_amount NOT NULL,
    tax_amount report_amount NOT NULL,
    PRIMARY KEY (tenant_id, is_month, day, branch_id, item_id, staff_id)
) WITH (fillfactor = 70);

-- All amounts of a kind have its sign: cancellations and refunds are negative. A refund of a canceled order is in
-- neither revenue nor twice in what was taken back: 'canceled_refund' has its opposite.
CREATE TABLE source_sums (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    day date NOT NULL,
    branch_id uuid NOT NULL,
    source text NOT NULL, -- of the sale, also for its refunds
    client_id uuid NOT NULL, -- the API client that created the sale
    tax_rate tax_percent NOT NULL,
    kind sale_kind NOT NULL,
    orders bigint NOT NULL, -- counted at the tax rate of the first line
    total report_amount NOT NULL,
    tax_amount report_amount NOT NULL,
    discount_amount report_amount NOT NULL,
    PRIMARY KEY (tenant_id, day, branch_id, source, client_id, tax_rate, kind)
) WITH (fillfactor = 70);

CREATE TABLE customer_sums (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    customer_id uuid NOT NULL,
    is_month boolean NOT NULL,
    day date NOT NULL,
    branch_id uuid NOT NULL,
    first_day date NOT NULL, -- of the customer's first sale, anywhere in the business
    orders integer NOT NULL, -- sales, less cancellations
    total report_amount NOT NULL,
    PRIMARY KEY (tenant_id, customer_id, is_month, day, branch_id)
) WITH (fillfactor = 90);
CREATE INDEX customer_sums_by_day ON customer_sums (tenant_id, is_month, day, customer_id)
    INCLUDE (branch_id, first_day, orders);
-- New customers: the day of each one's first sale.
CREATE INDEX customer_sums_first_days ON customer_sums (tenant_id, day) INCLUDE (customer_id, branch_id)
    WHERE NOT is_month AND day = first_day;

CREATE TABLE method_sums (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    day date NOT NULL,
    branch_id uuid NOT NULL,
    payment_method_id uuid NOT NULL,
    kind payment_kind NOT NULL,
    staff_id uuid NOT NULL, -- who gets a tip
    payments bigint NOT NULL,
    amount report_amount NOT NULL,
    PRIMARY KEY (tenant_id, day, branch_id, payment_method_id, kind, staff_id)
) WITH (fillfactor = 70);

-- What a change of a sale's lines added and took away: they hold only what is true now, and a change counts on its own
-- day. Rows without a time are those of a change that is not finished, in the same transaction.
CREATE TABLE sale_changes (
    tenant_id uuid NOT NULL,
    order_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    tax_rate tax_percent NOT NULL,
    quantity bigint NOT NULL,
    total money_amount NOT NULL,
    tax_amount money_amount NOT NULL,
    discount_amount money_amount NOT NULL,
    created_at timestamptz,
    PRIMARY KEY (tenant_id, order_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE
);

-- The sales that are not summed yet, with their days. An act that makes a sale of a draft, or takes one back, calls
-- sum_sales first, so these are as they were created.
CREATE VIEW unsummed_sales AS
SELECT o.tenant_id, o.id, o.branch_id, o.customer_id, o.source,
    coalesce(CASE WHEN o.created_by_type = 'app' THEN o.created_by_id END, '00000000-0000-0000-0000-000000000000')
        AS client_id,
    d.day
FROM tenant_counters c
JOIN orders o ON o.tenant_id = c.tenant_id AND o.order_number > c.summed
JOIN tenants n ON n.id = o.tenant_id
CROSS JOIN LATERAL (
    SELECT (o.created_at AT TIME ZONE 'UTC' + z.shift)::date AS day FROM time_zone_offsets z
    WHERE z.zone = n.timezone AND z.starts <= o.created_at ORDER BY z.starts DESC LIMIT 1) d
WHERE c.name = 'order_number' AND o.parent_id IS NULL AND o.status NOT IN ('draft', 'canceled');

-- Their lines as they were sold: a change of them counts by itself. Each is there twice, for its day and for its month.
CREATE VIEW unsummed_sale_lines AS
SELECT s.tenant_id, d.is_month, d.day, s.branch_id, s.customer_id, s.source, s.client_id, l.*
FROM unsummed_sales s
CROSS JOIN LATERAL (VALUES (false, s.day), (true, date_trunc('month', s.day::timestamp)::date)) d (is_month, day)
CROSS JOIN LATERAL (
    SELECT coalesce(l.item_id, l.package_id) AS item_id,
        coalesce(l.staff_id, '00000000-0000-0000-0000-000000000000') AS staff_id, l.tax_rate,
        CASE WHEN EXISTS (SELECT FROM order_lines f WHERE f.tenant_id = l.tenant_id AND f.order_id = l.order_id
            AND f.position < l.position) THEN 0 ELSE 1 END AS orders,
        l.quantity::bigint, l.total, l.tax_amount, l.discount_amount
    FROM order_lines l WHERE l.tenant_id = s.tenant_id AND l.order_id = s.id
    UNION ALL
    SELECT c.item_id, c.staff_id, c.tax_rate, 0, -c.quantity, -c.total, -c.tax_amount, -c.discount_amount
    FROM sale_changes c WHERE c.tenant_id = s.tenant_id AND c.order_id = s.id AND c.created_at IS NOT NULL) l;

CREATE VIEW sales_by_item AS
SELECT tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount FROM item_sums
UNION ALL
SELECT tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total::report_amount, tax_amount::report_amount
FROM unsummed_sale_lines;

CREATE VIEW sales_by_source AS
SELECT tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total, tax_amount, discount_amount
FROM source_sums
UNION ALL
SELECT tenant_id, day, branch_id, source, client_id, tax_rate::tax_percent, 'sale'::sale_kind, orders::bigint,
    total::report_amount, tax_amount::report_amount, discount_amount::report_amount
FROM unsummed_sale_lines WHERE NOT is_month;

CREATE VIEW sales_by_customer AS
SELECT tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total FROM customer_sums
UNION ALL
SELECT l.tenant_id, l.customer_id, l.is_month, l.day, l.branch_id, coalesce((
        SELECT f.first_day FROM customer_sums f
        WHERE f.tenant_id = l.tenant_id AND f.customer_id = l.customer_id LIMIT 1),
        min(l.day) FILTER (WHERE NOT l.is_month) OVER (PARTITION BY l.tenant_id, l.customer_id)),
    l.orders, l.total::report_amount
FROM unsummed_sale_lines l WHERE l.customer_id IS NOT NULL;

CREATE VIEW unsummed_payments AS
SELECT t.tenant_id, d.day, o.branch_id, t.payment_method_id,
    CASE WHEN t.amount < 0 THEN 'refund' ELSE 'payment' END AS kind, t.amount
FROM tenant_counters c
JOIN transactions t ON t.tenant_id = c.tenant_id AND t.transaction_no > c.summed
JOIN orders o ON o.tenant_id = t.tenant_id AND o.id = t.order_id
JOIN tenants n ON n.id = t.tenant_id
CROSS JOIN LATERAL (
    SELECT (t.created_at AT TIME ZONE 'UTC' + z.shift)::date AS day FROM time_zone_offsets z
    WHERE z.zone = n.timezone AND z.starts <= t.created_at ORDER BY z.starts DESC LIMIT 1) d
WHERE c.name = 'transaction_no' AND t.status IN ('confirmed', 'refunded');

CREATE VIEW payments_by_method AS
SELECT tenant_id, day, branch_id, payment_method_id, kind, staff_id, payments, amount FROM method_sums
UNION ALL
SELECT tenant_id, day, branch_id, payment_method_id, kind::payment_kind, '00000000-0000-0000-0000-000000000000',
    1::bigint, amount::report_amount
FROM unsummed_payments;

-- The part of the sales that providers earn, each rate from a day on. Of the rates that a sale matches, the one for its
-- provider and item counts, then the one for its item, then the one for its provider, then the one for all.
CREATE TABLE commission_rates (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    staff_id uuid, -- null: all
    item_id uuid, -- null: all
    starts_on date NOT NULL,
    percent numeric(5, 2) NOT NULL CHECK (percent BETWEEN 0 AND 100),
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT commission_rates_one_per_day UNIQUE NULLS NOT DISTINCT (tenant_id, staff_id, item_id, starts_on)
);


-- Events and webhooks

-- Events are inserted in the transaction of the change that they report.
-- `data` is json, not jsonb: it is sent exactly as it was written, and no query looks inside.
CREATE TABLE events (
    tenant_id uuid NOT NULL, -- without a foreign key: every write has one, and tenants are never deleted
    id uuid NOT NULL,
    sequence bigint NOT NULL,
    type text NOT NULL,
    visible_to_client_id uuid, -- null: visible to every client
    actor_id uuid, -- the user, client or key that made the change, for open pages: their own page does not receive it
    -- Who performed the bookings before a change of them; their open pages receive the event too.
    previous_staff_ids uuid[],
    data json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    -- For index-only counts.
    CONSTRAINT events_sequence_unique UNIQUE (tenant_id, sequence) INCLUDE (type, visible_to_client_id)
) WITH (toast_tuple_target = 4080); -- a usual order's document is not compressed, which takes longer than writing it
CREATE INDEX events_by_age ON events USING brin (created_at);

CREATE TABLE webhooks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL CHECK (cardinality(events) > 0),
    secret bytea NOT NULL, -- encrypted, not hashed: it signs requests
    previous_secret bytea,
    previous_secret_until timestamptz,
    disabled_at timestamptz,
    disabled_reason jsonb, -- a kind of webhooks/problems.py with its values
    failing_since timestamptz, -- no delivery has succeeded since then
    paused_until timestamptz, -- from a Retry-After header
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
);
CREATE INDEX webhooks_of_client ON webhooks (tenant_id, client_id);

-- Deliveries are the outbox and the delivery log. Due rows form a queue per webhook, ordered by due_at. A worker claims
-- rows with a lease and loses it when the lease expires; the lease is in no index, so that claiming updates none.
-- queue_webhook_id is only in the queue's index, so that the planner can never scan delivered rows to find due ones.
-- Deliveries of a webhook that must not be called (disabled, application or tenant suspended) are parked, so that a
-- claim does not scan them.
CREATE TABLE webhook_deliveries (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'delivered', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    queue_webhook_id uuid GENERATED ALWAYS AS (CASE WHEN state = 'due' THEN webhook_id END) STORED,
    lease uuid, -- of the claim that is sending it
    leased_until timestamptz,
    parked boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES events ON DELETE CASCADE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (tenant_id, event_id);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (tenant_id, webhook_id, created_at);
CREATE INDEX webhook_deliveries_queued ON webhook_deliveries (tenant_id, queue_webhook_id, due_at, id)
    WHERE queue_webhook_id IS NOT NULL AND NOT parked;
CREATE INDEX webhook_deliveries_parked ON webhook_deliveries (tenant_id, queue_webhook_id, due_at)
    WHERE queue_webhook_id IS NOT NULL AND parked;

CREATE TABLE webhook_attempts (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    attempted_at timestamptz NOT NULL DEFAULT now(),
    milliseconds integer NOT NULL,
    status smallint, -- null when there was no response
    response_body text, -- its first kilobyte
    error text,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_deliveries ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (tenant_id, delivery_id, attempted_at);
CREATE INDEX webhook_attempts_by_age ON webhook_attempts USING brin (attempted_at);


-- Messages

-- Which messages a business sends, and in which words. Without a row the defaults hold.
CREATE TABLE message_settings (
    tenant_id uuid PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
    confirmation boolean NOT NULL DEFAULT true,
    change boolean NOT NULL DEFAULT true,
    cancellation boolean NOT NULL DEFAULT true,
    reminder boolean NOT NULL DEFAULT true,
    for_applications boolean NOT NULL DEFAULT false, -- also about bookings that applications made; reminders always are
    reminder_hours smallint NOT NULL DEFAULT 24 CHECK (reminder_hours BETWEEN 1 AND 168), -- before the start
    -- Minutes of the local day between which no reminder is sent; over midnight where the first is later.
    quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_until smallint CHECK (quiet_until BETWEEN 0 AND 1439),
    texts jsonb NOT NULL DEFAULT '{}', -- kind, language, then "subject", "opening" and "words"; what is missing is ours
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from <> quiet_until)
);

-- What is written to customers. What was sent is kept for 90 days, except where it contains a secret. The row itself is
-- deleted after 400 days.
CREATE TABLE messages (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('confirmation', 'change', 'cancellation', 'reminder', 'waiting_list_offer',
        'receipt', 'contact_code', 'bookings_link')),
    order_id uuid,
    customer_id uuid,
    email text,
    -- Where there is no e-mail address: only an application can send it; both are null after the customer was erased.
    phone text,
    name text,
    language text NOT NULL,
    data jsonb NOT NULL DEFAULT '{}', -- what the order does not say
    secret bytea, -- encrypted: links and codes; removed when the message has been sent
    stop_code text, -- of the link in a reminder that ends them
    once text, -- a second message with the same key is not queued
    -- "kept": there is no mail server; "handled": an application has sent it; "dropped": it was not needed any more.
    -- A message is "sent" at the moment when the mail server gets its end; `answer` is null until the server has
    -- answered.
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'kept', 'handled', 'failed', 'dropped')),
    answer text, -- of the mail server; of a dropped message why: a word of messages/types.py
    handled_by text, -- the application's name
    event_id uuid, -- of the `message.due` that offered it to applications
    offered_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL, -- it is not sent later
    lease uuid, -- of the claim that is sending it
    leased_until timestamptz,
    subject text,
    letter jsonb, -- what was sent, without its form
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    sent_again_at timestamptz, -- as another message
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT messages_once UNIQUE (tenant_id, once),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX messages_due ON messages (due_at) WHERE state = 'due';
CREATE INDEX messages_waiting ON messages (tenant_id, id) WHERE state = 'due' AND answer IS NOT NULL;
CREATE INDEX messages_of_order ON messages (tenant_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX messages_of_customer ON messages (tenant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE UNIQUE INDEX messages_stop_code ON messages (tenant_id, stop_code) WHERE stop_code IS NOT NULL;
CREATE INDEX messages_failed ON messages (tenant_id, id) WHERE state = 'failed' AND sent_again_at IS NULL;
CREATE INDEX messages_sent ON messages (tenant_id, finished_at) WHERE state = 'sent'; -- for the daily limit
CREATE INDEX messages_by_age ON messages USING brin (created_at);

-- How far reminders have been queued: of bookings that start until `starts_until`.
CREATE TABLE reminder_progress (
    tenant_id uuid PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
    starts_until timestamptz NOT NULL,
    checked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX reminder_progress_by_check ON reminder_progress (checked_at);

-- What a member learns of bookings, on the bell and by mail, for each kind: nothing, what customers and applications do
-- ('online'), or all. Without a row the defaults of the role hold (`default_notification`).
CREATE TABLE notification_settings (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    bell_new notification_choice NOT NULL,
    bell_moved notification_choice NOT NULL,
    bell_canceled notification_choice NOT NULL,
    mail_new notification_choice NOT NULL,
    mail_moved notification_choice NOT NULL,
    mail_canceled notification_choice NOT NULL,
    own_only boolean NOT NULL, -- only bookings of the staff member that the user is; always so for a provider
    PRIMARY KEY (tenant_id, user_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES memberships ON DELETE CASCADE
);

-- What a member learned of a booking: a row of the list behind the bell, and a mail that is queued and sent. It holds
-- nothing about the customer: list and mail read the order. Deleted after 90 days.
CREATE TABLE notifications (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL, -- without a foreign key, which would lock the membership in every booking; see delete_member
    order_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('new', 'moved', 'canceled', 'reassigned')), -- reassigned: to another provider
    starts_at timestamptz NOT NULL, -- after the act
    previous_start timestamptz, -- of a booking that was moved
    others smallint NOT NULL DEFAULT 0, -- further dates of a booking that repeats
    changed_by actor_type NOT NULL,
    on_bell boolean NOT NULL,
    seen_at timestamptz, -- when the list was opened: until then it is counted on the bell
    read_at timestamptz, -- when it was opened itself
    -- Of the mail, as in messages; null: none is sent
    state text CHECK (state IN ('due', 'sent', 'kept', 'failed', 'dropped')),
    answer text,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz,
    lease uuid,
    leased_until timestamptz,
    finished_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX notifications_of_user ON notifications (tenant_id, user_id, id) WHERE on_bell;
CREATE INDEX notifications_unseen ON notifications (tenant_id, user_id) WHERE on_bell AND seen_at IS NULL;
CREATE INDEX notifications_of_order ON notifications (tenant_id, order_id);
CREATE INDEX notifications_due ON notifications (due_at) WHERE state = 'due';
CREATE INDEX notifications_by_age ON notifications USING brin (created_at);

-- What is written to people with an account: links to sign in again, proofs of addresses, invitations. It belongs to no
-- business, because a user may be a member of several.
CREATE TABLE account_messages (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('password_reset', 'password_changed', 'email_verification', 'email_changed',
        'sign_up', 'account_exists', 'invitation', 'new_device', 'second_factor_changed')),
    email text NOT NULL,
    name text,
    language text NOT NULL,
    data jsonb NOT NULL DEFAULT '{}',
    secret bytea,
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'kept', 'failed', 'dropped')),
    answer text,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    lease uuid,
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
CREATE INDEX account_messages_due ON account_messages (due_at) WHERE state = 'due';
CREATE INDEX account_messages_newest ON account_messages (created_at);


-- Activity

-- Who changed what. Entries are inserted in the transaction of the change (`record_activity`), with ids that are
-- ordered by time. `before` and `after` hold only the values that differ: `before` is null for what was created,
-- `after` for what was deleted. An entry is never changed, except that `redact_activity` removes what it says about a
-- person. It is deleted after 400 days, or with its tenant. It has no foreign key to tenants, because it outlives what
-- it reports.
CREATE TABLE activity (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    actor_type actor_type NOT NULL,
    actor_id uuid,
    address text,
    action action_name NOT NULL,
    subject_id uuid,
    subject text, -- its name at that time
    before jsonb,
    after jsonb,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX activity_by_age ON activity USING brin (created_at);
CREATE INDEX activity_of_subject ON activity (tenant_id, subject_id, id) WHERE subject_id IS NOT NULL;

CREATE FUNCTION forbid_activity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.subject IS NULL AND NEW.before IS NULL AND NEW.after IS NULL
        AND (NEW.tenant_id, NEW.id, NEW.created_at, NEW.actor_type, NEW.action)
            = (OLD.tenant_id, OLD.id, OLD.created_at, OLD.actor_type, OLD.action)
        AND (NEW.actor_id, NEW.address, NEW.subject_id) IS NOT DISTINCT FROM (OLD.actor_id, OLD.address, OLD.subject_id)
    THEN
        RETURN NEW;
    END IF;
    IF NEW IS NULL AND (OLD.created_at < now() - interval '400 days'
        OR NOT EXISTS (SELECT FROM tenants WHERE id = OLD.tenant_id)) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of activity are never changed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER activity_is_final BEFORE UPDATE OR DELETE ON activity
    FOR EACH ROW EXECUTE FUNCTION forbid_activity_change();
-- Imports

-- An uploaded table. `columns` are the names in its first row, `fields` what each of them becomes ('' if it is
-- left out). While the status is checking, running or undoing, one server process works on it and renews its lease. If
-- that process ends, another one begins the step again: a run is one transaction, so it was never half done.
CREATE TABLE imports (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('customers', 'items', 'staff', 'stock')),
    file_name text NOT NULL,
    status text NOT NULL CHECK (status IN ('checking', 'checked', 'running', 'done', 'failed', 'undoing', 'undone')),
    version integer NOT NULL DEFAULT 1,
    branch_id uuid NOT NULL, -- of new items and staff
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'), -- of phone numbers without a calling code
    columns text[] NOT NULL,
    fields text[] NOT NULL,
    total_rows integer NOT NULL,
    last_row integer NOT NULL, -- the number of the last row; empty rows are counted in it, but not stored
    progress integer NOT NULL DEFAULT 0, -- rows of the current step
    new_rows integer NOT NULL DEFAULT 0,
    changed_rows integer NOT NULL DEFAULT 0,
    same_rows integer NOT NULL DEFAULT 0,
    refused_rows integer NOT NULL DEFAULT 0,
    kept_rows integer NOT NULL DEFAULT 0, -- that could not be undone
    created jsonb NOT NULL DEFAULT '{}', -- tags and categories that the rows need and that do not exist yet
    failure text, -- a kind of imports/problems.py
    actor jsonb NOT NULL,
    created_by uuid NOT NULL,
    has_events boolean NOT NULL DEFAULT false, -- that are still to be published
    lease uuid,
    leased_until timestamptz,
    started_at timestamptz, -- the current step
    written_at timestamptz, -- of every row that the run wrote, so that a later change is noticed
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE
);
CREATE INDEX imports_newest ON imports (tenant_id, created_at);
CREATE INDEX imports_under_way ON imports (tenant_id, id)
    WHERE status IN ('checking', 'running', 'undoing') OR has_events;

CREATE TABLE import_rows (
    tenant_id uuid NOT NULL,
    import_id uuid NOT NULL,
    number integer NOT NULL, -- in the file
    cells text[] NOT NULL,
    PRIMARY KEY (tenant_id, import_id, number),
    FOREIGN KEY (tenant_id, import_id) REFERENCES imports ON DELETE CASCADE
);

-- What each row does, or did. `before` and `after` hold the fields of the record that an import can write. The run
-- prepares an event for each of its rows. They are published after it, in short transactions: all at once would keep
-- the tenant's counter of events locked for seconds.
CREATE TABLE import_outcomes (
    tenant_id uuid NOT NULL,
    import_id uuid NOT NULL,
    number integer NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('new', 'changed', 'same', 'refused')),
    name text NOT NULL,
    detail text,
    reason jsonb, -- why it is refused: a kind of imports/problems.py with its values
    subject_id uuid,
    seen_at timestamptz, -- updated_at of the record when the row was checked
    before jsonb,
    after jsonb,
    event_id uuid,
    event_type text,
    event json,
    undone text CHECK (undone IN ('removed', 'restored', 'used', 'changed')),
    PRIMARY KEY (tenant_id, import_id, number),
    FOREIGN KEY (tenant_id, import_id) REFERENCES imports ON DELETE CASCADE
);
CREATE INDEX import_outcomes_by_outcome ON import_outcomes (tenant_id, import_id, outcome, number);
CREATE INDEX import_outcomes_of_subject ON import_outcomes (tenant_id, subject_id) WHERE subject_id IS NOT NULL;


-- Idempotency

-- The response of a write request, stored in the same transaction, so that a retry returns it and writes nothing.
CREATE TABLE idempotency_records (
    tenant_id uuid NOT NULL, -- without a foreign key: every write has one, and tenants are never deleted
    caller_id uuid NOT NULL, -- the API client or the API key
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    body bytea NOT NULL,
    secret bytea, -- encrypted; it is added to the body
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, caller_id, key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);


-- Distribution over the nodes of a Citus cluster

-- A later migration calls it for each table that it creates, before it adds foreign keys. Without Citus, and before
-- `frontdesk distribute`, it does nothing.
CREATE FUNCTION distribute_table(p_table regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF to_regclass('pg_dist_partition') IS NULL THEN
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'tenants'::regclass) THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = p_table AND attname = 'tenant_id' AND attnotnull) THEN
        PERFORM create_distributed_table(p_table, 'tenant_id', colocate_with => 'tenants');
    ELSE
        PERFORM create_reference_table(p_table);
    END IF;
END $$;
