-- migration: expand
-- Apart from the file that adds them: all rows are read.
ALTER TABLE customers VALIDATE CONSTRAINT customers_birthday;
ALTER TABLE messages VALIDATE CONSTRAINT messages_kind;
