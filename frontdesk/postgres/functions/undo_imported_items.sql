-- Takes back some rows of an import, as undo_imported_customers does for customers. An item that was sold, that a
-- package or a provider has, or for which a customer waits, is in use.
CREATE OR REPLACE FUNCTION undo_imported_items(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_rows integer;
BEGIN
    IF v_first = 1 THEN -- FOR UPDATE, because some are deleted
        PERFORM FROM items
        WHERE tenant_id = p_tenant AND id IN (
            SELECT subject_id FROM import_outcomes
            WHERE tenant_id = p_tenant AND import_id = v_import AND outcome IN ('new', 'changed'))
        ORDER BY id FOR UPDATE;
    END IF;
    UPDATE import_outcomes o SET event_id = NULL, event = NULL, undone = CASE
        WHEN i.updated_at <> v_at THEN 'changed'
        WHEN o.outcome = 'changed' AND EXISTS (
            SELECT FROM item_options n WHERE n.tenant_id = p_tenant AND n.item_id = i.id
                AND NOT o.before -> 'options' @> jsonb_build_array(jsonb_build_object('id', n.id))
                AND (EXISTS (SELECT FROM order_lines l WHERE l.tenant_id = p_tenant AND n.id = ANY (l.option_ids))
                    OR EXISTS (SELECT FROM order_line_stock t WHERE t.tenant_id = p_tenant AND t.option_id = n.id)))
            THEN 'used'
        WHEN o.outcome = 'changed' THEN 'restored'
        WHEN EXISTS (SELECT FROM order_lines l WHERE l.tenant_id = p_tenant AND l.item_id = i.id)
            OR EXISTS (SELECT FROM package_items k WHERE k.tenant_id = p_tenant AND k.item_id = i.id)
            OR EXISTS (SELECT FROM staff_services s WHERE s.tenant_id = p_tenant AND s.item_id = i.id)
            OR EXISTS (SELECT FROM order_line_stock t WHERE t.tenant_id = p_tenant AND t.item_id = i.id)
            OR EXISTS (SELECT FROM waiting_list w WHERE w.tenant_id = p_tenant AND w.item_id = i.id)
            OR EXISTS (SELECT FROM commission_rates r WHERE r.tenant_id = p_tenant AND r.item_id = i.id) THEN 'used'
        ELSE 'removed' END
    FROM items i
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome IN ('new', 'changed') AND i.tenant_id = p_tenant AND i.id = o.subject_id;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    PERFORM remember_import_documents(p_tenant, p, 'item_document');
    DELETE FROM items i USING import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'removed' AND i.tenant_id = p_tenant AND i.id = o.subject_id;
    UPDATE items i SET category_id = b.category_id, sku = b.sku, name = b.name, name_search = b.name_search,
        description = b.description, status = b.status, price = b.price, offer_price = b.offer_price,
        duration = b.duration, cost = b.cost, barcode = b.barcode, buffer_before = b.buffer_before,
        buffer_after = b.buffer_after, low_stock = b.low_stock, tax_class_id = b.tax_class_id,
        base_sellable = b.base_sellable, version = i.version + 1, updated_at = monotonic_now(i.updated_at)
    FROM import_outcomes o, jsonb_populate_record(NULL::items, o.before) b
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored' AND i.tenant_id = p_tenant AND i.id = o.subject_id;
    PERFORM write_item_options(p_tenant, o.subject_id, o.before -> 'options', jsonb_build_object('actor', p -> 'actor'))
    FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored' AND o.after -> 'options' IS DISTINCT FROM o.before -> 'options';
    PERFORM prepare_import_events(p_tenant, p, ARRAY['item.created', 'item.updated', 'item.deleted'],
        'item_document');
    RETURN v_rows;
END $$;
