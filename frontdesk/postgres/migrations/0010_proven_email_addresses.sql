-- An e-mail address counts for an account once it is proven: by a link that only the address's owner was handed. An
-- account may claim an address that it has not proven, but that keeps nobody else from proving it.
ALTER TABLE users
    ADD COLUMN email_verified_at timestamptz,
    ADD COLUMN email_proof_hash bytea, -- of the link that proves it, while one is open
    ADD COLUMN email_proof_until timestamptz;

-- So far only developers signed up by themselves. All others were made by an operator or came by an invitation.
UPDATE users u SET email_verified_at = created_at
WHERE NOT EXISTS (SELECT FROM developers d WHERE d.user_id = u.id)
   OR EXISTS (SELECT FROM memberships m JOIN tenants n ON n.id = m.tenant_id WHERE m.user_id = u.id AND NOT n.is_sandbox);

ALTER TABLE users DROP CONSTRAINT users_email_taken;
CREATE UNIQUE INDEX users_proven_email ON users (email) WHERE email_verified_at IS NOT NULL;
CREATE UNIQUE INDEX users_claimed_email ON users (email) WHERE email_verified_at IS NULL;
CREATE UNIQUE INDEX users_email_proof ON users (email_proof_hash) WHERE email_proof_hash IS NOT NULL;

CREATE INDEX invitations_of_sender ON invitations (tenant_id, invited_by) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;
