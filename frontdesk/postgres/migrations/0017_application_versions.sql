-- Versions of applications. The record in applications is what the developer edits. Submitting it freezes a version; an
-- operator decides about that version, and businesses see and install the last approved one.
CREATE TABLE application_versions (
    application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    version integer NOT NULL CHECK (version > 0),
    listing jsonb NOT NULL, -- name, description, links, scopes, webhook, payment methods, pictures
    submitted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (application_id, version)
);

-- submitted_version is what an operator decides about; approved_version is what businesses see. An application that was
-- made for sandboxes is offered to no other business and is not reviewed; there is at most one.
ALTER TABLE applications
    ADD COLUMN submitted_version integer,
    ADD COLUMN approved_version integer,
    ADD COLUMN for_sandboxes boolean NOT NULL DEFAULT false,
    ADD FOREIGN KEY (id, submitted_version) REFERENCES application_versions (application_id, version),
    ADD FOREIGN KEY (id, approved_version) REFERENCES application_versions (application_id, version);
CREATE UNIQUE INDEX applications_one_for_sandboxes ON applications (for_sandboxes) WHERE for_sandboxes;

-- A picture that the developer removes stays while a version that can still be seen shows it.
ALTER TABLE application_pictures ADD COLUMN removed_at timestamptz;

-- The version that the business accepted; null in the sandbox of the developer, which has the record itself.
ALTER TABLE installs ADD COLUMN version integer;

-- Which version a decision was about.
ALTER TABLE application_reviews ADD COLUMN version integer;

-- Applications from before: what was approved, or waits, becomes version 1. Of what was changed after its approval only
-- the scopes were stored as they were approved.
INSERT INTO application_versions (application_id, version, listing, submitted_at)
SELECT a.id, 1, jsonb_build_object(
           'name', a.name, 'description', a.description, 'links', a.links,
           'scopes', coalesce(a.reviewed_scopes, (
               SELECT coalesce(jsonb_agg(jsonb_build_object('scope', s.scope, 'reason', s.reason, 'required', s.required)
                                         ORDER BY s.scope), '[]')
               FROM application_scopes s WHERE s.application_id = a.id)),
           'webhook_url', a.webhook_url, 'webhook_events', a.webhook_events, 'payment_methods', a.payment_methods,
           'pictures', (
               SELECT coalesce(jsonb_agg(jsonb_build_object(
                          'id', p.id, 'role', p.role, 'width', p.width, 'height', p.height,
                          'alternative', p.alternative) ORDER BY p.created_at), '[]')
               FROM application_pictures p WHERE p.application_id = a.id)),
       coalesce(a.submitted_at, a.created_at)
FROM applications a WHERE a.approved_at IS NOT NULL OR a.status = 'in_review';
UPDATE applications a SET approved_version = CASE WHEN a.approved_at IS NOT NULL THEN 1 END, submitted_version = 1
WHERE a.approved_at IS NOT NULL OR a.status = 'in_review';
-- One that waits after an earlier approval waits with what its record says now.
INSERT INTO application_versions (application_id, version, listing, submitted_at)
SELECT a.id, 2, v.listing || jsonb_build_object('scopes', (
           SELECT coalesce(jsonb_agg(jsonb_build_object('scope', s.scope, 'reason', s.reason, 'required', s.required)
                                     ORDER BY s.scope), '[]')
           FROM application_scopes s WHERE s.application_id = a.id)), coalesce(a.submitted_at, a.created_at)
FROM applications a JOIN application_versions v ON v.application_id = a.id
WHERE a.status = 'in_review' AND a.approved_version = 1;
UPDATE applications SET submitted_version = 2 WHERE status = 'in_review' AND approved_version = 1;
UPDATE applications a SET for_sandboxes = true FROM users u
WHERE u.id = a.developer_id AND u.email = 'developers@mizan-pay.example' AND u.password_hash IS NULL
  AND a.slug = 'mizan-pay';
UPDATE installs i SET version = 1 FROM applications a
WHERE a.id = i.application_id AND a.approved_version = 1 AND i.tenant_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM developers d WHERE d.user_id = a.developer_id AND d.sandbox_id = i.tenant_id);
ALTER TABLE applications DROP COLUMN reviewed_scopes;
