-- Writes the items of some rows of an import, as import_customers does for customers. The stock of an item that exists
-- is left alone.
CREATE OR REPLACE FUNCTION import_items(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_order integer;
    v_expected integer;
    v_changed integer;
    v_new integer;
    v_opening jsonb := jsonb_build_object('reason', 'opening', 'actor', p -> 'actor');
BEGIN
    IF v_first = 1 THEN
        PERFORM lock_imported_items(p_tenant, v_import);
    END IF;
    PERFORM remember_import_documents(p_tenant, p, 'item_document');
    SELECT coalesce(max(sort_order), 0) INTO v_order FROM items WHERE tenant_id = p_tenant;
    -- With o.tenant_id Citus writes them on their node, and a violated constraint keeps its SQLSTATE.
    INSERT INTO items (tenant_id, id, branch_id, category_id, type, sku, name, name_search, slug, description, status,
        price, offer_price, duration, cost, stock, barcode, buffer_before, buffer_after, low_stock, tax_class_id,
            base_sellable,
        sort_order, created_at, updated_at)
    SELECT o.tenant_id, o.subject_id, a.branch_id, a.category_id, a.type, a.sku, a.name, a.name_search, a.slug,
        a.description, a.status, a.price, a.offer_price, a.duration, a.cost, a.stock, a.barcode,
        coalesce(a.buffer_before, 0), coalesce(a.buffer_after, 0), a.low_stock, a.tax_class_id,
        a.base_sellable, v_order + row_number() OVER (ORDER BY o.number), v_at, v_at
    FROM import_outcomes o, jsonb_populate_record(NULL::items, o.after) a
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'new';
    GET DIAGNOSTICS v_new = ROW_COUNT;
    INSERT INTO stock_movements (tenant_id, id, item_id, change, quantity, reason, actor_type, actor_id, created_at)
    SELECT p_tenant, uuid_v7(v_at), o.subject_id, s.stock, s.stock, 'opening', p -> 'actor' ->> 'type',
        (p -> 'actor' ->> 'id')::uuid, v_at
    FROM import_outcomes o, LATERAL (SELECT (o.after ->> 'stock')::integer AS stock) s
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'new' AND s.stock > 0;
    SELECT count(*) INTO v_expected FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed';
    UPDATE items i SET category_id = a.category_id, sku = a.sku, name = a.name, name_search = a.name_search,
        description = a.description, status = a.status, price = a.price, offer_price = a.offer_price,
        duration = a.duration, cost = a.cost, barcode = a.barcode, buffer_before = a.buffer_before,
        buffer_after = a.buffer_after, low_stock = a.low_stock, tax_class_id = a.tax_class_id,
        base_sellable = a.base_sellable, version = i.version + 1, updated_at = v_at
    FROM import_outcomes o, jsonb_populate_record(NULL::items, o.after) a
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed' AND i.tenant_id = p_tenant AND i.id = o.subject_id AND i.updated_at = o.seen_at;
    GET DIAGNOSTICS v_changed = ROW_COUNT;
    IF v_changed < v_expected THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM write_item_options(p_tenant, o.subject_id, o.after -> 'options', v_opening)
    FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome IN ('new', 'changed') AND o.after ? 'options'
        AND o.after -> 'options' IS DISTINCT FROM o.before -> 'options';
    PERFORM prepare_import_events(p_tenant, p, ARRAY['item.created', 'item.updated', 'item.deleted'],
        'item_document');
    RETURN v_new + v_changed;
END $$;
