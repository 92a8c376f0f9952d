-- Deliveries of a webhook that may not be sent to (switched off, application suspended, business suspended) are parked.
-- A claim walks through the index of what is not parked, so its work does not grow with what waits for dead webhooks.
ALTER TABLE webhook_deliveries ADD COLUMN parked boolean NOT NULL DEFAULT false;

DROP INDEX webhook_deliveries_queued;
CREATE INDEX webhook_deliveries_queued ON webhook_deliveries (tenant_id, queued_for, due_at, id)
    WHERE queued_for IS NOT NULL AND NOT parked;
CREATE INDEX webhook_deliveries_parked ON webhook_deliveries (tenant_id, queued_for, due_at)
    WHERE queued_for IS NOT NULL AND parked;
