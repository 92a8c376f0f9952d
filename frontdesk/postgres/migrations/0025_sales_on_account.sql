-- migration: expand
-- A sale on account leaves its rest with the customer: what is open of such orders is what they owe, and
-- `account_limit` is the most that they may. A customer without a limit buys nothing on account.
ALTER TABLE customers
    ADD account_limit numeric(15, 3),
    ADD CONSTRAINT customers_account_limit CHECK (account_limit > 0 AND account_limit <> 'NaN') NOT VALID;
ALTER TABLE orders ADD on_account boolean NOT NULL DEFAULT false;
