-- Accounts and invitations are found by one canonical spelling of an e-mail address, which the service computes (NFKC,
-- case folded before the @). The database no longer lowers anything: two lower-casings that differ let one account be
-- addressed under two names.
ALTER TABLE users DROP CONSTRAINT users_email_check;
ALTER TABLE invitations DROP CONSTRAINT invitations_email_check;

-- What was stored so far is lower case already. Case folding differs from that for two letters that occur.
CREATE FUNCTION pg_temp.canonical(email text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT translate(replace(lower(normalize(split_part(email, '@', 1), NFKC)), 'ß', 'ss'), 'ς', 'σ')
           || '@' || split_part(email, '@', 2)
$$;
UPDATE invitations SET email = pg_temp.canonical(email)
WHERE email ~ '[^[:ascii:]]' AND email <> pg_temp.canonical(email);
UPDATE users u SET email = pg_temp.canonical(email)
WHERE email ~ '[^[:ascii:]]' AND email <> pg_temp.canonical(email)
  AND NOT EXISTS (SELECT FROM users o WHERE o.email = pg_temp.canonical(u.email));
