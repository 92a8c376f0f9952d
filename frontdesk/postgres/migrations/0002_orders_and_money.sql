-- Payment methods, orders with their lines, history and bookings, invoices, refunds, transactions.

-- The published form of a moment in the business's own time: ISO 8601 with the offset that held then.
-- One expression without FROM, so that it is written into the statement: a call would cost four times as much.
CREATE FUNCTION local_text(moment timestamptz, zone text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN to_char(moment AT TIME ZONE zone, 'YYYY-MM-DD"T"HH24:MI:SS')
    || CASE WHEN moment AT TIME ZONE zone < moment AT TIME ZONE 'UTC' THEN '-' ELSE '+' END
    || to_char(greatest(moment AT TIME ZONE zone - moment AT TIME ZONE 'UTC',
                        moment AT TIME ZONE 'UTC' - moment AT TIME ZONE zone), 'HH24:MI');

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

-- A method with an install was brought by that application and is unusable once it is disconnected.
CREATE TABLE payment_methods (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL REFERENCES payment_method_types,
    install_id uuid,
    name jsonb NOT NULL,
    slug text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, install_id) REFERENCES installs,
    CONSTRAINT payment_methods_slug_taken UNIQUE (tenant_id, slug)
);

-- What an order's money amounts to, from what was paid and given back. The only place where this is decided.
CREATE FUNCTION payment_status(total numeric, paid numeric, refunded numeric) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN refunded > 0 AND refunded >= paid THEN 'refunded'
    WHEN refunded > 0 THEN 'partially_refunded'
    WHEN paid >= total THEN 'paid'
    WHEN paid > 0 THEN 'partially_paid'
    ELSE 'unpaid'
END;

-- A refund is an order of its own under the sale: negative amounts, its own number.
CREATE TABLE orders (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    order_number bigint NOT NULL,
    parent_id uuid,
    branch_id uuid NOT NULL,
    customer_id uuid,
    status text NOT NULL CHECK (status IN ('draft', 'confirmed', 'in-progress', 'completed', 'canceled')),
    source text NOT NULL CHECK (source IN ('api', 'pos', 'dashboard', 'online')),
    currency text NOT NULL,
    sub_total money_amount NOT NULL,
    discount_amount money_amount NOT NULL,
    total money_amount NOT NULL,
    paid_amount money_amount NOT NULL DEFAULT 0,
    refunded_amount money_amount NOT NULL DEFAULT 0,
    discount jsonb, -- the till's discount as it was asked for
    starts_at timestamptz,
    note text,
    cashier text,
    cashier_code text,
    created_by_type text NOT NULL CHECK (created_by_type IN ('app', 'key', 'user', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES orders,
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
    CONSTRAINT orders_number_taken UNIQUE (tenant_id, order_number),
    CHECK (parent_id IS NOT NULL OR (total >= 0 AND discount_amount >= 0 AND paid_amount <= total)),
    CHECK (parent_id IS NULL OR total <= 0),
    CHECK (refunded_amount >= 0 AND refunded_amount <= greatest(paid_amount, 0))
);
CREATE INDEX orders_by_time ON orders (tenant_id, created_at, order_number);
CREATE INDEX orders_by_status ON orders (tenant_id, status, order_number);
CREATE INDEX orders_of_customer ON orders (tenant_id, customer_id, created_at);
CREATE INDEX orders_of_parent ON orders (tenant_id, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE order_lines (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    position smallint NOT NULL,
    parent_line_id uuid, -- the sold line that a refund line gives back
    type text NOT NULL CHECK (type IN ('service', 'product', 'package')),
    item_id uuid,
    package_id uuid,
    option_ids uuid[] NOT NULL DEFAULT '{}',
    staff_id uuid,
    name text NOT NULL,
    price money_amount NOT NULL CHECK (price >= 0),
    quantity integer NOT NULL CHECK (quantity <> 0),
    discount_amount money_amount NOT NULL,
    total money_amount NOT NULL,
    apply_discount boolean NOT NULL DEFAULT false,
    duration integer CHECK (duration >= 1), -- of the whole line, in minutes
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, parent_line_id) REFERENCES order_lines,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items,
    FOREIGN KEY (tenant_id, package_id) REFERENCES packages,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff,
    CONSTRAINT order_lines_position_taken UNIQUE (tenant_id, order_id, position),
    CHECK (num_nonnulls(item_id, package_id) = 1 AND (type = 'package') = (package_id IS NOT NULL)),
    CHECK (total = price * quantity - discount_amount),
    CHECK ((parent_line_id IS NULL AND quantity >= 1 AND discount_amount >= 0 AND total >= 0)
        OR (parent_line_id IS NOT NULL AND quantity <= -1 AND discount_amount <= 0 AND total <= 0))
);

CREATE INDEX order_lines_of_parent ON order_lines (tenant_id, parent_line_id) WHERE parent_line_id IS NOT NULL;

-- What each line took from stock, so that giving it back needs no look at what a package holds today.
CREATE TABLE order_line_stock (
    tenant_id uuid NOT NULL,
    order_id uuid NOT NULL,
    line_id uuid NOT NULL,
    item_id uuid NOT NULL,
    pieces integer NOT NULL CHECK (pieces >= 1), -- for one unit of the line's quantity
    PRIMARY KEY (tenant_id, order_id, line_id, item_id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items
);

CREATE TABLE order_status_history (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    from_status text,
    to_status text NOT NULL,
    note text,
    changed_by_type text NOT NULL CHECK (changed_by_type IN ('app', 'key', 'user', 'system')),
    changed_by_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE
);
CREATE INDEX order_status_history_of_order ON order_status_history (tenant_id, order_id, created_at);

-- One booking per service line. The exclusion is the last line of defence against selling a provider's time twice,
-- whoever writes; a canceled booking is not live and stands in nobody's way.
CREATE TABLE bookings (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    line_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    item_id uuid NOT NULL,
    reference text NOT NULL,
    during tstzrange NOT NULL
        CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during) AND lower_inc(during) AND NOT upper_inc(during))
        CHECK (extract(second FROM lower(during)) = 0 AND extract(second FROM upper(during)) = 0),
    live boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff,
    FOREIGN KEY (tenant_id, item_id) REFERENCES items,
    CONSTRAINT bookings_one_per_line UNIQUE (tenant_id, line_id),
    CONSTRAINT bookings_reference_taken UNIQUE (tenant_id, reference),
    CONSTRAINT bookings_no_overlap EXCLUDE USING gist (uuidrange(staff_id, staff_id, '[]') WITH =, during WITH &&) WHERE (live)
);
CREATE INDEX bookings_of_order ON bookings (tenant_id, order_id);
CREATE INDEX bookings_of_staff ON bookings (tenant_id, staff_id, lower(during)) WHERE live;

-- The taken minutes of a provider per UTC day, so that the availability of many providers over many days reads one
-- short row per provider and day whatever the number of bookings. Bit 1440 - m is minute m. Kept by the trigger below
-- alone; since live bookings of one provider never overlap, freeing one frees exactly its own minutes.
CREATE TABLE staff_busy_days (
    tenant_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    day date NOT NULL,
    minutes bit(1440) NOT NULL,
    PRIMARY KEY (tenant_id, staff_id, day),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES staff ON DELETE CASCADE
) WITH (fillfactor = 70);

CREATE FUNCTION mark_busy(tenant uuid, provider uuid, period tstzrange, taken boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first timestamp := lower(period) AT TIME ZONE 'UTC';
    last timestamp := upper(period) AT TIME ZONE 'UTC';
    on_day date := first::date;
    opens integer;
    closes integer;
    marks bit(1440);
BEGIN
    WHILE on_day < last LOOP
        opens := greatest(0, extract(epoch FROM first - on_day) / 60);
        closes := least(1440, extract(epoch FROM last - on_day) / 60);
        marks := ~B'0'::bit(1440) << (1440 - closes + opens) >> (1440 - closes);
        IF taken THEN
            INSERT INTO staff_busy_days AS d (tenant_id, staff_id, day, minutes) VALUES (tenant, provider, on_day, marks)
            ON CONFLICT (tenant_id, staff_id, day) DO UPDATE SET minutes = d.minutes | excluded.minutes;
        ELSE
            UPDATE staff_busy_days SET minutes = minutes & ~marks
            WHERE tenant_id = tenant AND staff_id = provider AND day = on_day;
        END IF;
        on_day := on_day + 1;
    END LOOP;
END $$;

CREATE FUNCTION follow_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.live THEN
        PERFORM mark_busy(OLD.tenant_id, OLD.staff_id, OLD.during, false);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.live THEN
        PERFORM mark_busy(NEW.tenant_id, NEW.staff_id, NEW.during, true);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER busy_minutes AFTER INSERT OR UPDATE OF staff_id, during, live OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION follow_booking();

CREATE TABLE transactions (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    transaction_no bigint NOT NULL,
    order_id uuid NOT NULL,
    payment_method_id uuid NOT NULL,
    refund_of_id uuid, -- the payment that a refund gives back
    amount money_amount NOT NULL CHECK (amount <> 0),
    tendered_amount money_amount,
    currency text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'confirmed', 'refused', 'canceled', 'refunded')),
    is_deposit boolean NOT NULL DEFAULT false,
    note text,
    reference_number text,
    cashier text,
    cashier_code text,
    date timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_methods,
    FOREIGN KEY (tenant_id, refund_of_id) REFERENCES transactions,
    CONSTRAINT transactions_number_taken UNIQUE (tenant_id, transaction_no),
    CHECK ((refund_of_id IS NULL) = (amount > 0)),
    CHECK (tendered_amount >= amount)
);
CREATE INDEX transactions_by_time ON transactions (tenant_id, created_at, transaction_no);
CREATE INDEX transactions_by_status ON transactions (tenant_id, status, transaction_no);
CREATE INDEX transactions_of_order ON transactions (tenant_id, order_id);

-- An invoice keeps its own copy of everything it shows, because what it shows may never change again.
CREATE TABLE invoices (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    invoice_number bigint NOT NULL,
    order_id uuid NOT NULL,
    seller jsonb NOT NULL,
    buyer jsonb,
    lines jsonb NOT NULL,
    currency text NOT NULL,
    tax_rate numeric(5, 2) NOT NULL,
    tax_amount money_amount NOT NULL,
    total money_amount NOT NULL,
    qr text NOT NULL,
    issued_by uuid,
    issued_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
    CONSTRAINT invoices_number_taken UNIQUE (tenant_id, invoice_number),
    CONSTRAINT invoices_one_per_order UNIQUE (tenant_id, order_id)
);

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

-- What an invoice says is final, whoever tries.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER invoices_are_final BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
