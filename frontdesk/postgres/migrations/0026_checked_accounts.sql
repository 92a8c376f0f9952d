-- migration: expand
-- Apart from the file that adds it: all rows are read.
ALTER TABLE customers VALIDATE CONSTRAINT customers_account_limit;
