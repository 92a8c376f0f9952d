-- migration: expand
-- Apart from the file that adds it: all rows are read.
ALTER TABLE account_messages VALIDATE CONSTRAINT account_messages_kind;
