-- Refunds by amount, and a credit note for each refund of an order that has an invoice.

-- How many pieces of the sold line a refund line returns. A refund of money alone returns none, and a deposit given back
-- with products returned is less than their price, so this does not follow from the quantity.
ALTER TABLE order_lines ADD COLUMN returned integer NOT NULL DEFAULT 0 CHECK (returned >= 0);
UPDATE order_lines SET returned = -quantity WHERE parent_line_id IS NOT NULL;
ALTER TABLE order_lines ADD CONSTRAINT order_lines_only_refunds_return CHECK (parent_line_id IS NOT NULL OR returned = 0);

-- A credit note takes back a part of an invoice, or all of it. Like the invoice it stores a copy of what it shows.
CREATE TABLE credit_notes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    credit_note_number bigint NOT NULL,
    invoice_id uuid NOT NULL,
    order_id uuid NOT NULL, -- the refund's own order
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
    CONSTRAINT credit_notes_number_taken UNIQUE (tenant_id, credit_note_number),
    CONSTRAINT credit_notes_one_per_refund UNIQUE (tenant_id, order_id)
);
CREATE INDEX credit_notes_of_invoice ON credit_notes (tenant_id, invoice_id);
CREATE TRIGGER credit_notes_are_final BEFORE UPDATE OR DELETE ON credit_notes
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
