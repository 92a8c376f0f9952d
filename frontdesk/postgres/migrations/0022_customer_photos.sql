-- migration: expand
-- Photos of customers, before and after, with the consent to take and keep them (decision 134). Their pictures are
-- private: the address that serves pictures to anyone does not know them.
ALTER TABLE pictures ADD COLUMN is_private boolean NOT NULL DEFAULT false;

-- A customer has given it if a row is not withdrawn. It is no consent to marketing, so not in customer_consents.
CREATE TABLE photo_consents (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    how text NOT NULL CHECK (how IN ('in_person', 'phone', 'written', 'online')),
    given_at timestamptz NOT NULL DEFAULT now(),
    recorded_by uuid,
    withdrawn_at timestamptz,
    withdrawn_by uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX photo_consents_of_customer ON photo_consents (tenant_id, customer_id, given_at);
CREATE TABLE customer_photos (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    picture_id uuid NOT NULL,
    shows text NOT NULL CHECK (shows IN ('before', 'after')),
    taken_on date NOT NULL,
    note text,
    author_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX customer_photos_of_customer ON customer_photos (tenant_id, customer_id, taken_on);
SELECT distribute_table('photo_consents');
SELECT distribute_table('customer_photos');
ALTER TABLE photo_consents
    ADD FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE,
    ADD FOREIGN KEY (recorded_by) REFERENCES users ON DELETE SET NULL,
    ADD FOREIGN KEY (withdrawn_by) REFERENCES users ON DELETE SET NULL;
ALTER TABLE customer_photos
    ADD FOREIGN KEY (tenant_id, customer_id) REFERENCES customers ON DELETE CASCADE,
    ADD FOREIGN KEY (tenant_id, picture_id) REFERENCES pictures,
    ADD FOREIGN KEY (author_id) REFERENCES users ON DELETE SET NULL;
