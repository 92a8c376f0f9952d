-- A day, once closed, is stored. What happens later belongs to a later day.

CREATE TABLE day_closes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    close_number bigint NOT NULL,
    branch_id uuid NOT NULL,
    day date NOT NULL, -- of the business's calendar
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL, -- the end of the day, or the moment of closing where that came first
    currency text NOT NULL,
    cashiers jsonb NOT NULL, -- the totals per cashier and payment method, as published
    closed_by_type text NOT NULL CHECK (closed_by_type IN ('app', 'key', 'user', 'system')),
    closed_by_id uuid,
    closed_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, branch_id) REFERENCES branches,
    CONSTRAINT day_closes_number_taken UNIQUE (tenant_id, close_number),
    CONSTRAINT day_closes_one_per_day UNIQUE (tenant_id, branch_id, day),
    CHECK (starts_at <= ends_at AND ends_at <= closed_at)
);
CREATE TRIGGER day_closes_are_final BEFORE UPDATE OR DELETE ON day_closes
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The changes of a day, for its totals.
CREATE INDEX order_status_history_by_time ON order_status_history (tenant_id, created_at);
