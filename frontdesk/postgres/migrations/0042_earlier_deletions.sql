-- migration: expand in batches
-- What was deleted before deletions were recorded, as far as it is known: the events of the last 30 days, and customers
-- who were merged or erased.
INSERT INTO deleted_records (tenant_id, resource, id, deleted_at, merged_into)
SELECT k.tenant_id, k.resource, k.id, k.deleted_at, k.merged_into FROM (
    SELECT e.tenant_id, split_part(e.type, '.', 1) AS resource,
        (e.data -> split_part(e.type, '.', 1) ->> 'id')::uuid AS id, e.created_at AS deleted_at,
        (e.data ->> 'merged_into')::uuid AS merged_into
    FROM events e WHERE e.type LIKE '%.deleted'
    UNION ALL
    SELECT tenant_id, 'customer', id, erased_at, NULL FROM customers WHERE erased_at IS NOT NULL
    UNION ALL
    SELECT m.tenant_id, 'customer', m.id, c.updated_at, m.into_id FROM merged_customers m
    JOIN customers c ON c.tenant_id = m.tenant_id AND c.id = m.into_id
) k
WHERE NOT EXISTS (
    SELECT FROM deleted_records d WHERE d.tenant_id = k.tenant_id AND d.resource = k.resource AND d.id = k.id)
LIMIT 5000
ON CONFLICT DO NOTHING;
