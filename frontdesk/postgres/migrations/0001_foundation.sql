-- Who owns what: every table of a business carries tenant_id in its primary key, in every foreign key and in
-- every unique constraint, so one business can never refer to another's row and the tables can be spread by tenant.
-- The few that belong to nobody: plans, users, applications, application_scopes, payment_method_types, throttles.

-- A range over uuid gives GiST an equality on uuid without any contrib extension.
CREATE TYPE uuidrange AS RANGE (subtype = uuid);

-- Money: at most twelve digits before the point and three behind it, never NaN or infinite.
CREATE DOMAIN money_amount AS numeric(15, 3) CHECK (VALUE <> 'NaN');

-- The published form of a moment: UTC, always six digits of fraction.
CREATE FUNCTION utc_text(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

CREATE TABLE plans (
    code text PRIMARY KEY,
    name text NOT NULL,
    open_api boolean NOT NULL
);
INSERT INTO plans (code, name, open_api) VALUES
    ('starter', 'Starter', false),
    ('professional', 'Professional', true);

CREATE TABLE tenants (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL REFERENCES plans,
    open_api boolean NOT NULL, -- as the plan says; kept here because every request asks
    timezone text NOT NULL,
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    currency_decimals smallint NOT NULL CHECK (currency_decimals BETWEEN 0 AND 3),
    languages text[] NOT NULL CHECK (cardinality(languages) > 0),
    grid_minutes smallint NOT NULL DEFAULT 15 CHECK (grid_minutes BETWEEN 1 AND 1440),
    tax_rate numeric(5, 2) NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 100),
    tax_registration_number text CHECK (tax_registration_number ~ '^[0-9]{15}$'),
    is_sandbox boolean NOT NULL DEFAULT false,
    suspended_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION follow_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.open_api := coalesce((SELECT open_api FROM plans WHERE code = NEW.plan), false);
    RETURN NEW;
END $$;
CREATE TRIGGER tenants_follow_plan BEFORE INSERT OR UPDATE ON tenants FOR EACH ROW EXECUTE FUNCTION follow_plan();

CREATE FUNCTION lead_tenants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tenants SET plan = plan WHERE plan = NEW.code;
    RETURN NULL;
END $$;
CREATE TRIGGER plans_lead_tenants AFTER UPDATE ON plans FOR EACH ROW EXECUTE FUNCTION lead_tenants();

-- Gap-free numbers (orders, transactions, invoices, events) and the row totals of lists, so that a list's `total`
-- is one row read whatever the table holds. `moment` is when the last number was given: it never runs backward, so
-- that numbers and creation times sort alike even where the machine's clock is set back.
CREATE TABLE tenant_counters (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name text NOT NULL,
    value bigint NOT NULL CHECK (value >= 0),
    moment timestamptz,
    PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 50);

CREATE FUNCTION count_inserted_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tenant_counters AS c (tenant_id, name, value)
    SELECT tenant_id, 'rows:' || TG_TABLE_NAME, count(*) FROM changed GROUP BY tenant_id ORDER BY tenant_id
    ON CONFLICT (tenant_id, name) DO UPDATE SET value = c.value + excluded.value;
    RETURN NULL;
END $$;

CREATE FUNCTION count_deleted_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tenant_counters c SET value = c.value - gone.n
    FROM (SELECT tenant_id, count(*) AS n FROM changed GROUP BY tenant_id) gone
    WHERE c.tenant_id = gone.tenant_id AND c.name = 'rows:' || TG_TABLE_NAME;
    RETURN NULL;
END $$;

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL CHECK (email = lower(email)),
    name text NOT NULL,
    password_hash text,
    language text NOT NULL DEFAULT 'en',
    is_operator boolean NOT NULL DEFAULT false,
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_email_taken UNIQUE (email)
);

CREATE TABLE memberships (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'manager', 'staff', 'cashier')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

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
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT branches_slug_taken UNIQUE (tenant_id, slug)
);

CREATE TABLE staff (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name text NOT NULL,
    name_search text NOT NULL,
    phone text,
    phone_country text CHECK (phone_country ~ '^[A-Z]{2}$'),
    email text,
    image text,
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE
);
CREATE INDEX staff_by_name ON staff (tenant_id, name_search COLLATE "C", id);
CREATE INDEX staff_by_branch ON staff (tenant_id, branch_id);

-- A person who sells at the till: known by a name and a code, with no sign-in of their own.
CREATE TABLE cashiers (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    CONSTRAINT cashiers_code_taken UNIQUE (tenant_id, code)
);

-- Working hours belong to a branch or to one member of staff; of several the default one counts.
CREATE TABLE working_hours (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    branch_id uuid,
    staff_id uuid,
    is_default boolean NOT NULL DEFAULT true,
    all_time boolean NOT NULL DEFAULT false,
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE,
    CHECK (num_nonnulls(branch_id, staff_id) = 1)
);
CREATE UNIQUE INDEX working_hours_of_branch ON working_hours (tenant_id, branch_id) WHERE is_default AND branch_id IS NOT NULL;
CREATE UNIQUE INDEX working_hours_of_staff ON working_hours (tenant_id, staff_id) WHERE is_default AND staff_id IS NOT NULL;

-- Minutes of the local day; closing at or before opening means past midnight, and midnight itself is minute 0.
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

CREATE TABLE closed_days (
    tenant_id uuid NOT NULL,
    branch_id uuid NOT NULL,
    day date NOT NULL,
    note text,
    PRIMARY KEY (tenant_id, branch_id, day),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE
);

CREATE TABLE time_off (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    staff_id uuid NOT NULL,
    during tstzrange NOT NULL CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during)),
    note text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE
);
CREATE INDEX time_off_of_staff ON time_off (tenant_id, staff_id, upper(during));

CREATE TABLE categories (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    name jsonb NOT NULL,
    slug text NOT NULL,
    description jsonb,
    status boolean NOT NULL DEFAULT true,
    sort_order integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    CONSTRAINT categories_slug_taken UNIQUE (tenant_id, slug)
);
CREATE INDEX categories_in_order ON categories (tenant_id, sort_order, id);

CREATE TABLE items (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    branch_id uuid NOT NULL,
    category_id uuid,
    type text NOT NULL CHECK (type IN ('service', 'product')),
    sku text,
    name jsonb NOT NULL,
    name_search text NOT NULL,
    slug text NOT NULL,
    description jsonb,
    html_description jsonb,
    status boolean NOT NULL DEFAULT true,
    price money_amount NOT NULL CHECK (price >= 0),
    offer_price money_amount CHECK (offer_price >= 0),
    duration integer CHECK (duration BETWEEN 1 AND 1440),
    cost money_amount CHECK (cost >= 0),
    stock integer CONSTRAINT items_stock_short CHECK (stock >= 0),
    sort_order integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, category_id) REFERENCES categories,
    CONSTRAINT items_slug_taken UNIQUE (tenant_id, slug),
    CONSTRAINT items_sku_taken UNIQUE (tenant_id, sku),
    CHECK ((type = 'service') = (duration IS NOT NULL)),
    CHECK ((type = 'product') = (stock IS NOT NULL)),
    CHECK (type = 'product' OR cost IS NULL)
);
CREATE INDEX items_in_order ON items (tenant_id, sort_order, id);
CREATE INDEX items_by_category ON items (tenant_id, category_id);
CREATE TRIGGER count_inserted AFTER INSERT ON items
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_rows();
CREATE TRIGGER count_deleted AFTER DELETE ON items
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_rows();

-- An option is one variant of an item; its values say what makes it different ("Size: large").
CREATE TABLE item_options (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    name text NOT NULL,
    price money_amount NOT NULL CHECK (price >= 0),
    offer_price money_amount CHECK (offer_price >= 0),
    is_active boolean NOT NULL DEFAULT true,
    duration integer CHECK (duration BETWEEN 1 AND 1440),
    quantity integer CONSTRAINT item_options_stock_short CHECK (quantity >= 0),
    sort_order integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE
);
CREATE INDEX item_options_of_item ON item_options (tenant_id, item_id, sort_order, id);

CREATE TABLE option_values (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    option_name text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT option_values_taken UNIQUE (tenant_id, item_id, option_name, value)
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
    status boolean NOT NULL DEFAULT true,
    price money_amount NOT NULL CHECK (price >= 0),
    offer_price money_amount CHECK (offer_price >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches ON DELETE CASCADE,
    CONSTRAINT packages_slug_taken UNIQUE (tenant_id, slug)
);

CREATE TABLE package_items (
    tenant_id uuid NOT NULL,
    package_id uuid NOT NULL,
    item_id uuid NOT NULL,
    quantity integer NOT NULL CHECK (quantity >= 1),
    PRIMARY KEY (tenant_id, package_id, item_id),
    FOREIGN KEY (tenant_id, package_id) REFERENCES packages ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items ON DELETE CASCADE
);

-- Who performs which service, at an own price and duration where they differ from the service's.
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

CREATE TABLE customers (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    first_name text NOT NULL,
    last_name text,
    name_search text NOT NULL, -- "first last", case folded by the service, so that no collation is relied on
    email text,
    phone text,
    phone_country text CHECK (phone_country ~ '^[A-Z]{2}$'),
    phone_digits text GENERATED ALWAYS AS (regexp_replace(phone, '[^0-9]', '', 'g')) STORED,
    type text NOT NULL DEFAULT 'individual' CHECK (type IN ('individual', 'company')),
    city text,
    address text,
    note text,
    blocked boolean NOT NULL DEFAULT false,
    tax_registration_number text CHECK (tax_registration_number ~ '^[0-9]{15}$'),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT customers_phone_taken UNIQUE (tenant_id, phone_digits)
);
CREATE INDEX customers_newest ON customers (tenant_id, created_at, id);
CREATE INDEX customers_by_email ON customers (tenant_id, lower(email));
CREATE TRIGGER count_inserted AFTER INSERT ON customers
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_rows();
CREATE TRIGGER count_deleted AFTER DELETE ON customers
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_rows();

CREATE TABLE tags (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    model text NOT NULL CHECK (model = 'customers'),
    name text NOT NULL,
    name_folded text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT tags_name_taken UNIQUE (tenant_id, model, name_folded)
);

CREATE TABLE customer_tags (
    tenant_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    tag_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, customer_id, tag_id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tag_id) REFERENCES tags ON DELETE CASCADE
);
CREATE INDEX customer_tags_of_tag ON customer_tags (tenant_id, tag_id);

-- Applications of other people, and the businesses that let them in.
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
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT applications_slug_taken UNIQUE (slug)
);

CREATE TABLE application_scopes (
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    scope text NOT NULL,
    reason text NOT NULL,
    required boolean NOT NULL,
    PRIMARY KEY (application_id, scope)
);

CREATE TABLE installs (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    application_id uuid NOT NULL REFERENCES applications,
    installed_by uuid REFERENCES users,
    installed_at timestamptz NOT NULL DEFAULT now(),
    disconnected_at timestamptz,
    PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX installs_one_living ON installs (tenant_id, application_id) WHERE disconnected_at IS NULL;

-- scopes is what the business approves *now*: a token carries no right of its own beyond it. A token made under an
-- earlier secret dies with the rotation, unless the old secret was left good for a while.
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
    disconnected_at timestamptz, -- as its install says; kept here because every request asks
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, install_id) REFERENCES installs ON DELETE CASCADE
);

CREATE FUNCTION lead_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE api_clients SET disconnected_at = NEW.disconnected_at WHERE tenant_id = NEW.tenant_id AND install_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER installs_lead_clients AFTER UPDATE ON installs FOR EACH ROW EXECUTE FUNCTION lead_clients();

-- scopes is the subset that was asked for, null for everything approved.
CREATE TABLE access_tokens (
    tenant_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    client_id uuid NOT NULL,
    secret_version integer NOT NULL,
    scopes text[],
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    PRIMARY KEY (tenant_id, token_hash),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
);
CREATE INDEX access_tokens_of_client ON access_tokens (tenant_id, client_id);

CREATE TABLE api_keys (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    key_hash bytea NOT NULL,
    name text NOT NULL,
    branch_id uuid,
    rate_limit integer CHECK (rate_limit >= 1),
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    CONSTRAINT api_keys_hash_taken UNIQUE (tenant_id, key_hash)
);

-- A sliding minute of one caller, exact: the requests of one clock second make one run, which counts until sixty
-- seconds after its last request. Not logged: a crash forgets at most one minute of counting.
CREATE UNLOGGED TABLE rate_windows (
    tenant_id uuid NOT NULL,
    caller_id uuid NOT NULL,
    run_ends timestamptz[] NOT NULL,
    run_sizes integer[] NOT NULL,
    used integer NOT NULL,
    refused_until timestamptz,
    PRIMARY KEY (tenant_id, caller_id)
) WITH (fillfactor = 40);

-- The same window for callers whose business is not proven yet: guesses at secrets, by client id and by address.
CREATE UNLOGGED TABLE throttles (
    subject bytea PRIMARY KEY,
    run_ends timestamptz[] NOT NULL,
    run_sizes integer[] NOT NULL,
    used integer NOT NULL,
    refused_until timestamptz
) WITH (fillfactor = 40);

CREATE TYPE rate_state AS (run_ends timestamptz[], run_sizes integer[], used integer, refused_until timestamptz);

-- Spends one request of `most` a minute, if one is left. It reads the clock itself, when the row's lock is already
-- held, so that two callers can never both see the last request free.
CREATE FUNCTION spend_rate(state rate_state, most integer) RETURNS rate_state LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    over timestamptz := moment - interval '1 minute';
    last integer;
BEGIN
    WHILE state.run_ends[1] <= over LOOP
        state.used := state.used - state.run_sizes[1];
        state.run_ends := state.run_ends[2:];
        state.run_sizes := state.run_sizes[2:];
    END LOOP;
    IF state.used >= most THEN
        state.refused_until := state.run_ends[1] + interval '1 minute';
        RETURN state;
    END IF;
    last := cardinality(state.run_ends);
    state.used := state.used + 1;
    state.refused_until := NULL;
    IF date_trunc('second', moment) = date_trunc('second', state.run_ends[last]) THEN
        state.run_ends[last] := moment;
        state.run_sizes[last] := state.run_sizes[last] + 1;
    ELSE
        state.run_ends[last + 1] := moment;
        state.run_sizes[last + 1] := 1;
    END IF;
    RETURN state;
END $$;
